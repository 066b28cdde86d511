"""Many matches in one array, for learning, search and balancing by simulation.

Every match is a row of `states`. A batch starts from a pool of prepared starts and replaces each match that is over.
The same seed gives the same bytes on every backend and with any number of threads.

    batch = Batch(game, 4096, seed=1)
    batch.play(1000)                      # random players take 1000 actions in every match
    rows = batch.choose()                 # or: an action for each match ...
    reasons = batch.step(rows)            # ... and for each, 0 or the number of the broken rule
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from endturn.engine import dice, interleave, record
from endturn.engine.actions import Action
from endturn.engine.game import Game, game_of
from endturn.engine.match import require_seed
from endturn.engine.rule import kernels, require

ROW = 6  # seat, verb, a, b, c, d
POOL = 64
BLOCK = 64  # threads of a GPU block; measured, see bench/RESULTS.md


class Arrays(NamedTuple):
    """A batch as its loops take it; each array has one entry per match, except the pool."""

    games: Any  # the states
    words: Any  # the same memory as rows of integers
    seeds: Any
    pool: Any  # prepared starts, as words
    ended: Any  # how many matches have ended in each place


class Batch:
    """Matches side by side, all of one game and one layout.

    Compiled rules compile at their first use, without printing anything: about ten seconds for a game. Later processes
    load them from a cache.
    """

    def __init__(
        self,
        game: str | Game,
        games: int,
        settings: Any = None,
        *,
        seed: int = 0,
        backend: str = "compiled",
        threads: int = 1,
        pool: int = POOL,
    ) -> None:
        """Prepare `pool` starts. `game` may be a name. Raises ValueError if an argument is wrong."""
        game = game_of(game)
        require_seed(seed)
        for name, number in (("games", games), ("threads", threads), ("pool", pool)):
            if type(number) is not int or number < 1:
                raise ValueError(f"{name} must be an integer from 1, not {number!r}")
        require(
            "compiled" if not game.storage.compiles else backend, game
        )  # states in one array have one size
        self.game, self.games, self.backend, self.threads = game, games, backend, threads
        self.settings = game.chosen(settings)
        self.luck = dice.another(seed, 1) >> 1  # below 2**63, to fit a signed 64-bit number
        self._kernels = kernels(game, backend)
        starts = [game.rules.setup(self.settings, dice.another(seed, 2 + i)) for i in range(pool)]
        self.layout: Any = _common_layout(starts)
        self.pool: Any = self._many(starts)
        self.states: Any = self._empty()
        self._words: Any = words_of(self.states)
        self._starts: Any = words_of(self.pool)
        self.seeds: Any = self._zeros()
        self.ended: Any = self._zeros()  # how many matches have ended in each place
        self.actions = 0  # taken so far in each match
        self.reset()

    def reset(self) -> None:
        """Start every match again."""
        self.actions = 0
        self.ended = self._zeros()
        self._share(self._kernels.begin_many, self._arrays(), self.luck, 0)

    def play(self, steps: int) -> int:
        """Random players take `steps` actions in every match. Returns the number of actions in all."""
        self._share(self._kernels.play_many, self._arrays(), self.luck, self.actions, steps)
        self.actions += steps
        return steps * self.games

    def step(self, rows: NDArray[np.int32], restart: bool = True) -> NDArray[np.int32]:
        """Play one action in every match (verb -1: none). Returns 0 or the number of the broken rule for each."""
        reasons = np.zeros(self.games, np.int32)
        self._share(self._kernels.step_many, self._arrays(), self.fitted(rows, ROW), reasons)
        self.actions += 1
        if restart:
            self.restart()
        return reasons

    def restart(self) -> None:
        """Replace every match that is over."""
        self._share(self._kernels.restart_many, self._arrays(), self.luck, self.actions)

    def choose(self) -> NDArray[np.int32]:
        """A random legal action for the first seat to act in each match, as rows."""
        rows = np.zeros((self.games, ROW), np.int32)
        self._share(self._kernels.choose_many, self.states, self.luck, self.actions, rows)
        return rows

    def rows(self, actions: Iterable[tuple[int, Action]]) -> NDArray[np.int32]:
        """Seats and actions as the rows that `step` takes."""
        return np.array([(seat, *self.game.actions.pack(action)) for seat, action in actions], np.int32)

    def to_act(self) -> NDArray[np.int64]:
        """The seats to act in each match: one bit per seat, 0 if it is over."""
        waiting = np.zeros(self.games, np.int64)
        self._share(self._kernels.waiting_many, self.states, waiting)
        return waiting

    def piece_masks(self, seats: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The pieces that have a legal action, for each match."""
        masks = np.zeros((self.games, self._widest(self.game.choices.pieces)), np.bool_)
        self._share(self._kernels.piece_masks, self.states, self.fitted(seats), masks)
        return masks

    def option_masks(self, seats: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The legal options of the chosen piece, for each match."""
        masks = np.zeros((self.games, self._widest(self.game.choices.option_count)), np.bool_)
        self._share(self._kernels.option_masks, self.states, self.fitted(seats), self.fitted(chosen), masks)
        return masks

    def observations(self, seats: NDArray[np.int64]) -> NDArray[np.int16]:
        """The seat's observation in each match."""
        if self.game.knowledge.observation_size is None:
            raise TypeError(f"{self.game.title} has no observations: it defines no `observe`.")
        out = np.zeros((self.games, self._widest(self.game.knowledge.observation_size)), np.int16)
        self._share(self._kernels.observe_many, self.states, self.fitted(seats), out)
        return out

    def rows_of_actions(self, rows: NDArray[np.int32]) -> list[Action | None]:
        """The actions that rows stand for; None for a negative verb."""
        return [self.game.actions.unpack([int(n) for n in row[1:]]) if row[1] >= 0 else None for row in rows]

    def dump(self) -> bytes:
        """The bytes of all states."""
        if self.backend == "plain":
            return b"".join(record.dump(state) for state in self.states)
        return bytes(self.states.tobytes())

    def state(self, i: int) -> Any:
        """A copy of match i as a plain record."""
        if self.backend == "plain":
            return record.copy(self.states[i])
        return record.load(self.layout, self.states[i : i + 1].tobytes())

    # --- inside ---

    def _arrays(self) -> Arrays:
        return Arrays(self.states, self._words, self.seeds, self._starts, self.ended)

    def _many(self, starts: list[Any]) -> Any:
        if self.backend == "plain":
            return [record.load(self.layout, _fitted(start, self.layout)) for start in starts]
        joined = bytearray(b"".join(_fitted(start, self.layout) for start in starts))
        return np.frombuffer(joined, record.dtype(self.layout))

    def _empty(self) -> Any:
        return [None] * self.games if self.backend == "plain" else np.zeros(self.games, self.pool.dtype)

    def _zeros(self) -> Any:
        # Plain rules need Python's integers: NumPy's would wrap, with a warning.
        return [0] * self.games if self.backend == "plain" else np.zeros(self.games, np.int64)

    def _widest(self, count: Callable[[Any], int]) -> int:
        return max(count(self._plain_start(k)) for k in range(len(self.pool)))

    def _plain_start(self, k: int) -> Any:
        return (
            self.pool[k]
            if self.backend == "plain"
            else record.load(self.layout, self.pool[k : k + 1].tobytes())
        )

    def fitted(self, values: NDArray[Any], *width: int) -> NDArray[Any]:
        """The values, if there is one per match: compiled loops would read past the end without an error."""
        shape = (self.games, *width)
        if not isinstance(values, np.ndarray):
            raise ValueError(f"expected a NumPy array of shape {shape}, not {type(values).__name__}")
        if values.shape != shape:
            raise ValueError(f"expected shape {shape}, one entry per match, not {values.shape}")
        return values

    def _share(self, run: Callable[..., None], *arguments: Any) -> None:
        """Run a loop over all matches, divided among the threads; compiled loops release Python's lock."""
        if self.threads == 1:
            run(*arguments, 0, self.games)
            return
        edges = [self.games * part // self.threads for part in range(self.threads + 1)]
        with ThreadPoolExecutor(self.threads) as workers:
            parts = [workers.submit(run, *arguments, a, b) for a, b in zip(edges, edges[1:], strict=False)]
            for part in parts:
                part.result()


def words_of(states: Any) -> Any:
    """The same memory as rows of the widest integers that fit; a plain list stays as it is."""
    if isinstance(states, list):
        return states
    width = next(size for size in (8, 4, 2, 1) if states.itemsize % size == 0)
    return states.view(f"i{width}").reshape(len(states), -1)


def _common_layout(starts: list[Any]) -> Any:
    """The largest layout among the starts; all fit into it."""
    kinds: list[Any] = [type(start) for start in starts]
    return max(kinds, key=lambda kind: record.layout(kind).size)


def _fitted(start: Any, layout: Any) -> bytes:
    return record.dump(start) if type(start) is layout else record.dump(record.refit(start, layout))


class DeviceBatch:
    """A batch in the memory of a GPU, one thread per match. Starts with the states of the batch it is made from."""

    def __init__(self, batch: Batch, block: int = BLOCK) -> None:
        if block < interleave.GROUP or block % interleave.GROUP:
            raise ValueError(
                f"block must be a multiple of {interleave.GROUP}, not {block}: so many threads work together"
            )
        self._kernels = kernels(batch.game, "gpu")
        from numba import cuda  # noqa: PLC0415  (optional)

        self.batch, self.block, self._cuda = batch, block, cuda
        self.blocks = -(-batch.games // block)
        self.memory = cuda.to_device(interleave.interleaved(batch.layout, batch.states))
        self.pool = cuda.to_device(batch.pool)
        self.seeds = cuda.to_device(batch.seeds)
        self.ended = cuda.to_device(batch.ended)

    def play(self, steps: int) -> int:
        """Random players take `steps` actions in every match. Returns the number of actions in all."""
        batch = self.batch
        run = self._kernels.play_gpu[self.blocks, self.block]
        run(self.memory, self.seeds, self.pool, self.ended, batch.luck, batch.actions, steps)
        self.ended.copy_to_host(batch.ended)
        if stuck := int((batch.ended < 0).sum()):
            raise RuntimeError(
                f"{stuck} of {batch.games} matches are stuck. Discard the GPU's states; this is a bug in a rule."
            )
        batch.actions += steps
        return steps * batch.games

    def step(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Play one action in every match. Returns 0 or the number of the broken rule for each."""
        reasons = self._cuda.to_device(np.zeros(self.batch.games, np.int32))
        run = self._kernels.step_gpu[self.blocks, self.block]
        sent = self._cuda.to_device(self.batch.fitted(rows, ROW))
        run(self.memory, self.seeds, self.pool, sent, reasons)
        self.batch.actions += 1
        made: NDArray[np.int32] = reasons.copy_to_host()
        return made

    def fetch(self) -> Batch:
        """Copy the states back into the batch, and return it."""
        interleave.in_rows(self.memory.copy_to_host(), self.batch.states)
        self.seeds.copy_to_host(self.batch.seeds)
        return self.batch
