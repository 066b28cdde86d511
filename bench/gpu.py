"""Measures random play on a GPU by batch and block size, and compares its states with the CPU's.

    python bench/gpu.py [--out gpu.json] [--quick] [--steps 500] [--repeat-steps 1,10,100] [--pool 64,256]

Prints tables; `--out` also writes all figures as JSON. `--on cpu` runs the same script without a GPU.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from endturn.engine.batch import POOL, Batch, DeviceBatch
from endturn.engine.game import Game
from endturn.engine.rule import BackendMissing, kernels, require
from endturn.games import find
from endturn.testing.speed import machine, spread_batch

SIZES = 1 << 10, 1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18
BLOCKS = 32, 64, 128, 256
REPEATS, SEED = 3, 21
TARGET, TARGETS = 50e6, {"anarchy": 200e6}  # actions per second
SAME_GAMES, SAME_ACTIONS = 4096, 2000


class HostBatch:
    """Stands in for a GPU with `--on cpu`: the same calls on a batch, one thread per core."""

    def __init__(self, batch: Batch, block: int = 0) -> None:
        self.batch, self.block, self.blocks = batch, block, 1
        batch.threads = os.cpu_count() or 1

    def play(self, steps: int) -> int:
        return self.batch.play(steps)

    def fetch(self) -> Batch:
        return self.batch


Device = Callable[[Batch], Any]


def main() -> int:
    options = arguments()
    if options.on == "gpu":
        try:
            require("gpu")
        except BackendMissing as sentence:
            print(sentence)
            return 1
    device: Device = DeviceBatch if options.on == "gpu" else HostBatch
    game, began = find(options.game), perf_counter()
    told: dict[str, Any] = {"machine": machine(), "game": game.name, "on": options.on}
    print(json.dumps(told["machine"], indent=2))
    told["same"] = same_states(game, device, *((256, 400) if options.quick else (SAME_GAMES, SAME_ACTIONS)))
    told["kernel"] = resources(game) if options.on == "gpu" else {}
    print(json.dumps({"same": told["same"], "kernel": told["kernel"]}))
    told["table"] = table(game, device, options)
    told["best"] = best = max(told["table"], key=lambda row: row["rate"])
    print(
        f"best: {best['rate'] / 1e6:.1f} M actions/s with {best['games']} games in blocks of {best['block']}"
    )
    told["experiments"] = experiments(game, device, options, best)
    told["seconds"] = round(perf_counter() - began, 1)
    if options.out:
        options.out.write_text(json.dumps(told, indent=2) + "\n")
    target = TARGETS.get(game.name, TARGET)
    print(f"target {target / 1e6:.0f} M actions/s: {verdict(best['rate'] >= target)}")
    print(
        f"states identical to the CPU's: {verdict(told['same']['identical'])}; {told['seconds']} s in total"
    )
    return 0 if told["same"]["identical"] else 1


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--game", default="anarchy")
    asked.add_argument("--out", type=Path)
    asked.add_argument("--quick", action="store_true", help="small sizes, to see whether it runs")
    asked.add_argument("--steps", type=int, default=500, help="actions per match in one launch")
    asked.add_argument("--sizes", type=numbers, default=SIZES, help="batch sizes, separated by commas")
    asked.add_argument(
        "--blocks", type=numbers, default=BLOCKS, help="threads per block, separated by commas"
    )
    asked.add_argument(
        "--repeat-steps",
        type=numbers,
        default=(),
        help="also try these numbers of actions per launch, with the best sizes",
    )
    asked.add_argument(
        "--pool",
        type=numbers,
        default=(),
        help="at the best sizes: other numbers of prepared starts",
    )
    asked.add_argument("--on", choices=("gpu", "cpu"), default="gpu")
    options = asked.parse_args()
    if options.quick:
        options.sizes, options.steps = (256, 1024), 50
    return options


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def verdict(held: bool) -> str:
    return "yes" if held else "NO"


# --- the same states ----------------------------------------------------------------------------------------


def same_states(game: Game, device: Device, games: int, actions: int) -> dict[str, Any]:
    """Play the same matches on both; compare all bytes, all seeds and the number of finished matches."""
    here = Batch(game, games, seed=SEED, threads=os.cpu_count() or 1)
    there = device(Batch(game, games, seed=SEED))
    here.play(actions)
    there.play(actions // 2)  # two launches, to compare continuing as well
    there.play(actions - actions // 2)
    back = there.fetch()
    equal = [np.array_equal(a, b) for a, b in zip(rows(here), rows(back), strict=True)]
    return {
        "games": games,
        "actions": actions,
        "bytes": len(here.dump()),
        "ended": int(here.ended.sum()),
        "differing": equal.count(False),
        "identical": all(equal) and pairs(here) == pairs(back),
    }


def rows(batch: Batch) -> Any:
    return np.frombuffer(batch.dump(), np.uint8).reshape(batch.games, -1)


def pairs(batch: Batch) -> list[tuple[int, int]]:
    return list(zip(batch.seeds.tolist(), batch.ended.tolist(), strict=True))


def resources(game: Game) -> dict[str, Any]:
    """Return the registers and local memory per thread of the compiled kernel."""
    play = kernels(game, "gpu").play_gpu
    asked = {"registers": "get_regs_per_thread", "local_bytes": "get_local_mem_per_thread"}
    return {name: list(getattr(play, ask)().values()) for name, ask in asked.items() if hasattr(play, ask)}


# --- the table ----------------------------------------------------------------------------------------------


def table(game: Game, device: Device, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure actions per second for every batch size and block size."""
    made = []
    print("games      " + "".join(f"block {block:<12}" for block in options.blocks))
    for games in options.sizes:
        there = device(spread_batch(game, games=games, seed=SEED))
        for block in options.blocks:
            there.block, there.blocks = block, -(-games // block)
            made.append({"games": games, "block": block, **timing(there, options.steps)})
        figures = [f"{row['rate'] / 1e6:8.1f} M/s     " for row in made[-len(options.blocks) :]]
        print(f"{games:<11}" + " ".join(figures), flush=True)
    return made


def timing(there: Any, steps: int, launches: int = 1) -> dict[str, Any]:
    """Time several plays after one warm-up, each until the GPU is done; return best and median."""
    there.play(steps)
    seconds = []
    for _ in range(REPEATS):
        began = perf_counter()
        actions = sum(there.play(steps) for _ in range(launches))
        seconds.append(perf_counter() - began)
    return {"steps": steps, "rate": actions / min(seconds), "median": actions / float(np.median(seconds))}


def experiments(game: Game, device: Device, options: argparse.Namespace, best: dict[str, Any]) -> list[Any]:
    """With the best batch and block size, try other launch lengths and pools of starts."""
    made = []
    chosen = [("steps", steps, POOL, steps) for steps in options.repeat_steps]
    chosen += [("pool", pool, pool, options.steps) for pool in options.pool]
    for name, value, pool, steps in chosen:
        there = device(spread_batch(game, games=best["games"], seed=SEED, pool=pool))
        there.block, there.blocks = best["block"], -(-best["games"] // best["block"])
        row = {name: value, **timing(there, steps, max(1, options.steps // steps))}
        print(f"{name} {value}: {row['rate'] / 1e6:.1f} M/s", flush=True)
        made.append(row)
    return made


if __name__ == "__main__":
    sys.exit(main())
