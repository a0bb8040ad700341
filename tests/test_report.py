"""The report says what the records say, and stands alone."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from rich.console import Console

from harness.errors import UserError
from harness.film import Film
from harness.results import report
from harness.results.analysis import Analysis, in_words
from harness.results.figures import LINE_PX, Bar, Mark, Name, Notch, Series, Span, chart, named, spans, stacked
from harness.results.records import Results, Run, Shard
from harness.results.statistics import Rate
from harness.suite import Job
from tests.runs import job, verdict, write_run

ODD = Path(__file__).parent / "odd"
KINDS = ["csv", *(["parquet"] if find_spec("pyarrow") else [])]
VOID = {"meta", "img", "br", "link", "input"}


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))


def usual(folder: Path) -> Results:
    """A slow oracle that wins 2 of 10 live and 9 of 10 twins, and an idler that wins nothing; one episode tainted."""
    episodes: list[tuple[Job, bool | None]] = []
    for seed in range(10):
        episodes.append((job("oracle@8s", "rt", "live", seed), seed < 2))
        episodes.append((job("oracle@8s", "rt", "16x", seed), seed < 8))
        episodes.append((job("oracle@8s", "twin", "live", seed), seed < 9))
        episodes.append((job("idle", "rt", "live", seed), None if seed == 0 else False))
        episodes.append((job("idle", "twin", "live", seed), False))
    return write_run(folder, episodes)


def test_losses_to_time_and_to_inability(tmp_path: Path) -> None:
    told = Analysis(usual(tmp_path))
    assert told.columns == ["live", "16x", "twin"] and told.agents == ["oracle@8s", "idle"] and told.focus == "live"
    loss = told.loss("oracle@8s", "live")
    assert loss is not None
    assert (loss.won, loss.to_time, loss.unable) == pytest.approx((0.2, 0.7, 0.1))
    assert loss.time.mean == pytest.approx(0.7) and loss.time.pairs == 10 and loss.time.p == pytest.approx(2 / 2**7)
    assert loss.words == "able, but too slow"
    idle = told.loss("idle", "live")
    assert idle is not None and idle.unable == 1 and idle.time.pairs == 9
    assert told.loss("oracle@8s", "64x") is None


def test_tainted_episodes_bound_the_rates(tmp_path: Path) -> None:
    (row,) = Analysis(usual(tmp_path)).taints
    assert (row.agent, row.tainted, row.lowest, row.share) == ("idle", 1, 0.0, 0.0)
    assert row.highest == pytest.approx(1 / 20)


def test_delays_are_medians_over_acts(tmp_path: Path) -> None:
    delay = Analysis(usual(tmp_path)).delays["oracle@8s", "live"]
    assert delay.thinking[0] == pytest.approx(2.0) and delay.stale == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize(
    ("live", "able", "words"),
    [
        (1.0, 1.0, "quick enough"),
        (0.0, 1.0, "able, but too slow"),
        (0.7, 0.95, "not always quick enough"),
        (0.0, 0.05, "cannot"),
        (0.1, 0.5, "partly able, and too slow"),
        (0.5, 0.5, "time costs it little"),
    ],
)
def test_the_answer_in_words(live: float, able: float, words: str) -> None:
    assert words in in_words(live, able)


class _Page(HTMLParser):
    """Checks that tags are closed in order, and collects what a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.refers: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.refers += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text.append(data)


def read(page: Path) -> _Page:
    parsed = _Page()
    parsed.feed(page.read_text())
    parsed.close()
    assert not parsed.open
    text = " ".join(parsed.text)
    for leak in ("nan", "None", "Undefined", "{{", "inf%"):
        assert leak not in text.split(), leak
    for svg in re.findall(r"<svg.*?</svg>", page.read_text(), re.DOTALL):
        for node in ElementTree.fromstring(svg).iter():
            assert not re.search(r"nan|inf", " ".join(node.attrib.values()))
    return parsed


def test_the_page_stands_alone(tmp_path: Path) -> None:
    results = usual(tmp_path)
    put_film(tmp_path)
    page = read(report.write(results))
    names = ("pass_rates", "groups", "differences", "losses", "episodes")  # no budgets, no calls
    own = {"film.mp4", "records/", *(f"{name}.{kind}" for name in names for kind in KINDS)}
    assert {ref for ref in page.refers if not ref.startswith("data:")} == own
    text = page_text = (tmp_path / "report.html").read_text()
    assert "prefers-color-scheme: dark" in text and "<script" not in text
    assert "able, but too slow" in page_text and "worker died" in text and "at its twin beside it." in text
    assert not list(tmp_path.glob("*.new"))


def test_each_panel_has_a_name_of_its_own(tmp_path: Path) -> None:
    """Also where there is no figure of delays, whose place something else takes."""
    heads = []
    for number, agents in enumerate((["oracle@8s"], ["oracle@1s", "oracle@8s"])):
        episodes: list[tuple[Job, bool | None]] = [
            (job(agent, timing, tempo, 1, level), level < 3)
            for agent in agents
            for timing, tempo in (("rt", "live"), ("rt", "16x"), ("twin", "live"))
            for level in (1, 3)
        ]
        page = report.write(write_run(tmp_path / str(number), episodes)).read_text()
        heads.append(re.findall("<h2>(.*?)</h2>", page))
        assert len(heads[-1]) == len(set(heads[-1]))
    assert "Levels" in heads[0] and set(heads[1]) - set(heads[0]) == {"Only game time counts"}


def test_intervals_are_none_of_certainty(tmp_path: Path) -> None:
    text = report.write(usual(tmp_path)).read_text()
    assert "+100 to +100" not in text and ">0 to 0<" not in text
    assert "−" in text


def put_film(folder: Path) -> None:
    with Film(folder / "film.mp4", 64, 48, 10) as film:
        for _ in range(5):
            film.add(np.full((48, 64, 3), 200, np.uint8))


def test_a_film_has_a_poster(tmp_path: Path) -> None:
    results = usual(tmp_path)
    assert "poster=" not in report.write(results).read_text()
    put_film(tmp_path)
    assert 'poster="data:image/jpeg' in report.write(results).read_text()


def test_the_command_reports_a_run_that_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = usual(tmp_path)
    (shard,) = (tmp_path / "records").iterdir()
    shard.write_bytes(shard.read_bytes() + b'{"type": "started", "epis')
    report.report(tmp_path, json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["episodes"] == len(results.jobs()) and Path(told["report"]).exists()


def test_tables_say_the_same(tmp_path: Path) -> None:
    results = usual(tmp_path)
    report.write(results)
    rates = list(csv.DictReader(io.StringIO((tmp_path / "pass_rates.csv").read_text())))
    found = {(row["agent"], row["tempo"]): (row["won"], row["played"]) for row in rates}
    assert found["oracle@8s", "live"] == ("2", "10") and found["idle", "live"] == ("0", "9")
    episodes = list(csv.DictReader(io.StringIO((tmp_path / "episodes.csv").read_text())))
    assert len(episodes) == 50 and sum(row["verdict"] == "won" for row in episodes) == 19
    told = report.summary(results)
    assert (told["scored"], told["won"], told["tainted"]) == (49, 19, 1)
    console = Console(record=True, width=80)
    report.show(results, console)
    assert "2/10" in console.export_text()


def test_five_tempos_and_the_twin_fit_a_terminal(tmp_path: Path) -> None:
    tempos = ["live", "4x", "16x", "64x", "paused"]
    played = [job("oracle@8s", "rt", tempo, seed) for tempo in tempos for seed in range(18)]
    results = write_run(
        tmp_path, [(one, True) for one in played + [job("oracle@8s", "twin", "live", s) for s in range(18)]]
    )
    console = Console(record=True, width=80)
    report.show(results, console)
    assert console.export_text().splitlines()[1].count("18/18") == 6


def test_two_reports_of_the_same_records_are_equal(tmp_path: Path) -> None:
    results = usual(tmp_path)
    first = report.write(results).read_bytes()
    assert report.write(Results.load(tmp_path)).read_bytes() == first


@pytest.mark.parametrize(
    "episodes",
    [
        [(job("oracle", "twin", "live", 1), True)],
        [(job("oracle", "rt", "paused", 1), True)],
        [(job("oracle", "rt", "live", 1), None)],
        [(job("human", "rt", "live", 1, level), level > 2) for level in (1, 3, 5)],
        [(job("oracle", "rt", "4x", seed), seed > 1) for seed in range(3)],
    ],
    ids=["only twins", "only paused", "only tainted", "a person", "one tempo"],
)
def test_little_is_reported_too(tmp_path: Path, episodes: list[Any]) -> None:
    results = write_run(tmp_path, episodes)
    read(report.write(results))
    report.show(results, Console(file=io.StringIO()))
    assert report.summary(results)["scored"] == sum(won is not None for _, won in episodes)


def test_what_others_wrote_is_escaped(tmp_path: Path) -> None:
    results = write_run(tmp_path, [(job("<b>&", "rt", "live", 1), True)], about="<script>alert(1)</script>")
    read(report.write(results))
    assert "<script" not in (tmp_path / "report.html").read_text()


def test_a_full_disk_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = usual(tmp_path)
    before = report.write(results).read_bytes()

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UserError, match="disk is full"):
        report.write(results)
    assert (tmp_path / "report.html").read_bytes() == before and not list(tmp_path.glob("*.new"))


def test_labels_of_lines_keep_apart() -> None:
    lines = [
        Series(Name(f"agent {n}", ""), "--a0", [Mark(0, Rate(9, 10), ""), Mark(1, Rate(n // 4, 10), "")])
        for n in range(8)
    ]
    svg = ElementTree.fromstring(chart(lines, [Notch(0, "a"), Notch(1, "b")], "x", breaks=[0.5]))
    places = sorted(float(node.attrib["y"]) for node in svg.iter("text") if node.attrib["class"] == "label")
    assert len(places) == 8
    assert all(b - a >= LINE_PX - 0.2 for a, b in pairwise(places))
    assert len(list(svg.iter("circle"))) == 16


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("some-vision-language-model", "some-vision-…"),
        ("command:python3 prog3.py", "python3 prog…"),
        ("openai:gpt-9?effort=low&surface=text", "gpt-9?low&te…"),
        ("chat:http://127.0.0.1:8000/v1#local-7b", "local-7b"),
    ],
)
def test_long_names_are_cut_beside_figures_and_whole_in_a_tooltip(name: str, short: str) -> None:
    for svg in (
        chart([Series(named([name])[name], "--a0", [Mark(0, Rate(1, 2), "")])], [], "x"),
        stacked([(named([name])[name], [Bar("won", 1.0, "x")])]),
        spans([Span(named([name])[name], "--a0", Rate(1, 2), Rate(2, 2))]),
    ):
        (label,) = (node for node in ElementTree.fromstring(svg).iter("text") if (node.text or "").startswith(short))
        assert label.text == short and [node.text for node in label] == [name]


def test_names_that_would_be_alike_are_told_apart() -> None:
    names = ["anthropic:claude-opus-4-5", "anthropic:claude-opus-4-1", "idle"]
    assert [name.short for name in named(names).values()] == ["claude…us-4-5", "claude…us-4-1", "idle"]


def test_an_agent_has_one_name_on_a_page(tmp_path: Path) -> None:
    agent = "command:./player.py --alpha 1 --gamma 3"
    results = write_run(
        tmp_path, [(job(agent, timing, "live", s), s > 2) for timing in ("rt", "twin") for s in range(6)]
    )
    text = report.write(results).read_text()
    assert set(re.findall(r">(\./play[^<]*)<", text)) == {"./player.py …"}


def test_lines_that_lie_on_each_other_are_all_seen() -> None:
    lines = [Series(Name(n, n), "--a0", [Mark(0, Rate(1, 2), ""), Mark(1, Rate(2, 2), "")]) for n in "abc"]
    svg = chart(lines, [], "x")
    assert svg.count("stroke-dasharray") == 2
    assert "stroke-dasharray" not in chart([lines[0], lines[1]._replace(marks=lines[1].marks[:1])], [], "x")


def failed(folder: Path, reasons: dict[str, str | None]) -> Results:
    """An agent's episodes, two in each seed, by why they were lost; None: won."""
    run = write_run(folder, [(job("idle", "rt", "live", 1), False), (job("idle", "twin", "live", 1), False)])
    with Shard(folder) as shard:
        for number, (name, reason) in enumerate(reasons.items()):
            for timing in ("rt", "twin"):
                told = verdict(job("python:mine:Agent", timing, "live", number), won=reason is None)
                shard.write(msgspec.structs.replace(told, reason=reason or "") if name else told)
    return Results.load(run.folder)


@pytest.mark.parametrize(
    ("reason", "how"),
    [
        ("agent crashed: ended with status 3: boom\n  here", "crashed: ended with status 3: boom here"),
        ("the agent's process ended", "crashed"),
        ("agent hung", "hung"),
        ("agent refused", "refused"),
        ("agent gave up: 5 answers were no act", "gave up: 5 answers were no act"),
        ("given up", "gave up"),
    ],
)
def test_who_fails_by_itself_gets_no_verdict_on_its_ability(tmp_path: Path, reason: str, how: str) -> None:
    results = failed(tmp_path, {"a": reason, "b": reason, "c": reason})
    told = Analysis(results)
    words = how.partition(":")[0]
    assert told.answer("python:mine:Agent") == f"no verdict on its ability: 6 of 6 {words}"
    assert told.answer("idle") == "cannot do it, at any speed"
    console = Console(record=True, width=120)
    report.show(results, console)
    shown = console.export_text()
    assert f"6 of 6 {words}" in shown and (how == words or f"  {how}\n" in shown)
    text = report.write(results).read_text()
    read(tmp_path / "report.html")
    assert "no verdict on its ability" in text and "Lost by failures of their own" in text
    assert how.partition(": ")[2] in text
    assert {row["agent"] for row in report.summary(results)["losses"]} == {"idle"}
    (row,) = csv.DictReader((tmp_path / "failures.csv").open())
    assert (row["how"], row["episodes"], row["played"]) == (words, "6", "6")


def test_a_few_failures_are_told_beside_the_answer(tmp_path: Path) -> None:
    told = Analysis(failed(tmp_path, {"a": "time", "b": "acts", "c": "agent crashed: boom", "d": "time"}))
    assert told.answer("python:mine:Agent") == "cannot do it, at any speed; 2 of 8 crashed"
    won: dict[str, str | None] = {str(number): None for number in range(12)}
    told = Analysis(failed(tmp_path / "won", {**won, "last": "agent hung"}))
    assert told.answer("python:mine:Agent") == "able, and quick enough; 2 of 26 hung"


def test_the_page_explains_what_was_played_and_no_more(tmp_path: Path) -> None:
    text = report.write(write_run(tmp_path, [(job("oracle@2s", "rt", "live", 1), True)])).read_text()
    assert "<dt>oracle</dt>" in text and "<dt>tracker</dt>" not in text and "<dt>twin</dt>" not in text
    assert "<b>1</b> agent<" in text and "<b>1</b> configuration<" in text


def test_bars_add_up() -> None:
    pieces = [Bar("won", 0.25, "x"), Bar("time", 0.75, "y"), Bar("unable", 0.0, "z")]
    svg = ElementTree.fromstring(stacked([(Name("a", "a"), pieces)]))
    widths = [float(node.attrib["width"]) for node in svg.iter("rect")]
    assert len(widths) == 2 and widths[1] / widths[0] == pytest.approx(3, abs=0.1)


def test_the_run_event_is_kept_whole(tmp_path: Path) -> None:
    run = usual(tmp_path).run
    assert msgspec.convert(msgspec.to_builtins(run), Run) == run
