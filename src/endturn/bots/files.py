"""Bots from Python files: a class with a method `act`, or a function `act`."""

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from endturn.bots.player import Bot


class BadBot(ValueError):
    """A file that contains no bot. The message names the file and says what it needs."""


def is_file(name: str) -> bool:
    """Whether a bot's name is a file name."""
    return name.endswith(".py")


def load(path: Path) -> Callable[[int], Bot]:
    """What makes the bot of a file, given a seed. The file runs inside this process, with all its permissions."""
    if not path.is_file():
        raise BadBot(f"The bot file {path} does not exist.")
    module = _imported(path)
    if inspect.isfunction(act := getattr(module, "act", None)):
        return lambda seed: FunctionBot(act)
    own = [each for each in vars(module).values() if _is_bot(each) and each.__module__ == module.__name__]
    named = [each for each in own if each.__name__ == "Bot"] or own
    if len(named) != 1:
        found = ", ".join(each.__name__ for each in named) or "none"
        raise BadBot(
            f"{path} needs one class with a method act(self, seen), or a function act(seen). Found: {found}."
        )
    kind = named[0]
    return lambda seed: kind(seed) if _takes_seed(kind) else kind()


class FunctionBot:
    """A bot that is a function."""

    def __init__(self, act: Callable[[Any], Any]) -> None:
        self.act = act


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bot_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadBot(f"{path} failed: {type(error).__name__}: {error}{_line(error, path)}.") from error
    return module


def _line(error: Exception, path: Path) -> str:
    """The line of the file where the error happened."""
    if isinstance(error, SyntaxError):
        return ""
    trace, number = error.__traceback__, None
    while trace is not None:
        number = trace.tb_lineno if trace.tb_frame.f_code.co_filename == str(path) else number
        trace = trace.tb_next
    return f" (line {number})" if number else ""


def _is_bot(value: Any) -> bool:
    return inspect.isclass(value) and callable(getattr(value, "act", None))


def _takes_seed(kind: type) -> bool:
    return len(inspect.signature(kind).parameters) > 0
