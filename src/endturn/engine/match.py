"""One match: `Match.submit` is the only way its state changes."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from endturn.engine import dice, record
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game, Outcome, game_of
from endturn.engine.rule import kernels
from endturn.engine.words import Names, Words

SEED_LIMIT = 1 << 64
SPARSE = 8  # entries between two dumps of a state that grows


class Acted(msgspec.Struct, frozen=True, gc=False):
    """In the log: a seat's action."""

    seat: int
    action: Action


class Undone(msgspec.Struct, frozen=True, gc=False):
    """In the log: a seat took back its last action."""

    seat: int


class TurnBegan(msgspec.Struct, frozen=True, gc=False):
    """In the log: a turn's number, and the checksum of the state at its start."""

    turn: int
    state: str


Entry = Acted | Undone | TurnBegan


class Length(NamedTuple):
    """The turns of a match, and its actions except those undone."""

    turns: int
    actions: int

    def __str__(self) -> str:
        """In words."""
        return f"{_counted(self.turns, 'turn')}, {_counted(self.actions, 'action')}"


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """A moment to which a match can go back."""

    data: bytes  # the state, or an earlier one
    dumped_at: int  # the length of the log when `data` was the state
    length: int  # the length of the log
    noted: int | None
    turn_start: bytes


def _counted(many: int, what: str) -> str:
    return f"{many} {what}" if many == 1 else f"{many} {what}s"


class Match:
    """A game in progress or finished."""

    def __init__(
        self,
        game: str | Game,
        settings: Any = None,
        *,
        seed: int = 0,
        players: Iterable[str] = (),
        backend: str = "plain",
        start: Any = None,
    ) -> None:
        """Set up a match from a seed, or from a given start state, such as a position that was read.

        `game` may be a name. `settings` comes from `Game.configure`, or is a dictionary of those that differ from the
        defaults. Raises LookupError if there is no such game, and ValueError if anything else is wrong.
        """
        require_seed(seed)
        game = game_of(game)
        self.settings = game.chosen(settings)
        game = game.seated(self.settings)
        self.game, self.seed, self.backend = game, seed, backend
        self.players = tuple(players) or game.seats
        if len(self.players) != game.seat_count:
            raise ValueError(f"{game.title} has {game.seat_count} seats, not {len(self.players)} players")
        self.names: Names | None = None  # what refusals call seats and things
        self.custom_start = start is not None
        begin = game.storage.copy(start) if start is not None else game.rules.setup(self.settings, seed)
        self._kernels, self._dice = kernels(game, backend), signed(seed)
        self.layout: Any = type(begin)
        self._window: Any = None
        self._standing: tuple[tuple[int, ...], int] | None = None  # who is to act, and the turn
        self._games = self._hold(begin)
        self.log: list[Entry] = []
        self._noted: int | None = None  # the last turn in the log
        self.first = self.dump()  # the bytes of the start
        # For snapshots of a growing state: its bytes, and the length of the log when they were taken.
        self._dumped, self._dumped_at = self.first, 0
        self._note_turn()

    # --- looking ---

    @property
    def state(self) -> Any:
        """The whole state, as a plain record. Only `submit` may change it."""
        return self._games[0] if self.backend == "plain" else self.game.storage.load(self.layout, self.dump())

    @property
    def glance(self) -> Any:
        """The state, to read from without copying it from compiled rules. It changes with the match."""
        if self._window is None:
            import numpy  # noqa: PLC0415

            data = memoryview(self._games.view(numpy.uint8))
            self._window = record.window(self.layout, data)
        return self._window

    def dump(self) -> bytes:
        """The state's bytes."""
        return self.game.storage.dump(self._games[0]) if self.backend == "plain" else self._games.tobytes()

    def changed(self, since: record.Watched) -> dict[str, list[int]]:
        """The entries of each field that differ from those last seen."""
        if self.backend == "plain":
            return since.differences(self.dump())
        return since.differences(self._games, self._kernels.differing)

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return (self._standing or self._look())[1]

    def to_act(self) -> tuple[int, ...]:
        """The seats that are to act; empty when the match is over."""
        return (self._standing or self._look())[0]

    def _look(self) -> tuple[tuple[int, ...], int]:
        """The seats to act, and the turn; cached, because callers ask far more often than they change."""
        waiting, turn = self._kernels.waiting_one(self._games, 0)
        self._standing = made = seats_in(int(waiting)), int(turn)
        return made

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None until then."""
        return self.game.rules.outcome(self.state)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat may know; None is a spectator. Raises ValueError if there is no such seat."""
        if seat is not None:
            self._require_seat(seat)
        view: dict[str, Any] = self.game.knowledge.view(self.state, seat)
        return view

    def legal(self, seat: int, piece: int | None = None) -> Iterator[Action]:
        """A seat's legal actions, of one piece or of all. Raises ValueError if there is no such seat."""
        self._require_seat(seat)
        return self.game.legal(self.state, seat, kernels(self.game, "plain").refuse, piece)

    def random_action(self, seat: int, luck: int, when: int) -> Action:
        """A random legal action; the caller passes a seed and a count. Raises ValueError if there is none."""
        self._require_seat(seat)
        row = self._kernels.random_one(self._games, 0, seat, signed(luck), when)
        if row[0] < 0:
            raise ValueError(f"seat {seat} has no legal action now")
        return self.game.actions.unpack(row)

    def preview(self, seat: int) -> list[int]:
        """Previews of a seat's next action, as the game's numbers. Nothing changes."""
        if self.game.knowledge.preview_size is None:
            raise TypeError(f"{self.game.title} has no previews: it defines no `preview`.")
        self._require_seat(seat)
        numbers = self._numbers(self.game.knowledge.preview_size(self.state))
        self._kernels.preview_one(self._games, 0, seat, numbers)
        return [int(number) for number in numbers]

    # --- playing ---

    def refuse(self, seat: int, said: object) -> Refusal | Malformed | None:
        """The refusal that an action would get; None if it is legal. Nothing changes."""
        action, row = self._understand(seat, said)
        if isinstance(action, Malformed):
            return action
        reason = self._kernels.refuse_one(self._games, 0, seat, *row)
        return self._refusal(seat, action, reason) if reason else None

    def submit(self, seat: int, said: object) -> Accepted | Refusal | Malformed:
        """Play one action, or refuse it. Nothing else changes the state of a match."""
        action, row = self._understand(seat, said)
        if isinstance(action, Malformed):
            return action
        reason = self._kernels.step_one(self._games, 0, seat, *row, self._dice)
        return self._refusal(seat, action, reason) if reason else self._accept(seat, action)

    def submit_for_now(
        self, seat: int, said: object
    ) -> tuple[Accepted | Refusal | Malformed, Snapshot | None]:
        """`submit`, with a snapshot from before if the action was played. A fault in the rules changes nothing.

        The snapshot is taken after the action was found legal, so a refused action costs none.
        """
        action, row = self._understand(seat, said)
        if isinstance(action, Malformed):
            return action, None
        reason = self._kernels.refuse_one(self._games, 0, seat, *row)
        if reason:
            return self._refusal(seat, action, reason), None
        before = self.snapshot()
        try:
            self._kernels.step_one(self._games, 0, seat, *row, self._dice)
            return self._accept(seat, action), before
        except Exception:
            self.restore(before)
            raise

    def _accept(self, seat: int, action: Action) -> Accepted:
        self._standing = None
        self.log.append(Acted(seat, action))
        return Accepted(self._note_turn())

    def change_backend(self, backend: str) -> None:
        """Continue with the same state on another backend."""
        if backend != self.backend:
            made = kernels(self.game, backend)
            state = self.state
            self.backend, self._kernels = backend, made
            self._games = self._hold(state)

    def undo(self, seat: int) -> Accepted | Refusal:
        """Undo the seat's last action, unless it rolled dice, showed hidden facts, or another seat acted since."""
        acts = self._this_turn()
        if not self.to_act():
            return Refusal("undo", "The match is over, so nothing can be undone.")
        if self.game.actions.any_hidden and self.to_act() != (seat,):
            # Any other answer could reveal whether another seat has acted.
            return Refusal("undo", "Nothing can be undone while another seat may act in secret.")
        if not acts:
            return Refusal("undo", "There is nothing to undo: the turn has just begun.")
        *before, last = acts
        if last.seat != seat:
            return Refusal(
                "undo", "The last action was another seat's. You can undo only your own last action."
            )
        if not self.game.actions.can_be_undone(type(last.action)):
            return Refusal(
                "undo", f"{_name(last.action)} cannot be undone: it rolled dice or showed hidden facts."
            )
        self._restore(self._turn_start)
        self._play_again(before)
        self.log.append(Undone(seat))
        self._dumped, self._dumped_at = self.dump(), len(self.log)
        return Accepted(self.turn)

    # --- going back ---

    def snapshot(self) -> Snapshot:
        """This moment, for `restore` and `as_of`; taken before each action that may not last.

        A record is copied as bytes. Dumping a state that grows takes a millisecond or more, so its snapshots share
        bytes, and going back replays the few actions since then.
        """
        length = len(self.log)
        if self.game.storage.compiles:
            return Snapshot(self.dump(), length, length, self._noted, self._turn_start)
        if length - self._dumped_at >= SPARSE:
            self._dumped, self._dumped_at = self.dump(), length
        return Snapshot(self._dumped, self._dumped_at, length, self._noted, self._turn_start)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot and forget everything since."""
        del self.log[snapshot.length :]
        self._go_back(snapshot)

    def as_of(self, snapshot: Snapshot) -> "Match":
        """An independent match as it was at a snapshot of this one."""
        made = copy.copy(self)
        made.log = self.log[: snapshot.length]
        made._go_back(snapshot)
        return made

    def _go_back(self, snapshot: Snapshot) -> None:
        self._dumped, self._dumped_at = snapshot.data, snapshot.dumped_at
        self._noted, self._turn_start = snapshot.noted, snapshot.turn_start
        self._restore(snapshot.data)
        self._play_again(entry for entry in self.log[snapshot.dumped_at :] if isinstance(entry, Acted))

    def _play_again(self, acts: Iterable[Acted]) -> None:
        for entry in acts:
            self._kernels.step_one(
                self._games, 0, entry.seat, *self.game.actions.pack(entry.action), self._dice
            )
        self._standing = None

    def known_length(self, seat: int) -> int:
        """How many entries of the log a seat may know of."""
        if not self.game.actions.any_hidden:
            return len(self.log)
        return sum(not isinstance(entry, Acted) or self.may_know(seat, entry) for entry in self.log)

    def may_know(self, seat: int | None, entry: Acted) -> bool:
        """Whether a seat may know of this action."""
        return entry.seat == seat or not self.game.actions[type(entry.action)].hidden

    def imagine(self, seed: int) -> "Match":
        """An independent copy with other dice, for bots that look ahead."""
        return Match(
            self.game, self.settings, seed=seed, players=self.players, backend=self.backend, start=self.state
        )

    def restarted(self, players: Iterable[str] = ()) -> "Match":
        """The same match at its start, optionally with other players, without the cost of setting it up."""
        start = self.game.storage.load(self.layout, self.first)
        made = Match(
            self.game,
            self.settings,
            seed=self.seed,
            players=tuple(players) or self.players,
            backend=self.backend,
            start=start,
        )
        made.custom_start, made.names = self.custom_start, self.names
        return made

    def played(self) -> list[Acted]:
        """The actions, except those undone."""
        made: list[Acted] = []
        for entry in self.log:
            if isinstance(entry, Acted):
                made.append(entry)
            elif isinstance(entry, Undone):
                made.pop()
        return made

    def length(self) -> Length:
        """The length of the match, without a turn that began after its end."""
        begun = sum(isinstance(entry, TurnBegan) for entry in self.log)
        over = not self.to_act() and isinstance(self.log[-1], TurnBegan)
        return Length(begun - over, len(self.played()))

    # --- inside ---

    def _require_seat(self, seat: int) -> None:
        if seat not in range(self.game.seat_count):
            raise ValueError(f"seat must be a number from 0 to {self.game.seat_count - 1}, not {seat!r:.40}")

    def _understand(self, seat: object, said: Any) -> tuple[Action | Malformed, Sequence[int]]:
        """The action, and its numbers."""
        game = self.game
        if type(seat) is not int or not 0 <= seat < game.seat_count:
            # The seat is not quoted: Python refuses to print a very long number.
            return Malformed(f"Seat must be a number from 0 to {game.seat_count - 1}."), ()
        if (row := game.actions.row_of(said)) is not None:
            return said, row
        action = game.actions.parse(said)
        return action, () if isinstance(action, Malformed) else game.actions.pack(action)

    def _refusal(self, seat: int, action: Action, reason: int) -> Refusal:
        said, words = self.game.text.refusals[reason], self.game.text.words(self.glance, seat, action)
        if self.names is not None and isinstance(words, Words):
            words.names = self.names
        return Refusal(said.rule, said.reason.format_map(words))

    def _note_turn(self) -> int:
        turn = self.turn
        if turn != self._noted:
            self._noted = turn
            self._turn_start = self.dump()
            self.log.append(TurnBegan(turn, record.digest(self._turn_start)))
            self._dumped, self._dumped_at = self._turn_start, len(self.log)
        return turn

    def _this_turn(self) -> list[Acted]:
        began = max(i for i, entry in enumerate(self.log) if isinstance(entry, TurnBegan))
        made: list[Acted] = []
        for entry in self.log[began + 1 :]:
            if isinstance(entry, Acted):
                made.append(entry)
            else:
                made.pop()
        return made

    def _hold(self, state: Any) -> Any:
        """The state in the form that the backend's kernels take."""
        self._standing = None
        self._window = state if self.backend == "plain" else None
        if self.backend == "plain":
            return [state]
        import numpy  # noqa: PLC0415  (slow to import, and not needed for plain rules)

        return numpy.frombuffer(bytearray(record.dump(state)), dtype=record.dtype(self.layout))

    def _numbers(self, count: int) -> Any:
        """Room for numbers, as the backend's kernels take it."""
        if self.backend == "plain":
            return [0] * count
        import numpy  # noqa: PLC0415  (slow to import, and not needed for plain rules)

        return numpy.zeros(count, numpy.int64)

    def _restore(self, data: bytes) -> None:
        self._games = self._hold(self.game.storage.load(self.layout, data))


@cache
def seats_in(bits: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def require_seed(seed: object) -> None:
    """Raise ValueError if this is not a seed."""
    if type(seed) is not int or not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed must be an integer from 0 to 2**64 - 1, not {seed!r}")


def signed(seed: int) -> int:
    """A 64-bit seed as compiled code takes it; the bits are the same."""
    return seed - SEED_LIMIT if seed >= SEED_LIMIT >> 1 else seed


def _name(action: Action) -> str:
    return type(action).__name__


def derived_seed(seed: int, number: int) -> int:
    """A seed for a bot or for a match of a series; it reveals nothing about the match's own dice."""
    return dice.another(seed, number)
