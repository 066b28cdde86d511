"""Rules: one source and several backends, nothing compiled at import, a cache that is never in the way."""

import os
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import endturn
import toy_game
import treasure_game as treasure
from endturn.engine import record
from endturn.engine import rule as rules
from endturn.engine.match import Match
from endturn.engine.record import f64, i8, i16, i32, i64
from endturn.engine.rule import BackendMissing, apart, is_rule, kernels, missing, rule, takes_dice

SOURCES = str(Path(endturn.__file__).parents[1])

TINY_RULES = """
from endturn.engine.actions import Action, Actions, Rule
from endturn.engine.game import Game, Rules, Text
from endturn.engine.record import i32, new, record
from endturn.engine.rule import rule
from tiny_steps import stride


@record
class Road:
    walked: i32


class Walk(Action, frozen=True):
    pass


@rule
def walk(road, seat):
    road.walked += stride(road)


@rule
def to_act(road):
    return 1


@rule
def turn(road):
    return road.walked


game = Game(
    name="tiny",
    title="Tiny",
    summary="Walk on.",
    version=1,
    seats=("only",),
    actions=Actions({Walk: Rule(None, walk)}),
    rules=Rules(
        state=Road,
        setup=lambda settings, seed: new(Road),
        to_act=to_act,
        turn=turn,
        outcome=lambda road: None,
        default_action=Walk(),
    ),
    text=Text(refusals={}),
)
"""
TINY_STEPS = """
from endturn.engine.rule import rule

LENGTH = 1


@rule
def stride(road):
    return LENGTH
"""
WALK = """
import tiny_rules
from endturn.engine.match import Match
from endturn.engine.rule import kernels

match = Match(tiny_rules.game, backend="{backend}")
match.submit(0, tiny_rules.Walk())
print(match.state.walked)
if "{backend}" == "compiled":
    print(sum(kernels(tiny_rules.game, "compiled").step_one.stats.cache_hits.values()))
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A folder with a game of two modules, outside the package."""
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "tiny_rules.py").write_text(TINY_RULES)
    (folder / "tiny_steps.py").write_text(TINY_STEPS)
    return folder


def start(program: str, *folders: Path, first: Any = (), **environment: object) -> subprocess.Popen[str]:
    """A fresh Python with the package and some folders to import from."""
    path = os.pathsep.join([SOURCES, *map(str, folders)])
    plain = {"PATH": os.environ["PATH"], "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [*first, sys.executable, "-W", "error", "-c", program],
        env=plain | {key: str(value) for key, value in environment.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> list[str]:
    out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    return out.split("\n")[:-1]


def run(program: str, *folders: Path, **environment: object) -> list[str]:
    return said(start(program, *folders, **environment))


# --- marking ------------------------------------------------------------------------------------------------


def test_rule_decorator_returns_the_same_function():
    def twice(number: int) -> int:
        return 2 * number

    assert rule(twice) is twice and twice(4) == 8
    assert is_rule(twice) and not is_rule(len) and not is_rule(lambda: 0)


def test_apart_marks_a_rule():
    def far(game: Any, steps: int) -> int:
        return 2 * steps

    assert apart(far) is far and is_rule(far) and far(None, 4) == 8


def test_rule_takes_dice_if_its_last_argument_is_dice():
    assert takes_dice(treasure.bet) and not takes_dice(treasure.swim)


# --- backends -----------------------------------------------------------------------------------------------


def test_unknown_backend_error_lists_the_backends():
    assert missing("fortran") == "There is no backend 'fortran'. The backends are plain, compiled, gpu."
    with pytest.raises(BackendMissing, match="fortran"):
        Match(toy_game.game, backend="fortran")


def test_plain_and_compiled_are_available():
    assert missing("plain") is None and missing("compiled") is None


@pytest.mark.skipif(missing("gpu") is None, reason="there is a GPU")
def test_missing_gpu_is_one_clear_error():
    sentence = missing("gpu")
    assert sentence is not None and sentence.startswith("The gpu backend needs ")
    assert sentence.count(". ") == 0
    with pytest.raises(BackendMissing) as caught:
        kernels(toy_game.game, "gpu")
    assert str(caught.value) == sentence


def test_every_backend_has_the_same_entry_points():
    plain, compiled = kernels(treasure.game, "plain"), kernels(treasure.game, "compiled")
    entries = {name for name, made in vars(compiled).items() if hasattr(made, "targetoptions")}
    assert {"step_one", "step_many", "play_many", "option_masks", "observe_many", "replay_rows"} <= entries
    assert entries <= set(vars(plain))


def test_compiled_entries_release_the_lock_and_are_cached():
    compiled = kernels(treasure.game, "compiled")
    entries = [made for made in vars(compiled).values() if hasattr(made, "targetoptions")]
    assert entries and all(entry.targetoptions["nogil"] is True for entry in entries)
    assert all(entry._cache.cache_path is not None for entry in entries)


IMPORTS = """
import sys
import endturn.engine.delta, endturn.engine.dice, endturn.engine.game, endturn.engine.gamelog
import endturn.engine.match, endturn.engine.record, endturn.engine.rule, endturn.bots
from endturn.games import find
from endturn.engine.match import Match

match = Match(find("anarchy"), seed=3)
for when in range(5):
    match.submit(match.to_act()[0], match.random_action(match.to_act()[0], 1, when))
print(len(match.played()))
print([name for name in ("numba", "numba_cuda", "llvmlite", "numpy") if name in sys.modules])
import endturn.engine.batch
print([name for name in ("numba", "numba_cuda", "llvmlite") if name in sys.modules])
"""


def test_plain_play_imports_no_compiler():
    assert run(IMPORTS) == ["5", "[]", "[]"]


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from endturn.engine.gamelog import verify, write
from endturn.engine.batch import Batch
from endturn.engine.match import Match
from endturn.engine.rule import BackendMissing, missing
from endturn.games import find
import toy_game

match = Match(toy_game.game, seed=3)
when = 0
while match.to_act():
    match.submit(match.to_act()[0], match.random_action(match.to_act()[0], 1, when))
    when += 1
print(match.outcome.how, verify(write(match), lambda name: toy_game.game).actions == when)
print(Batch(toy_game.game, 3, backend="plain", pool=1).play(5))
print(missing("compiled"))
print(missing("gpu"))
for backend in "compiled", "gpu":
    try:
        Match(find("anarchy"), backend=backend)
    except BackendMissing as error:
        print(str(error) == missing(backend))
"""


def test_without_numba_plain_works_and_other_backends_name_the_extra():
    played, actions, compiled, gpu, *raised = run(WITHOUT_NUMBA, Path(toy_game.__file__).parent)
    assert (played, actions) == ("goal True", "15")
    assert (
        compiled == "The compiled backend needs Numba, which is not installed: pip install 'endturn[fast]'."
    )
    assert gpu == "The gpu backend needs Numba, which is not installed: pip install 'endturn[gpu]'."
    assert raised == ["True", "True"]


# --- the same results ---------------------------------------------------------------------------------------


class Gear(IntEnum):
    LOW = 1
    HIGH = 3


@record.record
class Part:
    weight: i32
    gear: Gear
    spare: Annotated[list[i8], 3]


@record.record
class Machine:
    total: i64
    heat: f64
    steps: i16
    sign: i16
    parts: Annotated[list[Part], 3]
    grid: Annotated[list[list[i16]], (2, 4)]
    last: i32


@rule
def lighter(machine: Machine, one: int, other: int) -> int:
    return one if machine.parts[one].weight <= machine.parts[other].weight else other


@rule
def work(machine: Machine, a: int, b: int) -> int:
    """Whatever rules do: negative quotients, remainders, shifts, enumerations, nested fields."""
    if b == 0:
        return -1
    machine.total = a // b * 3 - a % b + (a >> 3) ^ (b & 0xFF)
    machine.heat = (machine.heat + a) * 0.5 / b
    machine.steps += 1
    machine.sign = -1 if a < 0 else min(1, a)
    chosen = machine.parts[lighter(machine, abs(a) % 3, abs(b) % 3)]
    chosen.weight += abs(b) * (2 if chosen.gear == Gear.HIGH else 1)
    chosen.gear = Gear.LOW if chosen.gear == Gear.HIGH else Gear.HIGH
    for row in range(2):
        for cell in range(4):
            if cell == a % 4:
                continue
            machine.grid[row][cell] = max(machine.grid[row][cell], (b + cell) % 100 - row)
    return machine.sign


@pytest.fixture(scope="module")
def compiled_work() -> Any:
    numba = pytest.importorskip("numba")
    rules._teach_numba()

    @numba.njit(error_model="numpy")
    def entry(machines, a, b):
        return work(machines[0], a, b)

    return entry


NUMBERS = st.integers(-(1 << 30), 1 << 30) | st.integers(-5, 5)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=6))
def test_compiled_rule_equals_plain_rule(compiled_work, steps):
    plain = record.new(Machine)
    array = numpy.frombuffer(bytearray(record.dump(plain)), record.dtype(Machine))
    for a, b in steps:
        try:
            answer = work(plain, a, b)
        except OverflowError:
            return  # plain has noticed what compiled would wrap
        assert compiled_work(array, a, b) == answer
        assert array.tobytes() == record.dump(plain)


def test_plain_raises_where_compiled_wraps(compiled_work):
    plain = record.new(Machine)
    plain.steps = 32767
    array = numpy.frombuffer(bytearray(record.dump(plain)), record.dtype(Machine))
    assert compiled_work(array, 1, 1) == 1 and array[0]["steps"] == -32768
    with pytest.raises(OverflowError, match=r"Machine\.steps"):
        work(plain, 1, 1)


# --- the cache ----------------------------------------------------------------------------------------------


def test_compiled_code_is_cached_across_processes(tiny, tmp_path):
    first, second = (
        run(WALK.format(backend="compiled"), tiny, ENDTURN_CACHE=tmp_path / "c") for _ in range(2)
    )
    assert first == ["1", "0"] and second == ["1", "1"]


@pytest.mark.parametrize(
    ("file", "before", "after", "walked"),
    [
        ("tiny_steps.py", "LENGTH = 1", "LENGTH = 2", "2"),
        ("tiny_steps.py", "return LENGTH", "return 3 * LENGTH", "3"),
        ("tiny_rules.py", "+= stride(road)", "-= stride(road)", "-1"),
    ],
)
def test_changing_any_file_of_a_game_recompiles(tiny, tmp_path, file, before, after, walked):
    program, cache = WALK.format(backend="compiled"), tmp_path / "cache"
    assert run(program, tiny, ENDTURN_CACHE=cache)[0] == "1"
    source = (tiny / file).read_text()
    assert source.count(before) == 1
    (tiny / file).write_text(source.replace(before, after))
    assert run(WALK.format(backend="plain"), tiny)[0] == walked
    assert run(program, tiny, ENDTURN_CACHE=cache)[0] == walked


def test_two_processes_can_fill_the_same_cache_at_once(tiny, tmp_path):
    program, cache = WALK.format(backend="compiled"), tmp_path / "cache"
    both = [start(program, tiny, ENDTURN_CACHE=cache) for _ in range(2)]
    assert [said(process)[0] for process in both] == ["1", "1"]


def test_rules_compile_without_a_writable_cache(tiny, tmp_path):
    (tmp_path / "file").write_text("in the way of any folder")
    temporary = tmp_path / "tmp"
    strangers = [temporary / f"tiny-{number:016x}" / "notes.txt" for number in range(10)]
    for notes in strangers:
        notes.parent.mkdir(parents=True)
        notes.write_text("not ours")
    blocked = tmp_path / "file" / "cache"
    program = WALK.format(backend="compiled")
    assert run(program, tiny, ENDTURN_CACHE=blocked, HOME=blocked, TMPDIR=temporary)[0] == "1"
    assert all(notes.exists() for notes in strangers)


def bound_by_permissions() -> list[str]:
    """What to put before a command so that it may not write where it is forbidden; root may, otherwise."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("permissions do not bind root")
    return ["setpriv", "--bounding-set", "-dac_override"]


def test_rules_compile_with_a_read_only_cache(tiny, tmp_path):
    program, cache, first = WALK.format(backend="compiled"), tmp_path / "cache", bound_by_permissions()
    assert run(program, tiny, ENDTURN_CACHE=cache)[0] == "1"
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    (tmp_path / "home").mkdir(mode=0o555)
    process = start(program, tiny, first=first, ENDTURN_CACHE=cache, HOME=tmp_path / "home", TMPDIR=tmp_path)
    try:
        assert said(process)[0] == "1"
    finally:
        for folder in folders:
            folder.chmod(0o755)


def test_only_the_latest_few_caches_of_a_game_are_kept(tmp_path):
    folders = [tmp_path / f"tiny-{number:016x}" for number in range(12)]
    for age, folder in enumerate(folders):
        (folder / "__pycache__").mkdir(parents=True)
        (folder / "__pycache__" / "code").write_text("old")
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    other = tmp_path / "pig-0000000000000000"
    other.mkdir()
    rules._forget_old(folders[11], "tiny")
    kept = [folder for folder in folders if folder.exists()]
    assert kept == [*folders[: rules.KEPT_CACHES], folders[11]] and other.exists()


def test_cache_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("ENDTURN_CACHE", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert tmp_path / "mine" in rules.cache_folder().parents
    monkeypatch.delenv("ENDTURN_CACHE")
    assert tmp_path / "xdg" in rules.cache_folder().parents
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tmp_path / "home" / ".cache" in rules.cache_folder().parents


# --- tables of numbers --------------------------------------------------------------------------------------

SQUARES = rules.Table(n * n - 7 for n in range(3000))


@rule
def square(n):
    return SQUARES[n] + 7


def test_table_is_a_tuple_in_python_and_an_array_in_compiled_rules():
    kernels(toy_game.game, "compiled")  # teaches Numba what rules and tables are
    from numba import njit  # noqa: PLC0415

    compiled = njit(lambda n: square(n))
    assert isinstance(SQUARES, tuple) and len(SQUARES) == 3000
    for n in (0, 1, 2, 2999):
        assert compiled(n) == square(n) == n * n


def test_a_table_keeps_32_bits():
    with pytest.raises(OverflowError):
        rules.Table([1 << 31]).tobytes()
    assert rules.Table([-5, 7]).tobytes() == numpy.array([-5, 7], numpy.int32).tobytes()
