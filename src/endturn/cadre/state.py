"""The complete state of a match as clients see it.

A state is one dictionary: the game's attributes, among them `gameObjects` with every object by id. Anywhere else an
object is a reference, {"id": "7"}.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from endturn.cadre.table import Dialect, Era, Verdict, Wire


class SessionFacts(NamedTuple):
    """What the wire shows of a session besides the game."""

    id: str
    names: tuple[str, ...]
    client_types: tuple[str, ...]
    clocks: list[float]  # ns left, by seat
    time_added: int  # ns per turn
    notes: dict[str, list[str]]  # object id -> messages that clients logged to it
    unused: Mapping[str, Any] = {}  # values chosen for settings that do nothing


@cache
def id_of(number: int) -> str:
    """The id of the object with this number. All sessions share one string, which keeps lookups in the CPU cache."""
    return str(number)


@cache
def ids_from(first: int, count: int) -> tuple[str, ...]:
    """The ids of `count` consecutive objects."""
    return tuple(id_of(first + number) for number in range(count))


@cache
def reference(number: int) -> Wire:
    """A reference to the object with this number. It is shared: do not change it."""
    return {"id": id_of(number)}


def find_object(said: Any, objects: Mapping[str, Wire]) -> Wire | None:
    """The object that a reference names, if there is one."""
    if type(said) is not dict or len(said) != 1 or "id" not in said:
        return None
    name = said["id"]
    return objects.get(name if isinstance(name, str) else f"{name!r:.20}")


def wire(
    dialect: Dialect,
    state: Any,
    era: Era,
    session: SessionFacts,
    verdict: Verdict | None,
    before: Wire | None = None,
    settled: bool = False,
) -> Wire:
    """The complete state. `before` is what clients saw last; `settled` says that a turn has ended or begun since."""
    if before is None or dialect.carry_on is None:
        made = dialect.write(state, era)
    else:
        made = dialect.carry_on(state, era, before, settled)
    made["players"] = [reference(seat) for seat in range(len(session.names))]
    made["session"] = session.id
    made |= {name: value for name, value in session.unused.items() if name in made}
    if era == "2022":
        made["timeAddedPerTurn"] = session.time_added
    objects = made["gameObjects"]
    for seat in range(len(session.names)):
        objects[str(seat)] = {**objects[str(seat)], **player_part(seat, session, verdict)}
    for number, each in objects.items():
        each["logs"] = session.notes.get(number, [])
    return made


def player_part(seat: int, session: SessionFacts, verdict: Verdict | None) -> Wire:
    """The attributes that players have in every game."""
    won = verdict is not None and verdict.winner == seat
    lost = verdict is not None and verdict.winner != seat
    return {
        "clientType": session.client_types[seat],
        "lost": lost,
        "name": session.names[seat],
        "opponent": reference(1 - seat),
        "reasonLost": verdict.lost if verdict and lost else "",
        "reasonWon": verdict.won if verdict and won else "",
        "timeRemaining": session.clocks[seat],
        "won": won,
        "gameObjectName": "Player",
        "id": id_of(seat),
    }


def session_of(state: Wire) -> SessionFacts:
    """The facts about a session in a complete state."""
    players = players_of(state)
    if state["players"] != [reference(0), reference(1)]:
        raise ValueError("its players are not 0 and 1")
    return SessionFacts(
        state["session"],
        tuple(player["name"] for player in players),
        tuple(player["clientType"] for player in players),
        [player["timeRemaining"] for player in players],
        state.get("timeAddedPerTurn", 0),
        {number: list(each["logs"]) for number, each in state["gameObjects"].items() if each["logs"]},
    )


def players_of(state: Wire) -> list[Wire]:
    """The player objects of a state, by seat; ValueError if they are missing."""
    try:
        players = [state["gameObjects"][each["id"]] for each in state["players"]]
    except (KeyError, TypeError):
        players = []
    if not players or not all(isinstance(player, dict) for player in players):
        raise ValueError("its players are missing")
    return players


# --- players who left ---------------------------------------------------------------------------------------


def verdict_on_leaving(era: Era, winner: int, timed_out: bool) -> Verdict:
    """The verdict when the other player has timed out or disconnected."""
    lost = "Timed out during gameplay." if timed_out and era == "2017" else "Disconnected during gameplay."
    return Verdict(winner, f"All other players {'timed out' if timed_out else 'disconnected'}.", lost)


def leaver_of(state: Wire) -> tuple[int, str] | None:
    """The seat that has left, with "timed out" or "disconnected", if a state shows one."""
    players = players_of(state)
    reasons = [str(player.get("reasonLost")) + str(player.get("reasonWon")) for player in players]
    for seat, player in enumerate(players):
        if player.get("lost") and " during gameplay." in reasons[seat]:
            return seat, "timed out" if "imed out" in "".join(reasons) else "disconnected"
    return None
