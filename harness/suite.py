"""What a run plays: grids of agents, configurations, tempos and seeds, and the single episodes that they stand for."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

import games
from clock.tempo import Tempo
from configs import DEFAULTS, FOLDER, act_cap, certified_seeds
from harness import agents
from harness.agents import Spec
from harness.errors import BadInput, UserError, plainly, told

SUITES = FOLDER / "suites"
BOUNDS = {"levels": (1, 5), "frames": (1, 32)}  # of numbers on the command line
LIMIT_CAP_S = 86_400  # of an episode
SEEDS_CAP = 100_000  # numbers on the command line
SEED_CAP = 2**53
HUMAN_CAP = 1_000_000  # acts: people send one for every movement of the mouse
TEMPOS = ("live", "4x", "16x", "64x", "paused")
Drive = Literal["metered", "wall"]
Seed = Annotated[int, Meta(ge=0, le=SEED_CAP)]


class Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    """What every agent of a run sees and may do.

    Frames of an observation, their spacing and the window of `paused` (ms); the rules beside the goal; running code.
    """

    frames: Annotated[int, Meta(ge=1, le=32)] = DEFAULTS.frames
    every_ms: Annotated[float, Meta(ge=1, le=10_000)] = DEFAULTS.spacing_ms
    window_ms: Annotated[float, Meta(ge=0, le=10_000)] = DEFAULTS.window_ms
    rulebook: bool = True
    code: bool = False

    @property
    def name(self) -> str:
        """All of it in a word or three."""
        shown = f"{self.frames}x{self.every_ms:g}ms+{self.window_ms:g}ms"
        return shown + (" code" if self.code else "") + ("" if self.rulebook else " no-rulebook")


class Job(Struct, frozen=True, order=True):
    """One episode that is to be played. Its `key` is its identity: nothing else decides whether it is finished."""

    agent: str
    config: str
    tempo: str  # "live" in twins, which know no tempo
    drive: Drive
    seed: int
    conditions: Conditions

    @property
    def key(self) -> str:
        """All of it in a line."""
        return f"{self.agent} {self.config} {self.tempo} {self.drive} seed={self.seed} {self.conditions.name}"

    @property
    def place(self) -> bytes:
        """Where it stands in the order of play: mixed, so that costs and results come evenly."""
        return blake2b(self.key.encode(), digest_size=8).digest()

    @property
    def game(self) -> str:
        return self.config.split("/")[0]

    @property
    def timing(self) -> str:
        return self.config.split("/")[1]

    @property
    def level(self) -> int:
        return int(self.config.split("/")[2])

    @property
    def mode(self) -> str:
        return self.config.split("/")[3]

    @property
    def cap(self) -> int:
        """Acts that are allowed."""
        return HUMAN_CAP if self.agent == agents.HUMAN else act_cap(self.game, self.timing, self.level, self.mode)


class Grid(Struct, kw_only=True, forbid_unknown_fields=True):
    """Agents × configurations × tempos × seeds. A twin is played once, whatever the tempos."""

    agents: list[str]
    games: list[str] = msgspec.field(default_factory=lambda: ["*"])  # names or families, with * and ?
    per_family: Annotated[int, Meta(ge=1)] | None = None  # only the first so many games of a family
    levels: list[Annotated[int, Meta(ge=1, le=5)]] = msgspec.field(default_factory=lambda: [1, 2, 3, 4, 5])
    modes: list[Literal["simple", "full"]] = msgspec.field(default_factory=lambda: ["full"])
    timings: list[Literal["rt", "twin"]] = msgspec.field(default_factory=lambda: ["rt", "twin"])
    tempos: list[str] = msgspec.field(default_factory=lambda: list(TEMPOS))
    seeds: list[Seed] = []
    certified: Annotated[int, Meta(ge=0)] = 0  # instead of seeds: so many of each game's certified ones
    split: Literal["test", "train"] = "test"  # which of them
    private: str = ""  # instead of seeds: a JSON file with each game's list, which is held back
    drive: Drive = "metered"
    efforts: list[str] = []  # of models; none: as each agent's name says
    frames: list[Annotated[int, Meta(ge=1, le=32)]] = []  # pictures of an observation; none: as the conditions say
    rulebook: list[bool] = []
    code: list[bool] = []

    def jobs(self, conditions: Conditions) -> list[Job]:
        """Its episodes. Raises BadInput that names the field."""
        chosen = [
            (game, timing, level, mode)
            for game in choose_games(self.games, self.per_family)
            for timing in self.timings
            for level in self.levels
            for mode in self.modes
        ]
        tempos = [_tempo(text) for text in self.tempos]
        agents_seen = [(agent, seen) for agent in self._agents() for seen in self._conditions(agent, conditions)]
        if self.drive == "metered" and any(seen.code for _, seen in agents_seen):
            raise BadInput("code", "acts while its model thinks, which metered drive does not know", "--drive wall")
        return [
            Job(
                agent=agent.name,
                config="/".join(map(str, configuration)),
                tempo=tempo,
                drive="metered" if agent.oracle else self.drive,
                seed=seed,
                conditions=seen,
            )
            for agent, seen in agents_seen
            for configuration in chosen
            for tempo in (tempos if configuration[1] == "rt" else ["live"])
            for seed in self._seeds(configuration[0])
        ]

    def _agents(self) -> list[Spec]:
        """Its agents; models with each of its efforts."""
        parsed = map(agents.parse, self.agents)
        return [
            spec.with_option("effort", effort) if effort else spec
            for spec in parsed
            for effort in (self.efforts if spec.model and self.efforts else [""])
        ]

    def _conditions(self, agent: Spec, base: Conditions) -> list[Conditions]:
        """What this agent sees and may do, in each variant. Only models have a sandbox to run code in.

        An oracle looks at worlds, so it has but one variant.
        """
        if agent.oracle:
            return [msgspec.structs.replace(base, code=False)]
        return [
            msgspec.structs.replace(base, frames=frames, rulebook=rulebook, code=code)
            for frames in self.frames or [base.frames]
            for rulebook in self.rulebook or [base.rulebook]
            for code in (self.code or [base.code] if agent.model else [False])
        ]

    def _seeds(self, game: str) -> list[int]:
        if self.private:
            return private_seeds(Path(self.private), game)
        if not self.certified:
            return self.seeds
        known = certified_seeds(game, self.split)
        if len(known) < self.certified:
            problem = f"{game} has {len(known)} certified seeds for {self.split}, not {self.certified}"
            raise BadInput("certified", problem, f"`bullettime certify --games {game} --seeds {4 * self.certified}`")
        return known[: self.certified]


class Suite(Struct, kw_only=True, forbid_unknown_fields=True):
    """Grids under one condition. limit_s: wall seconds after which an episode that does not end is lost."""

    name: str = ""
    about: str = ""
    conditions: Conditions = msgspec.field(default_factory=Conditions)
    limit_s: Annotated[float, Meta(gt=0, le=LIMIT_CAP_S)] = 300.0
    grids: list[Grid]

    def jobs(self) -> list[Job]:
        """All episodes, each once, in the order of play. Raises BadInput."""
        jobs = {job.key: job for grid in self.grids for job in grid.jobs(self.conditions)}
        if not jobs:
            raise BadInput("suite", "holds no episode", "widen games, levels, modes, timings, tempos or seeds")
        return sorted(jobs.values(), key=lambda job: job.place)

    def narrowed(self, **fields: Any) -> Suite:
        """The suite with fields of all its grids replaced, and its games resolved to names. Raises BadInput.

        What it says about itself still holds with other agents and seeds, and with nothing else.
        """
        given = {name: value for name, value in fields.items() if value is not None}
        if "seeds" in given or "private" in given:
            given = {"seeds": [], "certified": 0, "private": "", **given}
        grids = []
        for grid in self.grids:
            if "games" in given:
                grid = msgspec.structs.replace(grid, per_family=None)
            grid = msgspec.structs.replace(grid, **given)
            chosen = choose_games(grid.games, grid.per_family)
            grids.append(msgspec.structs.replace(grid, games=chosen, per_family=None))
        about = self.about if given.keys() <= {"agents", "seeds", "certified", "private"} else ""
        made = msgspec.structs.replace(self, grids=grids, about=about)
        return checked(msgspec.to_builtins(made), "the command line")


def private_seeds(path: Path, game: str) -> list[int]:
    """A game's seeds in a file that is held back: a JSON object, game -> seeds; "*" stands for the others.

    Raises UserError.
    """
    mend = 'it must read {"GAME": [SEED, …], "*": [SEED, …]}, each seed from 0 to 2^53'
    try:
        lists = msgspec.json.decode(path.read_bytes(), type=dict[str, list[Seed]])
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}", "name a file after the @ that can be read") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise UserError(f"{path}: {plainly(str(error).partition(' - at `')[0])}", mend) from None
    if unknown := lists.keys() - {"*", *games.names()}:
        raise UserError(f"{path}: there is no game {sorted(unknown)[0]!r}", "`bullettime games` lists them")
    seeds = lists.get(game, lists.get("*", []))
    if not seeds:
        raise UserError(f"{path} holds no seeds for {game}", 'add its list, or one for "*"')
    return seeds


def load_suite(name: str, folder: Path = SUITES) -> Suite:
    """A suite of configs/suites (or another folder) by its name, or the suite in a TOML file. Raises UserError."""
    path = Path(name) if name.endswith(".toml") else folder / f"{name}.toml"
    try:
        plain = tomllib.loads(path.read_text())
    except FileNotFoundError:
        known = ", ".join(sorted(path.stem for path in folder.glob("*.toml")))
        raise UserError(
            f"there is no {folder.name[:-1]} {name!r}", f"known are {known}; or name a .toml file"
        ) from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}", "name a .toml file that can be read") from None
    except UnicodeError:
        raise UserError(f"{path}: is no text", "name a suite's .toml file; configs/suites has some") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}", "write it as TOML; configs/suites has examples") from None
    suite = checked(plain, str(path))
    suite.name = suite.name or path.stem
    return suite


def checked(plain: dict[str, Any], source: str) -> Suite:
    """A suite from plain values. Raises UserError that names the source and the field."""
    try:
        suite = msgspec.convert(plain, Suite)
    except msgspec.ValidationError as error:
        field, problem = told(error)
        kinds: dict[str, type[Struct]] = {"grids": Grid, "conditions": Conditions}
        what = field.partition(".")[0].partition("[")[0] if "." in field else "suites"
        mend = f"{what} take {', '.join(kinds.get(what, Suite).__struct_fields__)}; docs/running.md explains them"
        raise UserError(f"{source}: {field}: {problem}", mend) from None
    for number, grid in enumerate(suite.grids):
        if bool(grid.seeds) + bool(grid.certified) + bool(grid.private) > 1:
            problem = f"grids[{number}]: seeds, certified and private exclude each other"
            raise UserError(f"{source}: {problem}", "give one of them")
    return suite


def choose_games(patterns: list[str], per_family: int | None = None) -> list[str]:
    """The games that match a pattern by name or by family, in the order of families. Raises BadInput."""
    known = {name: games.family(name) for name in games.names()}
    for pattern in patterns:
        if not any(fnmatchcase(text, pattern) for pair in known.items() for text in pair):
            raise BadInput("games", f"nothing matches {pattern!r}", "`bullettime games` lists them")
    chosen: list[str] = []
    for name, family in known.items():
        if any(fnmatchcase(name, pattern) or fnmatchcase(family, pattern) for pattern in patterns):
            already = sum(known[other] == family for other in chosen)
            if per_family is None or already < per_family:
                chosen.append(name)
    return chosen


def parse_numbers(text: str, field: str) -> list[int]:
    """Whole numbers from `1,2,5-9`. Raises BadInput."""
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        first, _, last = part.partition("-")
        try:
            least, most = int(first), int(last or first)
        except ValueError:
            raise BadInput(field, f"{part!r} is no number", "write for example 1,2,5-9") from None
        if least > most:
            raise BadInput(field, f"{part!r} is empty", "write the smaller number first, for example 5-9")
        lowest, highest = BOUNDS.get(field, (0, SEED_CAP))
        if not lowest <= least <= most <= highest:
            raise BadInput(field, f"{part!r} is out of bounds", f"{field} are {lowest} to {highest}")
        if len(numbers) + most - least >= SEEDS_CAP:
            raise BadInput(field, f"{part!r} is too much", f"at most {SEEDS_CAP:,} numbers")
        numbers += range(least, most + 1)
    return numbers


def _tempo(text: str) -> str:
    try:
        return Tempo.parse(text).name
    except ValueError as wrong:
        raise BadInput("tempos", str(wrong), "for example live,16x,paused") from None
