"""The loops that run on a GPU, one thread per match. For the gpu backend, `rule` appends this text to `loops.py`.

memory   the states, interleaved (see `interleave.py`)
pool     prepared starts, as an array of records

`lto=False` links kernels without optimising them again, which is up to 1.4 times faster and lets `rule` switch off
fused multiply-add. `partial` passes it because `@cuda.jit(lto=False)` ignores it (numba-cuda 0.30).
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
split: Any
VERB = 1

# --- the loops ---

from functools import partial  # noqa: E402,F811

from numba import cuda  # noqa: E402,F811

from endturn.engine.interleave import copy_share, deck  # noqa: E402,F811

EVERYONE, LANES = 0xFFFFFFFF, 32
STUCK = -(1 << 62)  # marks a match that did not finish its steps
REGISTERS = 64  # fewer than the compiler asks for: more threads at once hide more latency (bench/RESULTS.md)


@partial(cuda.jit, lto=False, max_registers=REGISTERS)
def play_gpu(memory, seeds, pool, ended, luck, begin, steps):
    """`play_many`, one thread per match. The threads of a group stay in step until all are done: in each round, every
    thread that is not done plays to the end of a turn, or until it has taken its steps. A barrier precedes all long
    work: the compiler rejoins threads that branched only where all branches meet, and until then each thread would do
    the long work alone.

    A round plays at least one action in every match that is not done. A match that is still not done after `steps`
    rounds is marked as stuck in `ended`, because a kernel that never ends cannot be stopped.
    """
    i = cuda.grid(1)
    games = deck(memory, pool)
    when, until = begin, begin + steps if i < len(seeds) else begin
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
        seat, action = 0, (-1, 0, 0, 0, 0)
        acts = when < until
        while cuda.any_sync(EVERYONE, acts):
            if acts:
                seat = first_seat(to_act(games[i]))
                verb, a, b, c, d = random_action(games[i], seat, luck + i, when)
                action = verb, a, b, c, d
                when += 1
            cuda.syncwarp()
            if acts and not ends_turn(action[0]):
                perform_within(games[i], seat, action, seeds[i])
            cuda.syncwarp()
            acts = acts and when < until and not ends_turn(action[0]) and to_act(games[i]) != 0
        if ends_turn(action[0]):
            perform_ending(games[i], seat, action, seeds[i])
    if when < until:
        ended[i] = STUCK


@cuda.jit(device=True)
def begin_together(games, pool, i, start, waiting):
    """Copy new matches into place: all threads of a group share the copying for those that need one."""
    cuda.syncwarp()  # a thread's writes to its old match must precede the others' writes there
    while waiting:
        lane = cuda.ffs(waiting) - 1
        waiting &= waiting - 1
        to = cuda.shfl_sync(EVERYONE, i, lane)
        copy_share(games, to, pool[cuda.shfl_sync(EVERYONE, start, lane)], cuda.laneid, LANES)
    cuda.syncwarp()


@partial(cuda.jit, lto=False)
def step_gpu(memory, seeds, pool, rows, reasons):
    """`step_many`, one thread per match."""
    i = cuda.grid(1)
    if i < len(seeds) and rows[i, VERB] >= 0:
        seat, action = split(rows[i])
        reasons[i] = submit(deck(memory, pool)[i], seat, action, seeds[i])
