"""endturn: a turn-based strategy arena.

    import endturn

    match = endturn.play("anarchy", "arsonist", "random", seed=7)
    print(match.outcome)
    endturn.save(match, "match.jsonl.gz")

These names are the public API. Other modules may change without notice; docs/python.md explains all of it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from endturn.api import (
        Accepted,
        Batch,
        Game,
        Malformed,
        Match,
        Outcome,
        Refusal,
        Seen,
        game,
        games,
        load,
        play,
        save,
    )

__version__ = "0.1.0"
__all__ = [
    "Accepted",
    "Batch",
    "Game",
    "Malformed",
    "Match",
    "Outcome",
    "Refusal",
    "Seen",
    "game",
    "games",
    "load",
    "play",
    "save",
]


def __getattr__(name: str) -> Any:
    # Importing the API takes longer than `endturn --help`, so it waits until someone asks for a name.
    if name not in __all__:
        raise AttributeError(f"module 'endturn' has no attribute {name!r}")
    if name == "games":  # the package, which can be called
        import endturn.games as package  # noqa: PLC0415

        return package
    from endturn import api  # noqa: PLC0415

    return getattr(api, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
