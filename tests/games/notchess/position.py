"""Sets up a board for a test, and plays on it: every change goes through `Match.submit`.

    place("R2.7 N4.5", "P7.2", ground="4.6 h, 5.5 W")

White's pieces, Black's pieces (kings are there without being named), and squares that are not bare plain: a letter as
in the notation, a capital one with snow or ice. Unless they are given there are no nomads and there is no wind.
"""

from typing import Any

from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Refusal
from endturn.engine.match import Match
from endturn.games.notchess import game
from endturn.games.notchess.actions import Attack, EndTurn, Move, Raise, Settle
from endturn.games.notchess.notation import settings_of
from endturn.games.notchess.state import Board, War

CALM: dict[str, Any] = {"nomads": False, "wind": False}


def notation(
    white: str = "",
    black: str = "",
    *,
    ground: str = "",
    weather: str = "-",
    nomads: str = "-",
    turn: int = 0,
    begun: int = 0,
    wind: str = "0 -",
    **settings: Any,
) -> str:
    """The line of text for a board; a turn that is odd is Black's."""
    chosen = {**CALM, "nomads": nomads != "-", **settings}
    made = game.configure(values=chosen)
    width, height = made.width, made.height
    squares = {(x, y): "p" for y in range(1, height + 1) for x in range(1, width + 1)}
    for said in filter(None, ground.split(",")):
        where, letter = said.split()
        x, y = map(int, where.split("."))
        squares[x, y] = letter
    rows = "/".join("".join(squares[x, y] for x in range(1, width + 1)) for y in range(1, height + 1))
    head = f"notchess {turn} seat {turn % 2} begun {begun} end 0,0,-1 wind {wind} set"
    values = " ".join(f"{name}={str(value).lower()}" for name, value in chosen.items())
    armies = f"K1.{height} {white} | K{width}.1 {black}"
    return f"{head} {values} | {rows} | {armies} | {nomads} | {weather}"


def place(white: str = "", black: str = "", *, seed: int = 0, **situation: Any) -> Match:
    """A match that starts with this board."""
    state: Board = game.parse_position(notation(white, black, **situation))
    return Match(game, settings_of(state), seed=seed, start=state)


def at(match: Match, where: str) -> int:
    """The number of a square that is named column.row."""
    x, y = map(int, where.split("."))
    return x - 1 + (y - 1) * int(match.state.width)


def settle(match: Match, where: str) -> Settle:
    """The action of settling there."""
    return Settle(at(match, where))


def raise_(match: Match, kind: str, where: str) -> Raise:
    """The action of raising a rook, bishop, knight or ship there."""
    return Raise(War[kind.upper()], at(match, where))


def move(match: Match, here: str, there: str) -> Move:
    """The action of moving."""
    return Move(at(match, here), at(match, there))


def attack(match: Match, here: str, there: str) -> Attack:
    """The action of striking."""
    return Attack(at(match, here), at(match, there))


def act(match: Match, *actions: Action) -> None:
    """The seat that is to act does all this, and none of it is refused."""
    for action in actions:
        answer = match.submit(match.to_act()[0], action)
        assert isinstance(answer, Accepted), answer


def refused(match: Match, action: Action, seat: int | None = None) -> Refusal:
    """The refusal of this action, which has not changed a byte."""
    before = match.dump()
    answer = match.submit(match.to_act()[0] if seat is None else seat, action)
    assert isinstance(answer, Refusal), answer
    assert match.dump() == before
    return answer


def may(match: Match, action: Action) -> bool:
    """Whether the seat that is to act may do this."""
    return match.refuse(match.to_act()[0], action) is None


def pass_turns(match: Match, turns: int) -> None:
    """Nobody does anything for so many turns."""
    for _ in range(turns):
        act(match, EndTurn())


def piece(match: Match, where: str) -> int:
    """The number of the piece on a square; -1 where there is none."""
    return int(match.state.on[at(match, where)])


def mp(match: Match, where: str) -> int:
    """The movement points of the piece on a square."""
    return int(match.state.mp[piece(match, where)])


def health(match: Match, where: str) -> int:
    """The health of the piece on a square."""
    return int(match.state.health[piece(match, where)])
