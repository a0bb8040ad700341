"""The house rules about who may import and name what, read off the source of all files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import games

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "configs": {"configs"},
    "clock": {"clock"},
    "games": {"games"},
    "oracles": {"oracles", "games"},
    "harness": {"harness", "configs", "clock", "games", "oracles"},
    "audit": {"audit", "harness", "configs", "clock", "games", "oracles"},
}
OURS = {*MAY_IMPORT, "bullettime", "tests"}
GRAPHICS = {"moderngl", "glcontext", "OpenGL"}
LONGEST = {"harness": 400, "games": 280}  # lines


def python_files(part: str) -> list[Path]:
    return sorted((ROOT / part).rglob("*.py"))


def game_files() -> list[Path]:
    return [
        path
        for path in python_files("games")
        if path.parent.parent == ROOT / "games" and path.parent.name != "kit" and path.name != "__init__.py"
    ]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(path: Path) -> frozenset[str]:
    """Dotted names of the modules that a file imports, wherever in it, unless for type checking only."""
    return frozenset(_imports(ast.parse(path.read_text()), path))


def _imports(node: ast.AST, path: Path) -> Iterator[str]:
    if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, f"{path}: imports by full name, not relative ones"
        assert node.module
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            place = ROOT / inner.replace(".", "/")
            yield inner if place.is_dir() or place.with_suffix(".py").is_file() else node.module
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, path)


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_imports_run_one_way(part: str) -> None:
    for path in python_files(part):
        tops = {module.split(".")[0] for module in imports(path)} & OURS
        assert tops <= MAY_IMPORT[part], f"{path}: imports {tops - MAY_IMPORT[part]}"


PURE = {
    "__future__",
    "dataclasses",
    "functools",
    "itertools",
    "typing",
}  # nothing there knows time, chance or the world


def test_games_import_only_the_kit() -> None:
    rules = [name for path in game_files() if not (name := name_of(path)).endswith("_look")]
    for path in game_files():
        # a look imports its game and the game's other looks, never the other way round
        own = max((name for name in rules if name_of(path).startswith(name)), key=len)
        others = {
            module for module in imports(path) if module not in PURE and not module.startswith(("games.kit", own))
        }
        assert not others, f"{path}: imports {others}"


def test_kit_imports_no_game() -> None:
    for path in [ROOT / "games/__init__.py", *python_files("games/kit")]:
        others = {
            module for module in imports(path) if module.split(".")[0] == "games" and not module.startswith("games.kit")
        }
        assert not others, f"{path}: imports {others}"


def test_games_read_no_clock_and_no_global_chance() -> None:
    banned = {"time", "random", "datetime", "secrets", "uuid"}
    for path in python_files("games"):
        found = {module.split(".")[0] for module in imports(path)} & banned
        assert not found, f"{path}: imports {found}"


def test_only_the_painter_imports_graphics() -> None:
    for part in MAY_IMPORT:
        for path in python_files(part):
            if path.parent != ROOT / "harness/painter":
                found = {module.split(".")[0] for module in imports(path)} & GRAPHICS
                assert not found, f"{path}: imports {found}"


def test_no_import_circles() -> None:
    files = [ROOT / "bullettime.py", *(path for part in MAY_IMPORT for path in python_files(part))]
    graph = {name_of(path): imports(path) - {name_of(path)} for path in files}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("import circle: " + " <- ".join(error.args[1]))


def test_engine_names_no_game() -> None:
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, games.names())) or '$^'})\b")
    engine = [ROOT / "bullettime.py", ROOT / "games/__init__.py", *python_files("games/kit")]
    for path in engine + [path for part in ("clock", "harness", "audit") for path in python_files(part)]:
        found = names.search(path.read_text())
        assert not found, f"{path}: names the game {found}"


def test_importing_every_game_stays_light() -> None:
    heavy = sorted({*GRAPHICS, "harness", "clock", "oracles", "numpy", "cv2", "pygame"})
    program = (
        "import sys, games\n"
        "for name in games.names(): games.load(name)\n"
        f"print(*(name for name in {heavy} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_every_library_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(line for lines in project["optional-dependencies"].values() for line in lines),
    ]
    declared = {Requirement(line).name for line in wanted}
    sources = packages_distributions()
    for path in (path for part in [*MAY_IMPORT, "tests"] for path in python_files(part)):
        for module in {module.split(".")[0] for module in imports(path)} - OURS - sys.stdlib_module_names:
            names = {name.lower().replace("_", "-") for name in sources.get(module, [module])}
            assert names & declared, f"{path}: pyproject.toml does not declare {module}"


@pytest.mark.parametrize("part", LONGEST)
def test_files_stay_short(part: str) -> None:
    for path in game_files() if part == "games" else python_files(part):
        lines = len(path.read_text().splitlines())
        assert lines <= LONGEST[part], f"{path}: {lines} lines"


def test_tracked_files_name_no_machine_and_no_registry() -> None:
    hosts = ["pypi.org", "pythonhosted.org", "debian.org", "ubuntu.com", "npmjs.org", "npmjs.com", "snapcraft.io"]
    banned = re.compile("|".join([r"/work/(?!flow)", r"/home/\w", r"/root/\w", *map(re.escape, hosts)]))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path == Path(__file__) or not path.is_file():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found = banned.search(text)
        assert not found, f"{name}: {found}"
