"""What a run plays: suites, grids, agents and options, read and refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bullettime
import games
from harness import agents, runner, suite
from harness.errors import BadInput, UserError
from harness.suite import Conditions, Grid, Job, Suite, choose_games, load_suite, parse_numbers

ROOT = Path(__file__).resolve().parents[1]
ODD = Path(__file__).parent / "odd"


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))
    yield


def test_a_twin_is_played_once_and_oracles_are_metered(odd: None) -> None:
    grid = Grid(
        agents=["oracle", "ORACLE@0.5s", "idle"],
        games=["bell"],
        levels=[1],
        tempos=["1x", "16x"],
        seeds=[1],
        drive="wall",
    )
    jobs = Suite(grids=[grid, grid]).jobs()
    assert len(jobs) == 3 * (2 + 1)
    assert {job.tempo for job in jobs if job.timing == "twin"} == {"live"}
    assert {(job.agent, job.drive) for job in jobs} == {
        ("oracle", "metered"),
        ("oracle@0.5s", "metered"),
        ("idle", "wall"),
    }
    assert jobs == sorted(jobs, key=lambda job: job.place)


def test_games_are_chosen_by_name_and_family(odd: None) -> None:
    assert choose_games(["bell"]) == choose_games(["odd"]) == choose_games(["b?ll"]) == ["bell"]
    assert choose_games(["*"]) == games.names()
    first = choose_games(["*"], per_family=1)
    assert len(first) == len({games.family(name) for name in games.names()}) == len(set(map(games.family, first)))
    with pytest.raises(BadInput, match="nothing matches"):
        choose_games(["gong"])


def test_numbers() -> None:
    assert parse_numbers("1,3-5, 9", "seeds") == [1, 3, 4, 5, 9]
    with pytest.raises(BadInput, match="seeds"):
        parse_numbers("1,x", "seeds")
    for text, field in (("5-1", "seeds"), ("0-999999999999", "seeds"), ("6", "levels"), ("0-2", "levels")):
        with pytest.raises(BadInput, match=field):
            parse_numbers(text, field)


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "configs/suites").glob("*.toml")))
def test_suites_that_come_along_are_whole(name: str) -> None:
    suite = load_suite(name)
    assert suite.about and suite.jobs()


def test_a_wrong_suite_names_its_field(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('[[grids]]\nagents = ["idle"]\nseeds = [1]\nlevels = [6]\n')
    with pytest.raises(UserError, match=r"wrong\.toml.*levels"):
        load_suite(str(path))
    with pytest.raises(UserError, match="no suite"):
        load_suite("unheard-of")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UserError, match="folder"):
        load_suite(str(tmp_path / "folder.toml"))
    with pytest.raises(UserError, match="--out"):
        bullettime.command("run")(args=["--out", ""], standalone_mode=False)


LISTS = ("agents", "games", "levels", "modes", "timings", "tempos", "seeds", "efforts", "frames", "rulebook", "code")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "grids: is missing"),
        ("[[grids]]", "grids[0].agents: is missing"),
        ('abuot = "x"\n[[grids]]\nagents = ["idle"]', "abuot: is unknown"),
        ('[[grids]]\nagents = ["idle"]\nsedds = [2]', "grids[0].sedds: is unknown"),
        ('[[grids]]\nagents = ["idle"]\nseeds = [2]\ncertified = 2', "exclude each other"),
        ('limit_s = 1e300\n[[grids]]\nagents = ["idle"]', "limit_s: must be at most 86400"),
        ("a = = 3", "line 1"),
        ("\0\udcff", "is no text"),
    ],
)
def test_a_suite_that_cannot_be_read_says_where_and_how_to_mend_it(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text, errors="surrogateescape")
    with pytest.raises(UserError) as refused:
        load_suite(str(path))
    assert str(refused.value).startswith(f"{path}: ") and message in str(refused.value) and refused.value.mend


def test_held_back_seeds_stand_instead_of_others_and_name_known_games(tmp_path: Path, odd: None) -> None:
    held = tmp_path / "held.json"
    held.write_text('{"bell": [7]}')
    grid = Grid(agents=["idle"], games=["bell"], levels=[1], timings=["twin"], certified=2)
    assert [job.seed for job in Suite(grids=[grid]).narrowed(private=str(held)).jobs()] == [7]
    for text, message in (('{"bel": [7]}', "no game 'bel'"), ('{"bell": [-7]}', "at least 0"), ('{"be', "truncated")):
        held.write_text(text)
        with pytest.raises(UserError, match=message):
            Suite(grids=[grid]).narrowed(private=str(held)).jobs()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"agents": "sage"}, "agents"),
        ({"games": "gong"}, "games"),
        ({"tempos": "0.5x"}, "tempos"),
        ({"modes": "hard"}, "modes"),
        ({"drive": "manual"}, "drive"),
        ({"levels": "9"}, "levels are 1 to 5"),
        ({"frames": "99"}, "frames are 1 to 32"),
        ({"timings": "tw"}, "rt and twin"),
        ({"drive": "hover"}, "metered and wall"),
        ({"rulebook": "maybe"}, "yes and no"),
        *(({option: text}, f"{option}: names none") for option in LISTS for text in ("", " , ")),
        ({"agents": "oracle@99h"}, "from 0s to 3600s"),
        ({"agents": "oracle@4000s"}, "from 0s to 3600s"),
        ({"agents": "openai:m?first_s=-1&rate=3"}, "seconds, such as"),
        ({"agents": "command:'x"}, "quotation"),
        ({"seeds": "@nowhere"}, "nowhere: No such file"),
        ({"suite": "gong"}, "suite"),
        ({"resume": Path("nowhere")}, "no records"),
        ({"resume": Path("nowhere"), "seeds": "1"}, "resume"),
    ],
)
def test_wrong_options_are_said_and_leave_nothing(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        runner.run(**{"out": None if "resume" in options else tmp_path / "r", **options})
    assert message in f"{refused.value} {refused.value.mend}"
    assert not list(tmp_path.iterdir())


def test_agents_by_name() -> None:
    assert agents.parse(" Oracle@1500ms ").name == "oracle@1.5s"
    assert agents.parse("oracle@0s").think_us == 0
    for wrong in ("oracle@", "oracle@-1s", "oracle@9999s", "", "sage"):
        with pytest.raises(BadInput, match="agents"):
            agents.parse(wrong)
    assert Job("a", "g/rt/2/full", "live", "metered", 1, Conditions()).level == 2


def test_certified_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"rotating_keypad": {"test": [11, 12], "train": [13]}}
    monkeypatch.setattr(suite, "certified_seeds", lambda game, split: known[game][split])
    grid = Grid(agents=["oracle"], games=["rotating_keypad"], levels=[1], timings=["twin"], certified=2)
    assert {job.seed for job in Suite(grids=[grid]).jobs()} == {11, 12}
    with pytest.raises(BadInput, match="1 certified seeds for train"):
        Suite(grids=[msgspec.structs.replace(grid, split="train")]).jobs()
    assert {job.seed for job in Suite(grids=[grid]).narrowed(seeds=[5]).jobs()} == {5}
