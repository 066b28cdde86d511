"""The loops that run on a GPU, one thread a match. A text like `loops.py`, set behind it for the gpu backend."""

from typing import Any

from numba import cuda

submit: Any
play_one: Any
VERB, SEAT, A, B, C, D = 1, 0, 2, 3, 4, 5

# --- the loops ---

from numba import cuda  # noqa: E402,F811


@cuda.jit
def play_gpu(games, seeds, pool, luck, begin, steps, ended):
    """`play_many`, a thread a match."""
    i = cuda.grid(1)
    if i < len(games):
        play_one(games, seeds, pool, i, luck, begin, steps, ended)


@cuda.jit
def step_gpu(games, seeds, rows, reasons):
    """`step_many`, a thread a match."""
    i = cuda.grid(1)
    if i < len(games) and rows[i, VERB] >= 0:
        row = rows[i]
        reasons[i] = submit(games[i], row[SEAT], row[VERB], row[A], row[B], row[C], row[D], seeds[i])
