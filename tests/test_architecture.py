"""Imports point downwards, as ARCHITECTURE.md draws them; games do not know one another; the style's numbers hold."""

import ast
from pathlib import Path
from statistics import median

import pytest

from endturn.games import GAMES

PACKAGE = Path(__file__).parents[1] / "src" / "endturn"
LAYERS = (
    "engine",
    "mechanisms protocol archive",
    "bots testing",
    "games",
    "cadre api compiling",
    "server learn arena",
    "cli",
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names.split()}
BELOW_CADRE = "engine", "mechanisms", "bots", "testing", "games"
FILES = sorted(PACKAGE.rglob("*.py"))
GAME_FILES = {
    "README.md",
    "__init__.py",
    "state.py",
    "actions.py",
    "refusals.py",
    "rules.py",
    "setup.py",
    "choices.py",
    "view.py",
    "view_types.py",
    "text.py",
    "notation.py",
    "bots.py",
}
CALL = "numbers of an action; a tuple makes a call from Python 0.25 us slower (engine/loops.py)"
LONG_PARAMETER_LISTS = {
    ("engine/loops.py", "step_one"): CALL,
    ("engine/loops.py", "refuse_one"): CALL,
    (
        "games/anarchy/view.py",
        "building",
    ): "one number per column; `rows` passes them by position, a cache keys on them",
    ("server/lobby.py", "create"): "what a new match is made of; all but the game have defaults",
    ("server/room.py", "__init__"): "what a room is wired to; one caller",
}
# What several games have, each in its own words: no module imports two games.
OF_EACH_GAME = {
    *("About", "Attack", "Decision", "EndTurn", "Ending", "Kind", "Move", "Settings", "Terrain"),
    *("City", "CityView", "UnitView", "WalkPreview", "World", "WorldView"),
}
MEANS_TWO_THINGS = {
    "GamelogWriter": "of Cadre's gamelogs, and of ours",
    "Ready": "an action of Snowball Fight, and a message",
    "Settings": "the settings of each game extend those of the engine",
}
IMPURE = {"socket", "asyncio", "time", "datetime", "threading", "multiprocessing", "subprocess", "random"}


def ours(file: Path) -> set[tuple[str, ...]]:
    """What a file imports of our own, as paths below the package: ("games", "anarchy")."""
    paths = (tuple(name.split(".")[1:3]) for name in imported(file) if name.startswith("endturn."))
    return {path for path in paths if path != ("__version__",)}


def imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def functions(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(file.read_text())
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def named(file: Path) -> str:
    return str(file.relative_to(PACKAGE))


@pytest.mark.parametrize("file", [f for f in FILES if f.parent != PACKAGE or f.stem in LEVEL], ids=named)
def test_imports_point_downwards(file):
    here = file.relative_to(PACKAGE).with_suffix("").parts
    for there in ours(file):
        if there[0] != here[0]:
            assert LEVEL[there[0]] < LEVEL[here[0]], f"{'/'.join(here)} may not import {'.'.join(there)}"
        elif here[0] == "games" and here[1] != "__init__":
            assert there[1] == here[1], f"{here[1]} may not import another game, {there[1]}"


@pytest.mark.parametrize("file", sorted((PACKAGE / "engine").glob("*.py")), ids=named)
def test_the_engine_knows_no_sockets_clocks_or_processes(file):
    assert not {name.split(".")[0] for name in imported(file)} & IMPURE


@pytest.mark.parametrize(
    "file", [PACKAGE / "server" / f"{n}.py" for n in ("history", "live_match")], ids=named
)
def test_a_live_match_knows_no_tasks_sockets_or_database(file):
    assert not {name.split(".")[0] for name in imported(file)} & (IMPURE | {"sqlalchemy"})
    assert not [path for path in ours(file) if path[0] == "archive"]


@pytest.mark.parametrize(
    "file", [f for f in FILES if f.relative_to(PACKAGE).parts[0] in BELOW_CADRE], ids=named
)
def test_nothing_below_cadre_mentions_it(file):
    assert "cadre" not in file.read_text().lower()


@pytest.mark.parametrize("folder", [PACKAGE / "games" / name for name in GAMES], ids=named)
def test_every_game_has_the_same_files(folder):
    found = {entry.name for entry in folder.iterdir()} - {"__pycache__", "DEVELOPING.md"}
    names = {
        f"{name}.py" if "." not in name else name for name in found
    }  # what grows long is a folder instead
    pages = "".join(page.read_text() for page in folder.glob("*.md"))
    documented = {
        name
        for name in names - GAME_FILES
        if f"`{name}`" in pages or f"`{name.removesuffix('.py')}/`" in pages
    }
    assert names == GAME_FILES | documented


@pytest.mark.parametrize("file", FILES, ids=named)
def test_every_module_begins_with_a_sentence(file):
    sentence = ast.get_docstring(ast.parse(file.read_text()))
    assert sentence and "." in sentence


@pytest.mark.parametrize("file", FILES, ids=named)
def test_files_and_functions_stay_short(file):
    assert file.read_text().count("\n") <= 600
    for function in functions(file):
        size = function.end_lineno - function.lineno + 1
        assert size <= 60, f"{function.name} has {size} lines"


def test_the_median_function_is_short():
    sizes = sorted(f.end_lineno - f.lineno + 1 for file in FILES for f in functions(file))
    assert median(sizes) <= 7 and sizes[int(len(sizes) * 0.95)] <= 40


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    taken = function.args
    names = [each.arg for each in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function is a command, whose parameters Typer reads as options."""
    return any("app.command" in ast.unparse(decorator) for decorator in function.decorator_list)


@pytest.mark.parametrize("file", FILES, ids=named)
def test_functions_have_at_most_seven_parameters(file):
    for function in functions(file):
        if (named(file), function.name) not in LONG_PARAMETER_LISTS and not is_command(function):
            assert parameters(function) <= 7, f"{function.name}: pass records"


def test_a_class_name_means_one_thing():
    places: dict[str, set[str]] = {}
    for file in FILES:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef):
                shared = node.name in OF_EACH_GAME and named(file).startswith("games/")
                places.setdefault(node.name, set()).add("games" if shared else named(file))
    for name, files in places.items():
        assert len(files) == 1 or name in MEANS_TWO_THINGS, f"{name} is defined in {', '.join(sorted(files))}"


@pytest.mark.parametrize("word", ["utils", "helpers", "helper", "manager", "base", "common"])
def test_no_file_has_a_name_that_says_nothing(word):
    assert not [named(file) for file in FILES if file.stem == word]


def of_room(node):
    """Whether an expression is an attribute of a room: `room.x`, `self.room.x`."""
    owner = node.value if isinstance(node, ast.Attribute) else None
    name = getattr(owner, "id", getattr(owner, "attr", ""))
    return name.lstrip("_") == "room"


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "server" / "transports").rglob("*.py")), ids=lambda path: path.stem
)
def test_transport_does_not_reach_through_a_room(path):
    touched = [node for node in ast.walk(ast.parse(path.read_text())) if of_room(node)]
    assert not [node.attr for node in touched if node.attr in ("live", "observers", "on_change", "clock")]
    assert not [node.attr for node in touched if not isinstance(node.ctx, ast.Load)]
