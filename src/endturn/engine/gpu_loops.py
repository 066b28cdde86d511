"""The loops that run on a GPU, one thread a match. A text like `loops.py`, set behind it for the gpu backend.

memory   the states, interleaved (see `interleave.py`)
pool     prepared starts, as a row of records

Kernels are linked without optimising again (`lto=False`): that is up to 1.4 times faster, and lets `rule` switch
fused multiply-add off. It is said through `partial`, as `@cuda.jit(lto=False)` forgets it (numba-cuda 0.30).
"""

from functools import partial
from typing import Any

from numba import cuda

from endturn.engine.interleave import copy_share, deck

chosen_start: Any
ends_turn: Any
first_seat: Any
new_seed: Any
perform_ending: Any
perform_within: Any
random_action: Any
rule: Any
submit: Any
to_act: Any
SEAT, VERB, A, B, C, D = 0, 1, 2, 3, 4, 5

# --- the loops ---

from functools import partial  # noqa: E402,F811

from numba import cuda  # noqa: E402,F811

from endturn.engine.interleave import copy_share, deck  # noqa: E402,F811

EVERYONE, LANES = 0xFFFFFFFF, 32
STUCK = -(1 << 62)  # of a match that did not go on
REGISTERS = (
    64  # fewer than the compiler would like: more threads at once hide more waiting (bench/RESULTS.md)
)


@partial(cuda.jit, lto=False, max_registers=REGISTERS)
def play_gpu(memory, matches, seeds, pool, luck, begin, steps, ended):
    """`play_many`, a thread a match. All threads of a group stay to the end, and go in step: in a round each that is
    not done plays to the end of a turn, or until it is time. A barrier stands before whatever is long: a compiler
    brings threads that went different ways together only where all ways meet, and each would do the long work alone.

    A round plays at least one action in every match that is not done. Where one is not after `steps` rounds all the
    same, its count of ended matches says so: a kernel that goes on for ever could not be stopped.
    """
    i = cuda.grid(1)
    games = deck(memory, pool)
    when, until = begin, begin + steps if i < matches else begin
    for _ in range(steps):
        cuda.syncwarp()
        if not cuda.any_sync(EVERYONE, when < until):
            break
        over = when < until and to_act(games[i]) == 0
        start = 0
        if over:
            ended[i] += 1
            seeds[i] = new_seed(i, luck, when)
            start = chosen_start(pool, i, luck, when)
        begin_together(games, pool, i, start, cuda.ballot_sync(EVERYONE, over) & EVERYONE)
        seat, verb, a, b, c, d = 0, -1, 0, 0, 0, 0
        acts = when < until
        while cuda.any_sync(EVERYONE, acts):
            if acts:
                seat = first_seat(to_act(games[i]))
                verb, a, b, c, d = random_action(games[i], seat, luck + i, when)
                when += 1
            cuda.syncwarp()
            if acts and not ends_turn(verb):
                perform_within(games[i], seat, verb, a, b, c, d, seeds[i])
            cuda.syncwarp()
            acts = acts and when < until and not ends_turn(verb) and to_act(games[i]) != 0
        if ends_turn(verb):
            perform_ending(games[i], seat, verb, a, b, c, d, seeds[i])
    if when < until:
        ended[i] = STUCK


@cuda.jit(device=True)
def begin_together(games, pool, i, start, waiting):
    """The threads of a group copy the new matches of those among them that need one, each its share."""
    cuda.syncwarp()  # what a thread has written to its old match comes before what others write there
    while waiting:
        lane = cuda.ffs(waiting) - 1
        waiting &= waiting - 1
        to = cuda.shfl_sync(EVERYONE, i, lane)
        copy_share(games, to, pool[cuda.shfl_sync(EVERYONE, start, lane)], cuda.laneid, LANES)
    cuda.syncwarp()


@partial(cuda.jit, lto=False)
def step_gpu(memory, matches, seeds, pool, rows, reasons):
    """`step_many`, a thread a match."""
    i = cuda.grid(1)
    if i < matches and rows[i, VERB] >= 0:
        a, b, c, d = rows[i, A], rows[i, B], rows[i, C], rows[i, D]
        reasons[i] = submit(deck(memory, pool)[i], rows[i, SEAT], rows[i, VERB], a, b, c, d, seeds[i])
