"""The bots of Not-Chess. They see only what a player sees."""

from heapq import heappop, heappush

from endturn.bots.player import Seen
from endturn.engine.actions import Action
from endturn.games.notchess.actions import (
    Attack,
    EndTurn,
    Move,
    Raise,
    Settle,
)
from endturn.games.notchess.choices import MOVE_OPTIONS, MOVES_X, MOVES_Y, NEAR_MOVES
from endturn.games.notchess.rules.board import (
    allowance,
    distance,
    is_closed,
    offset,
    owner,
    toll,
)
from endturn.games.notchess.rules.combat import chance_to_hit, refuse_attack
from endturn.games.notchess.rules.moving import refuse_move
from endturn.games.notchess.rules.placing import is_beside_settlement, refuse_place
from endturn.games.notchess.rules.weather import APPEAR, EIGHTH, VANISH
from endturn.games.notchess.state import (
    MONTHS,
    MOVEMENT,
    NOBODY,
    TURNS_A_MONTH,
    Board,
    Climate,
    Kind,
    Terrain,
    War,
)
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import is_in

DIAGONALS = (1, -1), (1, 1), (-1, 1), (-1, -1)
RISK = 0.03  # the chance of drowning before it is ashore that a figure accepts
ICE_RESTS = {Kind.ROOK: 1, Kind.BISHOP: 0, Kind.KNIGHT: 0, Kind.SHIP: 0}  # turns of rest (G3)
CHECKS = 2  # checks of snow and ice between two turns of a seat (W12)
LOST = 8  # turns on ice of a figure that finds no way ashore
CLOSED = 99.0
ARMY = 4  # war figures to have before settling stops


class Chieftain:
    """Settles, raises and marches on the enemy capital by the season's shortest way, leaving ice in time."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, seen: Seen) -> Action:
        """Enter the capital if possible; otherwise place, leave thin ice, strike or march, in this order."""
        camp = Camp(seen.state, seen.seat)
        return camp.entry() or camp.placing() or camp.flee() or camp.strike() or camp.march() or EndTurn()


class Camp:
    """A board as one seat judges it, for one action."""

    def __init__(self, board: Board, seat: int) -> None:
        self.board, self.seat = board, seat
        first = seat * board.per_seat
        self.army = [
            p for p in range(first + board.first[Kind.ROOK], first + board.per_seat) if board.at[p] >= 0
        ]
        enemies = (1 - seat) * board.per_seat
        self.foes = [p for p in range(enemies + 1, enemies + board.per_seat) if board.at[p] >= 0]
        self.home, self.goal = board.capital[seat], board.capital[1 - seat]
        self._ways: dict[int, dict[int, float]] = {}
        self._ashore: dict[int, dict[int, int]] = {}

    def ready(self) -> list[int]:
        """War figures that have not acted and have points, the nearest to the goal first."""
        fresh = [p for p in self.army if self.board.deeds[p] == 0 and self.board.mp[p] > 0]
        return sorted(fresh, key=lambda p: self.way(p, self.board.at[p]))

    def steps(self, piece: int) -> list[int]:
        """The squares that a war figure can move to."""
        board, here = self.board, self.board.at[piece]
        many = NEAR_MOVES if MOVEMENT[board.kind[piece]] == 1 else MOVE_OPTIONS
        squares = (offset(board, here, MOVES_X[option], MOVES_Y[option]) for option in range(many))
        return [to for to in squares if to != OFF_THE_MAP and refuse_move(board, self.seat, here, to) == 0]

    # --- distances in this season ---

    def way(self, piece: int, square: int) -> float:
        """The approximate number of turns from a square to the enemy capital for this kind of piece."""
        kind = self.board.kind[piece]
        if kind not in self._ways:
            self._ways[kind] = self._field(kind)
        return self._ways[kind].get(square, CLOSED)

    def _field(self, kind: int) -> dict[int, float]:
        best, line = {self.goal: 0.0}, [(0.0, self.goal)]
        while line:
            turns, square = heappop(line)
            if turns > best[square]:
                continue
            for dx, dy in DIAGONALS:
                to = offset(self.board, square, dx, dy)
                if to != OFF_THE_MAP:
                    there = turns + self._cost(kind, to)
                    if there < best.get(to, CLOSED):
                        best[to] = there
                        heappush(line, (there, to))
        return best

    def _cost(self, kind: int, square: int) -> float:
        """The turns that a square costs on the way: its toll, pieces on it, ice that may break."""
        if is_closed(self.board, kind, square) or self.risk(kind, square) > RISK:
            return CLOSED
        standing = self.board.on[square]
        barred = 0 if standing == NOBODY else 1 if owner(self.board, standing) == self.seat else 2
        return (
            (1 + toll(self.board, kind, square)) / MOVEMENT[kind]
            + barred
            + 3 * (is_in(self.board.storm, square))
        )

    # --- how long ice holds ---

    def thaw(self, square: int, checks: int = CHECKS) -> float:
        """The chance that a square's ice breaks within a number of checks."""
        board = self.board
        if not self.is_lake(square):
            return 0.0
        if not is_in(board.cover, square):
            return 1.0
        edge = is_in(board.climates[Climate.EDGE_ICE], square)
        holds = 1.0
        for turn in range(board.turn + 1, board.turn + 1 + checks):
            month = month_of(turn, TURNS_A_MONTH, MONTHS)
            appear = APPEAR[Climate.ICE][month] / (EIGHTH if edge else 1)
            holds *= 1 - VANISH[Climate.ICE][month] / 100 * (1 - appear / 100)
        return 1 - holds

    def risk(self, kind: int, square: int, rests: int | None = None) -> float:
        """The chance that ice breaks before a figure on it is ashore; `rests` is given for a figure already there."""
        if not self.is_lake(square):
            return 0.0
        turns = self.ashore(kind).get(square, LOST) + (ICE_RESTS[Kind(kind)] if rests is None else rests)
        return self.thaw(square, CHECKS * turns)

    def ashore(self, kind: int) -> dict[int, int]:
        """By square of ice: the turns until a figure of this kind is on land, if it can act on its next turn."""
        if kind not in self._ashore:
            self._ashore[kind] = self._shores(kind)
        return self._ashore[kind]

    def _shores(self, kind: int) -> dict[int, int]:
        """Search from the shores over free ice: each square costs a step and its rest."""
        board, found = self.board, dict[int, int]()
        line = [s for s in range(board.squares) if self._is_landing(kind, s) and not self.is_lake(s)]
        for here in line:
            turns = found[here] + 1 + ICE_RESTS[Kind(kind)] if here in found else 1
            for dx, dy in DIAGONALS:
                to = offset(board, here, dx, dy)
                if to != OFF_THE_MAP and self.is_lake(to) and to not in found:
                    found[to] = turns
                    line += [to] if self._is_landing(kind, to) else []
        return found

    def is_lake(self, square: int) -> bool:
        """Whether a square is water, with or without ice."""
        return self.board.terrain[square] == Terrain.WATER

    def _is_landing(self, kind: int, square: int) -> bool:
        board = self.board
        free = board.on[square] == NOBODY and not is_in(board.storm, square)
        return free and not is_closed(board, kind, square)

    # --- decisions ---

    def entry(self) -> Action | None:
        """Enter the enemy capital, if possible."""
        for piece in self.ready():
            if refuse_move(self.board, self.seat, self.board.at[piece], self.goal) == 0:
                return Move(self.board.at[piece], self.goal)
        return None

    def placing(self) -> Action | None:
        """At the start of a turn, raise a war figure, or settle a peasant if there is no allowance."""
        if self.board.begun:
            return None
        sites = [s for s in range(self.board.squares) if is_beside_settlement(self.board, self.seat, s)]
        if allowance(self.board, self.seat) > 0:
            return self.raising(sites)
        settles = len(self.army) < ARMY and not self.pressed() and not self.endangered()
        return self.settling(sites) if settles else None

    def raising(self, sites: list[int]) -> Action | None:
        """Raise the kind of figure that reaches the enemy first, on the site nearest to the enemy."""
        board = self.board
        found: list[tuple[float, int, int, int]] = []
        for kind in (Kind.KNIGHT, Kind.ROOK, Kind.BISHOP):
            for square in sites:
                if refuse_place(board, self.seat, kind, square) == 0:
                    piece = self.seat * board.per_seat + board.first[kind]
                    if self.risk(kind, square, 0) <= RISK:
                        found.append((self.way(piece, square), len(found), kind, square))
        if not found or min(found)[0] >= CLOSED:
            return self.settling(sites) if not self.endangered() else None
        _, _, chosen, square = min(found)
        return Raise(War(chosen - Kind.ROOK), square)

    def settling(self, sites: list[int]) -> Action | None:
        """Settle a peasant as near to the enemy as possible, but not next to its war figures."""
        board = self.board
        legal = [square for square in sites if refuse_place(board, self.seat, Kind.PAWN, square) == 0]
        fighters = [board.at[p] for p in self.foes if board.kind[p] >= Kind.ROOK]
        if not legal:
            return None
        return Settle(min(legal, key=lambda s: (self.beside(s, fighters), distance(board, s, self.goal), s)))

    def beside(self, square: int, others: list[int]) -> int:
        """How many of the other squares are at most one step away."""
        return sum(distance(self.board, square, other) < 2 for other in others)

    def pressed(self) -> bool:
        """Whether an enemy war figure is near the seat's capital."""
        board = self.board
        fighters = (p for p in self.foes if board.kind[p] >= Kind.ROOK)
        return any(distance(board, board.at[p], self.home) <= 2 for p in fighters)

    def strike(self) -> Action | None:
        """Strike with the figure whose strike is worth most, if one is worth it."""
        board = self.board
        found: list[tuple[float, int, int]] = []
        for piece in self.army:
            here = board.at[piece]
            for foe in self.foes:
                target = board.at[foe]
                if distance(board, here, target) <= 2 and refuse_attack(board, self.seat, here, target) == 0:
                    found.append((self.gain(piece, foe), here, target))
        best = max(found, default=(0.0, 0, 0))
        return Attack(best[1], best[2]) if best[0] > 0 else None

    def gain(self, piece: int, foe: int) -> float:
        """The value of a strike: 1 for a peasant, 2 for a war figure, more near the seat's capital, minus its cost."""
        board = self.board
        here, target = board.at[piece], board.at[foe]
        fighter = board.kind[foe] >= Kind.ROOK
        worth = 2.0 if fighter else 1.0
        near_home = 3.0 if fighter and distance(board, target, self.home) <= 2 else 0.0
        in_the_way = 1.0 if fighter and distance(board, target, self.goal) <= 2 else 0.0
        kills = board.health[foe] <= 1
        struck_back = fighter and distance(board, here, target) == 1
        loss = (2.0 if board.health[piece] <= 1 else 0.7) if struck_back else 0.0
        chance = chance_to_hit(board, here, target) / 10_000
        return chance * (worth + near_home + in_the_way) * (1.0 if kills else 0.6) - loss

    def endangered(self) -> list[int]:
        """War figures that can still leave ice that may break before they are ashore."""
        board = self.board
        return [p for p in self.ready() if self.risk(board.kind[p], board.at[p], 0) > RISK]

    def flee(self) -> Action | None:
        """Leave thin ice for the square with the lowest risk."""
        for piece in self.endangered():
            here, kind = self.board.at[piece], self.board.kind[piece]
            found = [(self.risk(kind, to), self.way(piece, to), to) for to in self.steps(piece)]
            if found and min(found)[0] < self.risk(kind, here, 0):
                return Move(here, min(found)[2])
        return None

    def march(self) -> Action | None:
        """Move a figure nearer to the enemy capital, over ice only if it will hold."""
        for piece in self.ready():
            here, kind = self.board.at[piece], self.board.kind[piece]
            choices = [(self.way(piece, to), to) for to in self.steps(piece) if self.risk(kind, to) <= RISK]
            if choices and min(choices)[0] < self.way(piece, here):
                return Move(here, min(choices)[1])
        return None
