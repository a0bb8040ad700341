"""What is said of a run's agents: comparisons, reaction times, costs; and the tables that say it."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import msgspec
import pytest

import configs
from harness.agents.models.conversation import Policy
from harness.results import charts, report, tables
from harness.results.analysis import TWIN, Analysis, Side
from harness.results.records import Call
from harness.suite import Conditions, Job
from tests.runs import job, write_run

ODD = Path(__file__).parent / "odd"
MODEL = "openai:some-model?effort=low"


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))
    monkeypatch.setattr(configs, "CERTIFICATES", tmp_path / "certificates")


def measured(folder: Path, seconds: float, rules: str = "r") -> None:
    """A certificate of the test's game, of this budget on level 1."""
    (folder / "certificates").mkdir(parents=True)
    tau = {"s": seconds, "low": seconds, "high": seconds, "censored": ""}
    page = {"rt/1/full": {"figures": {"tau50_as_played": tau}}}
    (folder / "certificates" / "bell.json").write_text(json.dumps({"rules": rules, "pages": page}))


def two_agents(folder: Path, rules: dict[str, str] | None = None, calls: list[Call] | None = None) -> Analysis:
    """Ten seeds in three tempos: an oracle that slowness helps, and a model that loses half of its twins."""
    episodes: list[tuple[Job, bool | None]] = []
    for seed in range(10):
        for tempo, wins in (("live", 2), ("4x", 6), ("paused", 10)):
            episodes.append((job("oracle@2s", "rt", tempo, seed), seed < wins))
            episodes.append((job(MODEL, "rt", tempo, seed), seed < min(wins, 4)))
        episodes.append((job("oracle@2s", "twin", "live", seed), True))
        episodes.append((job(MODEL, "twin", "live", seed), seed < 5))
    return Analysis(write_run(folder, episodes, calls=calls or (), rules=rules))


def test_comparisons_are_paired_over_what_both_have_played(tmp_path: Path) -> None:
    told = two_agents(tmp_path)
    quick, slow = Side("oracle@2s", "4x"), Side("oracle@2s", "live")
    gap = told.gaps["slowdown", quick, slow]
    assert gap == told.gaps["step", quick, slow]
    assert (gap.mean, gap.pairs, gap.only_first, gap.only_second) == (pytest.approx(0.4), 10, 4, 0)
    assert gap.p == pytest.approx(2 / 2**4) and 0 < gap.smallest < 1
    step = told.gaps["step", Side("oracle@2s", "paused"), quick]
    assert step.mean == pytest.approx(0.4) and ("slowdown", Side("oracle@2s", "paused"), quick) not in told.gaps
    assert told.gaps["twin", Side(MODEL, TWIN), Side(MODEL, "live")].mean == pytest.approx(0.3)
    assert told.gaps["agents", Side("oracle@2s", TWIN), Side(MODEL, TWIN)].mean == pytest.approx(0.5)
    assert len(told.comparisons) == 2 * 2 + 2 * 2 + 2 * 3 + 4


def test_conditions_of_one_agent_stand_apart(tmp_path: Path) -> None:
    bare = Conditions(rulebook=False)
    episodes: list[tuple[Job, bool | None]] = []
    for seed in range(6):
        own = job(MODEL, "rt", "live", seed)
        episodes += [(own, seed < 5), (msgspec.structs.replace(own, conditions=bare), seed < 2)]
        episodes.append((job("idle", "rt", "live", seed), False))
    told = Analysis(write_run(tmp_path, episodes))
    assert told.agents == [MODEL, f"{MODEL} no-rulebook", "idle"]
    gap = told.gaps["agents", Side(MODEL, "live"), Side(f"{MODEL} no-rulebook", "live")]
    assert (gap.mean, gap.pairs) == (0.5, 6)
    assert f"{MODEL} no-rulebook" in report.write(told.results).read_text()


def test_twins_alone_tell_of_no_loss_to_time(tmp_path: Path) -> None:
    told = Analysis(write_run(tmp_path, [(job("oracle", "twin", "live", seed), seed < 2) for seed in range(4)]))
    assert told.focus == TWIN and told.loss("oracle", told.focus) is None
    assert told.comparisons == [] and told.reactions == {}


def test_only_common_seeds_make_pairs(tmp_path: Path) -> None:
    told = Analysis(
        write_run(
            tmp_path,
            [
                *((job("oracle", "rt", "live", seed), True) for seed in (1, 2, 3)),
                *((job("idle", "rt", "live", seed), False) for seed in (3, 4)),
                (job("random", "rt", "live", 9), False),
            ],
        )
    )
    (only,) = told.comparisons
    assert (only.first.agent, only.second.agent, only.gap.pairs) == ("oracle", "idle", 1)


def test_reaction_times_leave_out_lost_twins_and_paused(tmp_path: Path) -> None:
    measured(tmp_path, 1.5)
    told = two_agents(tmp_path, rules={"bell": "r"})
    assert len(told.budgeted["oracle@2s"]) == 20 and len(told.budgeted[MODEL]) == 10  # two tempos; half of the twins
    assert {episode.budget for episode in told.budgeted["oracle@2s"]} == {1.5, 6.0}
    found = told.reactions["oracle@2s"]
    assert found.seconds is not None and 1.5 < found.seconds < 6 and found.low < found.seconds < found.high
    assert told.without_budget == {}


def test_configurations_without_a_budget_are_told(tmp_path: Path) -> None:
    measured(tmp_path, 1.5)
    episodes: list[tuple[Job, bool | None]] = [
        (job("oracle@2s", "rt", "live", seed, level), True) for seed in (1, 2) for level in (1, 3)
    ]
    told = Analysis(write_run(tmp_path, episodes, rules={"bell": "r"}))
    assert told.unbudgeted == ["bell/rt/3/full"] and len(told.budgeted["oracle@2s"]) == 2
    assert "left out too: bell/rt/3/full" in report.write(told.results).read_text()


def test_stale_budgets_give_no_reaction_times_and_the_page_says_so(tmp_path: Path) -> None:
    measured(tmp_path, 1.5, rules="older")
    told = two_agents(tmp_path, rules={"bell": "r"})
    assert told.reactions == {} and told.without_budget == {"bell": "certified under other rules"}
    text = report.write(told.results).read_text()
    assert "No effective reaction times" in text and "bell (certified under other rules)" in text
    assert not (tmp_path / "reaction_times.csv").exists()


def test_the_page_shows_a_reaction_time(tmp_path: Path) -> None:
    measured(tmp_path, 1.5)
    told = two_agents(tmp_path, rules={"bell": "r"})
    text = report.write(told.results).read_text()
    found = told.reactions["oracle@2s"]
    assert str(found) in text and found.in_words() in text
    (row,) = (row for row in read(tmp_path / "reaction_times.csv") if row["agent"] == "oracle@2s")
    assert float(row["seconds"]) == pytest.approx(found.seconds, abs=1e-4)
    assert row["episodes"] == "20"


def call(seq: int, cost: float | None, agent: str = MODEL, seed: int = 0) -> Call:
    return Call(
        episode=job(agent, "rt", "live", seed).key,
        attempt=1,
        seq=seq,
        sent_us=0,
        first_us=400_000,
        done_us=1_400_000,
        tokens_in=1000,
        tokens_cached=600,
        tokens_out=50,
        cost=cost,
    )


def test_costs_are_means_of_an_episode(tmp_path: Path) -> None:
    told = two_agents(tmp_path, calls=[call(seq, 0.25, seed=seed) for seed in range(10) for seq in (1, 2)])
    cost = told.costs[MODEL, "live"]
    assert (cost.calls, cost.tokens_in, cost.tokens_out, cost.usd) == (2, 2000, 100, 0.5)
    assert (cost.first_s, cost.done_s) == pytest.approx((0.4, 1.4))
    assert list(told.costs) == [(MODEL, "live")]  # nobody else called anything
    text = report.write(told.results).read_text()
    assert "What it costs" in text and "$0.5" in text and "unknown</td>" not in text
    assert len(read(tmp_path / "calls.csv")) == 20


def test_an_unknown_price_stays_unknown(tmp_path: Path) -> None:
    told = two_agents(tmp_path, calls=[call(1, 0.25), call(2, None, seed=1)])
    assert told.costs[MODEL, "live"].usd is None
    text = report.write(told.results).read_text()
    assert "unknown</td>" in text and "US dollars" not in text
    rows = [row for row in read(tmp_path / "episodes.csv") if (row["agent"], row["tempo"]) == (MODEL, "live")]
    assert {row["seed"]: row["cost"] for row in rows if row["calls"] == "1"} == {"0": "0.25", "1": ""}


def test_how_models_were_spoken_to_is_on_the_page(tmp_path: Path) -> None:
    policy = Policy(system="You see <frames>.", nudge="Act.", kept=7)
    results = write_run(tmp_path, [(job(MODEL, "rt", "live", 1), True)], conversations={"terse": policy})
    text = report.write(results).read_text()
    assert "conversation terse" in text and "kept 7, size 800 × 600" in text and "You see &lt;frames&gt;." in text


def test_losses_and_what_each_tempo_gives_back(tmp_path: Path) -> None:
    two_agents(tmp_path)
    report.write(two_agents(tmp_path / "again").results)
    rows = {(row["agent"], row["tempo"]): row for row in read(tmp_path / "again" / "losses.csv")}
    slow = rows["oracle@2s", "4x"]
    assert [float(slow[name]) for name in ("won", "recovered", "to_time", "unable")] == [0.6, 0.4, 0.4, 0.0]
    model = rows[MODEL, "live"]
    assert model["recovered"] == "" and [float(model[name]) for name in ("won", "to_time", "unable")] == [0.2, 0.3, 0.5]
    assert float(model["unable_low"]) < 0.5 < float(model["unable_high"])


def test_a_bar_shows_inability_whatever_slower_worlds_gave(tmp_path: Path) -> None:
    episodes: list[tuple[Job, bool | None]] = []
    for seed in range(10):
        for timing, tempo, wins in (("rt", "live", 2), ("rt", "16x", 9), ("twin", "live", 6)):
            episodes.append((job("oracle@2s", timing, tempo, seed), seed < wins))
    told = Analysis(write_run(tmp_path, episodes))
    svg = charts.bars(told, {"oracle@2s": told.loss("oracle@2s", "live")})
    assert svg is not None
    widths = dict(re.findall(r'<rect class="(\w+)" .*?width="([\d.]+)"', svg))
    shares = {kind: float(width) / 440 for kind, width in widths.items()}
    assert shares == pytest.approx({"won": 0.2, "back": 0.4, "unable": 0.4}, abs=0.01)


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open()))


def test_parquet_holds_the_same_columns_and_values(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra `parquet`")
    measured(tmp_path, 1.5)
    told = two_agents(tmp_path, rules={"bell": "r"}, calls=[call(1, None)])
    names = tables.write(told, tmp_path)
    filled = {name for name, (_, rows) in tables.tables(told).items() if rows}
    assert {name.partition(".")[0] for name in names} == filled == set(tables.tables(told)) - {"failures"}
    for name in sorted(filled):
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        rows = read(tmp_path / f"{name}.csv")
        assert table.column_names == list(rows[0]), name
        assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in table.to_pylist()] == rows, name
    kinds = parquet.read_schema(tmp_path / "episodes.parquet")
    assert (str(kinds.field("cost").type), str(kinds.field("seed").type)) == ("double", "int64")


def test_the_grid_shows_each_game_pressed_and_waited(tmp_path: Path) -> None:
    text = report.write(two_agents(tmp_path).results).read_text()
    (grid,) = re.findall(r'<table class="grid">.*?</table>', text, re.DOTALL)
    cells = re.findall(r'style="--l:([\d.]+);--r:([\d.]+)"', grid)
    assert [tuple(map(float, cell)) for cell in cells] == [(0.2, 1.0), (0.2, 0.5)]


def test_films_and_replays_are_linked_where_they_are(tmp_path: Path) -> None:
    told = two_agents(tmp_path)
    text = report.write(told.results).read_text()
    assert f"bullettime replay {tmp_path} --episode" in text and "films/" not in text
    (tmp_path / "films").mkdir()
    for name in ("bell-rt-1-full-1.mp4", "belly-rt-1-full-1.mp4"):
        (tmp_path / "films" / name).touch()
    text = report.write(told.results).read_text()
    assert re.findall(r'href="(films/[^"]*)"', text) == ["films/bell-rt-1-full-1.mp4"]
    (number,) = re.findall(r"--episode (\d+)", text)
    episodes = sorted(outcome.job.key for outcome in told.outcomes)
    assert episodes[int(number) - 1] in text


# -------------------------------------------------------------------------------- a run of thinkers


def thinkers(folder: Path, tempos: set[str]) -> Analysis:
    """What oracles that think 1 to 16 s won and lost in a real run, with the budgets of its games as then measured."""
    told = json.loads((Path(__file__).parent / "thinkers.json").read_text())
    (folder / "certificates").mkdir(parents=True)
    for game, pages in told["budgets"].items():
        page = {name: {"figures": {"tau50_as_played": tau}} for name, tau in pages.items()}
        (folder / "certificates" / f"{game}.json").write_text(json.dumps({"rules": "r", "pages": page}))
    episodes: list[tuple[Job, bool | None]] = []
    for where, marks in told["won"].items():
        game, level, tempo, seed = where.split()
        if tempo in tempos:
            timing, tempo = ("twin", "live") if tempo == TWIN else ("rt", tempo)
            for agent, mark in zip(told["agents"], marks, strict=True):
                episodes.append((job(agent, timing, tempo, int(seed), int(level), game), mark == "1"))
    return Analysis(write_run(folder, episodes, rules=dict.fromkeys(told["budgets"], "r")))


ALL = {"live", "4x", "16x", "64x", "paused", TWIN}


def delay(agent: str) -> float:
    """Seconds of thinking."""
    return float(agent.removeprefix("oracle@").removesuffix("s"))


def test_thinkers_have_the_reaction_times_that_they_were_given(tmp_path: Path) -> None:
    told = thinkers(tmp_path, ALL)
    assert len(told.agents) == 5 and not told.without_budget
    for agent in told.agents:
        found = told.reactions[agent]
        assert found.seconds is not None
        assert found.seconds == pytest.approx(delay(agent), rel=0.5) and found.seconds > delay(agent) / 1.5
        assert found.low / 1.1 < delay(agent) < found.high * 1.1


@pytest.mark.parametrize(
    ("tempo", "outside"),
    [("live", "oracle@16s"), ("live", "oracle@8s"), ("4x", "oracle@16s"), ("16x", "oracle@1s"), ("64x", "oracle@2s")],
)
def test_thinkers_out_of_reach_of_a_tempo_have_a_bound_that_holds(tmp_path: Path, tempo: str, outside: str) -> None:
    told = thinkers(tmp_path, {tempo, TWIN})
    assert told.reactions[outside].seconds is None
    for agent, found in told.reactions.items():
        assert found.low / 1.1 < delay(agent) < found.high * 1.1, agent


def test_the_slowdown_curve_of_thinkers_rises_within_its_intervals(tmp_path: Path) -> None:
    told = thinkers(tmp_path, ALL)
    steps = [each for each in told.comparisons if each.kind == "step"]
    assert len(steps) == 5 * 4 and all(each.gap.high >= 0 for each in steps)
    for agent in told.agents:
        live, slow = told.headline[agent, "live"], told.headline[agent, "64x"]
        assert live.interval[1] < slow.interval[0]
        loss = told.loss(agent, "live")
        assert loss is not None and loss.to_time > 0.5 and loss.unable < 0.1
