"""BulletTime: real-time mini-games under a clock that the experimenter controls.

What a library user imports, and the root of the `bullettime` command. Everything is loaded on first use.
"""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

__version__ = "0.1.0"

_HERE = Path(__file__).resolve().parent
_FACE = {
    "BulletTimeEnv": "harness.integrations.gym",
    "Client": "harness.wire.client",
    "Session": "harness.session",
}
_PARTS = ("games", "clock", "oracles", "harness", "audit", "configs")


class Command(NamedTuple):
    """Where a sub-command lives and the line that `--help` shows for it.

    The function has the command's name, with _ for -, and a _ behind it where it would hide a builtin.
    """

    module: str
    line: str


COMMANDS = {
    "games": Command("harness.gallery", "List the games, or make contact sheets of them"),
    "play": Command("harness.play", "Play a game yourself"),
    "run": Command("harness.runner", "Run agents over configurations and seeds"),
    "sweep": Command("harness.sweep", "Sweep a grid of conditions, for days if need be"),
    "merge": Command("harness.sweep", "Put runs together, as those of several machines"),
    "report": Command("harness.results.report", "Write a run's report anew, also while it is going on"),
    "record": Command("harness.record", "Film an episode"),
    "replay": Command("harness.replay", "Show a recorded episode again"),
    "submit": Command("harness.bundle", "Pack a run into one file that anyone can verify"),
    "verify": Command("harness.replay", "Re-simulate recorded episodes and confirm their verdicts"),
    "audit": Command("audit.command", "Hold games to what they claim, by running them"),
    "certify": Command("audit.certify", "Prove seeds solvable and write the games' certificates"),
    "bench": Command("harness.bench", "Measure speed on this machine"),
    "serve": Command("harness.wire.server", "Serve sessions to agents over the network"),
    "open": Command("harness.wire.shell", "Open a session for look, act and close"),
    "look": Command("harness.wire.shell", "Save what an open session shows now"),
    "act": Command("harness.wire.shell", "Act in an open session: act 'click 400 300; wait 200'"),
    "close": Command("harness.wire.shell", "End an open session and print its verdict"),
    "demos": Command("harness.integrations.demos", "Write what oracles see and do as a dataset for training"),
    "mcp": Command("harness.integrations.mcp", "Serve the tools open, look, act and close over MCP"),
    "openenv": Command("harness.integrations.openenv", "Serve sessions to clients of OpenEnv"),
    "doctor": Command("harness.doctor", "Check this machine, and say how to mend what is missing"),
    "test": Command("harness.testing", "Run the project's own checks (in a clone)"),
    "new-game": Command("harness.skeleton", "Start the files of a new game"),
}


def __getattr__(name: str) -> Any:
    if name not in _FACE:
        raise AttributeError(f"module 'bullettime' has no attribute {name!r}")
    return getattr(_load(_FACE[name]), name)


def register() -> None:
    """Register every game with Gymnasium: `gymnasium.make("bullettime/SomeGame-v0", level=3)`.

    Importing this module does it where Gymnasium is imported already, so `make("bullettime:bullettime/…")` needs no
    call. Raises ImportError without the extra `gymnasium`.
    """
    gymnasium = importlib.import_module("gymnasium")
    for name in _load("games").names():
        environment = f"bullettime/{''.join(word.title() for word in name.split('_'))}-v0"
        if environment not in gymnasium.registry:
            gymnasium.register(environment, "harness.integrations.gym:BulletTimeEnv", kwargs={"game": name})


def main() -> None:
    """Run the command line on sys.argv; always ends in SystemExit.

    Status 2: what the user can mend, told on stderr without a traceback unless BULLETTIME_DEBUG=1.
    Status 130: interrupted.
    """
    try:
        _command_line()(prog_name="bullettime")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("BULLETTIME_DEBUG") == "1" or not _mendable(error):
            raise
        mend = getattr(error, "mend", "")
        print(f"bullettime: {error}" + (f"\n  {mend}" if mend else ""), file=sys.stderr)
        sys.exit(2)


def command(name: str) -> Any:
    """The command of that name as typer runs it, its module imported. Raises KeyError, ImportError."""
    typer = importlib.import_module("typer")
    module = _load(COMMANDS[name].module)
    function = name.replace("-", "_")
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(getattr(module, function, None) or getattr(module, function + "_"))
    return typer.main.get_command(app)


def _command_line() -> Callable[..., None]:
    typer = importlib.import_module("typer")

    class Lazy(importlib.import_module("typer.core").TyperGroup):  # type: ignore[misc]
        """Holds a stub with its line of help for each command; the real one is put there when called."""

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args[0] in self.commands:
                self.commands[args[0]] = command(args[0])
            return super().resolve_command(ctx, args)

    def add_games(folder: Path | None) -> None:
        if folder:
            os.environ["BULLETTIME_GAMES_DIR"] = str(folder)

    def show_version(wanted: bool) -> None:
        if wanted:
            print(f"bullettime {__version__}")
            raise typer.Exit

    games_dir = typer.Option(
        metavar="DIR",
        help="Use the games of this folder too: DIR/games/<family>/<game>.py",
        exists=True,
        file_okay=False,
        resolve_path=True,
        callback=add_games,
    )
    version = typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=show_version)

    def root(games_dir: Annotated[Path | None, games_dir] = None, version: Annotated[bool, version] = False) -> None:
        """Real-time mini-games with controllable time, to tell slow agents from unable ones."""

    app = typer.Typer(
        name="bullettime",
        cls=Lazy,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(root)
    for name, place in COMMANDS.items():
        if _HERE.joinpath(place.module.replace(".", "/") + ".py").exists():
            app.command(name, help=place.line)(lambda: None)
    return app


class _Hidden(ImportError):
    """A folder or module of the user's has the name of a part of BulletTime and comes first on sys.path."""


def _mendable(error: Exception) -> bool:
    kinds: list[Any] = [_Hidden]
    for module, kind in (("harness.errors", "UserError"), ("games", "UnknownGame")):
        if module in sys.modules:
            kinds.append(getattr(sys.modules[module], kind))
    return isinstance(error, tuple(kinds))


def _load(module: str) -> Any:
    for part in _PARTS:
        spec = importlib.util.find_spec(part)
        found = Path(spec.origin).resolve() if spec and spec.origin else None
        if found and found != _HERE / part / "__init__.py":
            raise _Hidden(
                f"{found} hides BulletTime's own package {part!r}: rename it, start Python elsewhere, "
                f"or put {_HERE} first on sys.path"
            )
    return importlib.import_module(module)


if "gymnasium" in sys.modules:  # the command line never waits for it
    register()

if __name__ == "__main__":
    main()
