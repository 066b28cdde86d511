"""Rules: one source, three backends.

`@rule` marks a plain function over records and integers and leaves it unchanged: called from Python, it runs as
written, with breakpoints and coverage. When Numba meets it in a kernel, it becomes a compiled function there, and on
a GPU a device function. Nothing compiles at import.

`kernels(game, backend)` joins a game's rules and the loops of `loops.py` into one module of entry points. For
`compiled`, that module is a file in a cache folder named after a hash of every source it depends on, because Numba
itself would not notice a change in a rule that an entry point calls.
"""

import hashlib
import importlib.util
import inspect
import os
import re
import sys
import tempfile
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from importlib import metadata
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from endturn.engine import interleave

if TYPE_CHECKING:
    from endturn.engine.game import Game

F = TypeVar("F", bound=Callable[..., Any])

BACKENDS = "plain", "compiled", "gpu"
COMPILE = "nogil=True, error_model='numpy'"
COPY_INTO = """@rule
def copy_into(words, i, pool, k):
    for word in range(words.shape[1]):
        words[i, word] = pool[k, word]
"""
NUMBERED_CHOICES = """

@rule
def options(game):
    return len(CHOICES)


@rule
def action_of(game, piece, option):
    return CHOICES[option]
"""
# In LLVM's assembly language: a function definition up to its attributes.
DEFINED = re.compile(r"^(define (?!.*alwaysinline).*\))", re.MULTILINE)
KEPT_CACHES = 6  # folders per game; older ones belong to older sources


class BackendMissing(RuntimeError):
    """The backend cannot run here. The message says what to install."""


def rule(function: F) -> F:
    """Mark a function as a rule: it takes fixed-size records and numbers, and returns numbers or nothing."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def is_rule(function: Any) -> bool:
    """Whether a function is a rule."""
    return getattr(function, "is_rule", False) is True


def apart(function: F) -> F:
    """Mark a rule that GPUs never inline, because it is long and either has several callers or is rarely called.

    A GPU waits for instructions as it does for memory: the less code there is in a loop, the faster the loop runs.
    """
    function.is_apart = True  # type: ignore[attr-defined]
    return rule(function)


class Table(tuple[int, ...]):
    """Numbers below 2**31 that rules look up: a tuple in Python, an array in constant memory in compiled code.

    A plain tuple is fine for up to a dozen numbers; Numba compiles a branch for each of its entries.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """What Numba reads from a constant array: its bytes, shape and strides."""
        if name.startswith("_"):
            raise AttributeError(name)
        import numpy  # noqa: PLC0415  (slow to import, and not needed for plain rules)

        return getattr(numpy.array(self, numpy.int32), name)


def missing(backend: str, game: "Game | None" = None) -> str | None:
    """Why a backend cannot run here, or cannot run a game, in one sentence; None if it can."""
    if backend not in BACKENDS:
        return f"There is no backend {backend!r}. The backends are {', '.join(BACKENDS)}."
    if game is not None and not game.storage.compiles and backend != "plain":
        return f"{game.title} runs only on the plain backend, because its state grows."
    if backend != "plain" and importlib.util.find_spec("numba") is None:
        extra = "fast" if backend == "compiled" else "gpu"
        return f"The {backend} backend needs Numba, which is not installed: pip install 'endturn[{extra}]'."
    return _missing_gpu() if backend == "gpu" else None


def _missing_gpu() -> str | None:
    if importlib.util.find_spec("numba_cuda") is None:
        return "The gpu backend needs numba-cuda, which is not installed: pip install 'endturn[gpu]'."
    from numba import cuda  # noqa: PLC0415  (optional, and slow to import)

    return (
        None if cuda.is_available() else "The gpu backend needs an NVIDIA GPU and its driver, but found none."
    )


def require(backend: str, game: "Game | None" = None) -> None:
    """Raise BackendMissing unless the backend can run here, and can run the game."""
    if sentence := missing(backend, game):
        raise BackendMissing(sentence)


@cache
def _teach_numba() -> None:
    """Make Numba compile a rule when another rule or an entry point calls it."""
    from numba import njit, types  # noqa: PLC0415
    from numba.core.typing.typeof import typeof_impl  # noqa: PLC0415

    def wide(kind: Any) -> Any:
        # Otherwise Numba compiles a rule again for each constant and each width of number it is called with.
        kind = types.unliteral(kind)
        if isinstance(kind, types.UniTuple | types.Tuple):
            return types.BaseTuple.from_types([wide(part) for part in kind])
        whole = kind in types.signed_domain or isinstance(kind, types.IntEnumMember)
        return types.int64 if whole else kind

    @cache
    def compiled(function: FunctionType) -> Any:
        # Only entry points are called from Python, so a rule needs no wrappers and no machine code of its own.
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        made = njit(nogil=True, error_model="numpy", pipeline_class=_rule_compiler(), **wrappers)(function)
        version_for = made.get_call_template

        def one_version(args: Any, kws: Any) -> Any:
            return version_for(tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()})

        made.get_call_template = one_version
        return made

    @typeof_impl.register(FunctionType)
    def _(function: FunctionType, _context: Any) -> Any:
        return types.Dispatcher(compiled(function)) if is_rule(function) else None

    @typeof_impl.register(Table)
    def _(table: Table, _context: Any) -> Any:
        return types.Array(types.int32, 1, "C", readonly=True)


@cache
def _rule_compiler() -> Any:
    """Numba's compiler for rules, which leaves optimisation and machine code to the entry points that call them.

    Numba optimises every function together with all the functions it calls, and makes machine code of the result. An
    entry point is optimised as a whole anyway, so doing it for each rule doubles the time of a first compile.
    """
    from numba.core.codegen import JITCodeLibrary  # noqa: PLC0415
    from numba.core.compiler import Compiler  # noqa: PLC0415

    class Part(JITCodeLibrary):
        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0  # what Numba gives for a function without a wrapper

        @property
        def codegen(self) -> Any:
            return _WithoutEnvironment

    class RuleCompiler(Compiler):
        def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
            super().__init__(typingctx, targetctx, Part(targetctx.codegen(), "rule"), *rest)

    return RuleCompiler


class _WithoutEnvironment:
    """Takes the constants that Numba keeps for Python objects in a function: a rule has none."""

    @staticmethod
    def set_env(name: str, env: Any) -> None:
        if env.consts:
            raise TypeError(f"{name} is a rule and uses a Python object, so it cannot be compiled")


@cache
def _teach_cuda() -> None:
    """The same for numba-cuda, which has its own table of types."""
    from numba import cuda  # noqa: PLC0415
    from numba.cuda import types  # noqa: PLC0415
    from numba.cuda.typing.typeof import typeof_impl  # noqa: PLC0415

    def wide(kind: Any) -> Any:
        # As for the CPU: one version of a rule for all constants and widths of numbers.
        kind = types.unliteral(kind)
        if isinstance(kind, types.UniTuple | types.Tuple):
            return types.BaseTuple.from_types([wide(part) for part in kind])
        return types.int64 if kind in types.signed_domain else kind

    @cache
    def device(function: FunctionType) -> Any:
        made = cuda.jit(device=True)(function)
        version_for, compiled = made.get_call_template, made.compile_device

        def one_version(args: Any, kws: Any) -> Any:
            return version_for(tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()})

        def kept_apart(args: Any, return_type: Any = None) -> Any:
            version = compiled(args, return_type)
            for part in version.library._module.functions:
                if not part.is_declaration:
                    part.attributes.add("noinline")
            return version

        made.get_call_template = one_version
        if getattr(function, "is_apart", False):
            made.compile_device = kept_apart
        return made

    # To a rule, an IntEnum value is a number. numba-cuda refuses it as an index and in tuples with numbers.
    types.IntEnumClass.member_type = property(lambda kind: kind.dtype)
    typeof_impl.register(IntEnum)(lambda value, _context: types.int64)

    @typeof_impl.register(FunctionType)
    def _(function: FunctionType, _context: Any) -> Any:
        return device(function)._numba_type_ if is_rule(function) else None

    @typeof_impl.register(Table)
    def _(table: Table, _context: Any) -> Any:
        return types.Array(types.int32, 1, "C", readonly=True)


@cache
def _tell_the_gpu_compiler() -> None:
    """Switch off fused multiply-add on the GPU, so that `a * b + c` rounds twice, as on a CPU, and ask for small code:
    with less code to fetch, every game but Anarchy is a quarter to a half faster (bench/RESULTS.md).

    numba-cuda has no options for this, so its compiler is wrapped here. Only this compiler optimises: kernels are
    linked with `lto=False`, because the linker's options cannot be set.
    """
    from numba.cuda.cudadrv import nvvm  # noqa: PLC0415

    compile_ir = nvvm.compile_ir

    def compile_small(modules: Any, **options: Any) -> Any:
        texts = [modules] if isinstance(modules, str) else modules
        return compile_ir([DEFINED.sub(r"\1 minsize", text) for text in texts], fma=False, **options)

    nvvm.compile_ir = compile_small


# --- the module of entry points of a game and a backend -----------------------------------------------------


@cache
def kernels(game: "Game", backend: str) -> ModuleType:
    """The entry points of `loops.py` for this game: step_one, step_many, play_many, replay_rows and so on."""
    require(backend, game)
    if backend != "plain":
        _teach_numba()
    if backend == "gpu":
        import numpy  # noqa: PLC0415

        if not hasattr(numpy, "row_stack"):  # numba-cuda 0.30 uses it, NumPy 2.5 has removed it
            numpy.row_stack = numpy.vstack
        _teach_cuda()
        _tell_the_gpu_compiler()
        interleave.teach("cuda")
    return _load(game, backend, _source(game, backend))


def _source(game: "Game", backend: str) -> str:
    """The text of the module: a header, the game's rules under fixed names, then the loops."""
    fallback = "" if game.choices.random_action else "random_action = any_action\n"
    gpu = _loops("gpu_loops.py") if backend == "gpu" else ""
    return "\n".join([_header(backend), _rules(game), _loops("loops.py"), fallback, gpu])


def _header(backend: str) -> str:
    common = "from endturn.engine.dice import below, philox\nfrom endturn.engine.rule import rule\n"
    if backend == "plain":
        return common + (
            "from endturn.engine.record import copy\n\n\ndef entry(function):\n    return function\n\n\n"
            "def copy_into(games, i, pool, k):\n    games[i] = copy(pool[k])\n"
        )
    return common + f"from numba import njit\n\nentry = njit(cache=True, {COMPILE})\n\n\n" + COPY_INTO


def _loops(file: str) -> str:
    return (Path(__file__).parent / file).read_text().split("# --- the loops ---", 1)[1]


def _imported(function: Callable[..., Any], name: str) -> str:
    return f"from {function.__module__} import {function.__qualname__} as {name}"


def _rules(game: "Game") -> str:
    """Import the game's functions, and write the functions that dispatch on the verb."""
    choices = game.choices
    named = {
        "to_act": game.rules.to_act,
        "turn_of": game.rules.turn,
        "pieces": choices.pieces,
        "options": choices.options,
        "action_of": choices.action_of,
        "is_idle": choices.is_idle,
        "random_action": choices.random_action,
        "observe": game.knowledge.observe,
        "preview": game.knowledge.preview,
    }
    lines = [_imported(function, name) for name, function in named.items() if function is not None]
    for verb, act in enumerate(game.actions.values()):
        lines.append(_imported(act.apply, f"apply_{verb}"))
        if act.refuse is not None:
            lines.append(_imported(act.refuse, f"refuse_{verb}"))
    if choices.action_of is None:
        lines += ["", f"CHOICES = {choices.every!r}", NUMBERED_CHOICES]
    lines += [
        "",
        f"SEATS = {game.seat_count}",
        "",
        *_refuse(game),
        "",
        *_ends_turn(game),
        "",
        *_perform(game, "perform_within", False),
        "",
        *_perform(game, "perform_ending", True),
        "",
    ]
    return "\n".join(lines)


def _refuse(game: "Game") -> list[str]:
    anytime = [str(verb) for verb, act in enumerate(game.actions.values()) if act.anytime]
    exempt = "".join(f" and verb != {verb}" for verb in anytime)
    lines = [
        "@rule",
        "def refuse(game, seat, action):",
        "    verb, a, b, c, d = action",
        "    waiting = to_act(game)",
        "    if waiting == 0:",
        "        return 1",
        f"    if seat < 0 or seat >= SEATS or ((waiting >> seat) & 1 == 0{exempt}):",
        "        return 2",
    ]
    for verb, (kind, act) in enumerate(game.actions.items()):
        fields = ", ".join("abcd"[: len(kind.__struct_fields__)])
        lines.append(f"    if verb == {verb}:")
        if limits := game.actions.limits(kind):
            named = zip("abcd", limits, strict=False)
            sayable = " and ".join(f"{low} <= {name} <= {high}" for name, (low, high) in named)
            lines += [f"        if not ({sayable}):", "            return 3"]
        lines.append(
            f"        return refuse_{verb}({_arguments(fields)})" if act.refuse else "        return 0"
        )
    return [*lines, "    return 3"]


def _perform(game: "Game", name: str, ending: bool) -> list[str]:
    """The function for verbs that end a turn, or for the others; separate, so that no loop contains both."""
    lines = ["@rule", f"def {name}(game, seat, action, dice):", "    verb, a, b, c, d = action"]
    for verb, (kind, act) in enumerate(game.actions.items()):
        if act.ends_turn == ending:
            fields = ", ".join("abcd"[: len(kind.__struct_fields__)])
            dice = ", dice" if takes_dice(act.apply) else ""
            lines.append(f"    {'el' if len(lines) > 3 else ''}if verb == {verb}:")
            lines.append(f"        apply_{verb}({_arguments(fields)}{dice})")
    return lines


def _ends_turn(game: "Game") -> list[str]:
    ending = [f"verb == {verb}" for verb, act in enumerate(game.actions.values()) if act.ends_turn]
    return ["@rule", "def ends_turn(verb):", f"    return {' or '.join(ending) or 'False'}"]


def _arguments(fields: str) -> str:
    return f"game, seat, {fields}" if fields else "game, seat"


def takes_dice(function: Callable[..., Any]) -> bool:
    """Whether a rule rolls dice: its last argument is called `dice`."""
    return list(inspect.signature(function).parameters)[-1] == "dice"


def _load(game: "Game", backend: str, source: str) -> ModuleType:
    name = game.name
    if backend == "plain":
        made = ModuleType(f"endturn_kernels_{name}_plain")
        exec(compile(source, f"<plain kernels of {name}>", "exec"), made.__dict__)
        return made
    file = _write_once(
        cache_folder() / f"{name}-{_fingerprint(game, source)}" / f"{backend}_kernels.py", source
    )
    _forget_old(file.parent, name)
    title = f"endturn_kernels_{name}_{backend}"
    spec = importlib.util.spec_from_file_location(title, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[title] = module  # Numba looks up its cache by the name of the module
    spec.loader.exec_module(module)
    return module


def cache_folder() -> Path:
    """The folder for compiled rules: in $ENDTURN_CACHE, or in the user's cache folder."""
    chosen = os.environ.get("ENDTURN_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = Path(chosen) if chosen else Path.home() / ".cache"
    return folder / "endturn" / "kernels"


def _fingerprint(game: "Game", source: str) -> str:
    """A hash of all that compiled code depends on: the sources of the rules and the versions of the compilers."""
    mark = hashlib.sha256(source.encode())
    for file in sorted(_files_of(game)):
        mark.update(file.read_bytes())
    for package in ("numba", "numpy", "llvmlite"):
        mark.update(metadata.version(package).encode())
    return mark.hexdigest()[:16]


def _files_of(game: "Game") -> set[Path]:
    """The engine, the mechanisms, and all files in a folder with a rule of this game."""
    package = Path(__file__).parents[1]
    files = {file for folder in ("engine", "mechanisms") for file in (package / folder).glob("*.py")}
    parts = game.rules, game.choices, game.knowledge
    rules = [value for part in parts for value in vars(part).values() if is_rule(value)]
    rules += [part for act in game.actions.values() for part in (act.refuse, act.apply) if part is not None]
    for folder in {Path(inspect.getsourcefile(part) or "").parent for part in rules}:
        files |= set(folder.glob("*.py"))
    return files


def _write_once(file: Path, source: str) -> Path:
    """Write a file completely or not at all; in a temporary folder if the cache is not writable."""
    if file.exists() and os.access(file.parent, os.W_OK):  # Numba caches its code next to the file
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, suffix=".part") as out:
            out.write(source)
        os.replace(out.name, file)
        return file
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="endturn-kernels-"))
        return _write_once(folder / file.parent.name / file.name, source)


def _forget_old(kept: Path, name: str) -> None:
    folders = sorted(kept.parent.glob(f"{name}-*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in [f for f in folders if f != kept][KEPT_CACHES:]:
        for file in sorted(folder.rglob("*"), reverse=True):
            file.rmdir() if file.is_dir() else file.unlink(missing_ok=True)
        folder.rmdir()
