"""Set up a board for a test and play on it. Every change goes through `Match.submit`.

    place("R2.7 N4.5", "P7.2", ground="4.6 h, 5.5 W")

The arguments are White's pieces, Black's pieces (capitals are added), and the squares that are not plain without snow,
with the letters of the notation. There are no nomads and no wind unless they are given.
"""

from typing import Any

from endturn.engine.actions import Action
from endturn.engine.match import Match
from endturn.games.notchess import game
from endturn.games.notchess.actions import Attack, EndTurn, Move, Raise, Settle
from endturn.games.notchess.notation import settings_of
from endturn.games.notchess.state import Board, War
from endturn.testing.play import act

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
    """The position of a board. Odd turns are Black's."""
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
    """A match that starts from this board."""
    state: Board = game.parse_position(notation(white, black, **situation))
    return Match(game, settings_of(state), seed=seed, start=state)


def at(match: Match, where: str) -> int:
    """The number of the square named column.row."""
    x, y = map(int, where.split("."))
    return x - 1 + (y - 1) * int(match.state.width)


def settle(match: Match, where: str) -> Settle:
    """Settle a peasant there."""
    return Settle(at(match, where))


def raise_(match: Match, kind: str, where: str) -> Raise:
    """Raise a rook, bishop, knight or ship there."""
    return Raise(War[kind.upper()], at(match, where))


def move(match: Match, here: str, there: str) -> Move:
    """Move a figure from here to there."""
    return Move(at(match, here), at(match, there))


def attack(match: Match, here: str, there: str) -> Attack:
    """Strike from here to there."""
    return Attack(at(match, here), at(match, there))


def may(match: Match, action: Action) -> bool:
    """Whether an action of the seat to act is legal."""
    return match.refuse(match.to_act()[0], action) is None


def pass_turns(match: Match, turns: int) -> None:
    """Pass a number of turns."""
    for _ in range(turns):
        act(match, EndTurn())


def piece(match: Match, where: str) -> int:
    """The number of the piece on a square, or -1."""
    return int(match.state.on[at(match, where)])


def mp(match: Match, where: str) -> int:
    """The movement points of the piece on a square."""
    return int(match.state.mp[piece(match, where)])


def health(match: Match, where: str) -> int:
    """The health of the piece on a square."""
    return int(match.state.health[piece(match, where)])
