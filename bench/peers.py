"""Measures random play of OpenSpiel, PettingZoo and Pgx on this machine, in a separate environment.

    python bench/peers.py [--only openspiel] [--seconds 2]

Creates the virtual environment bench/.peers if necessary, installs missing packages, and prints JSON: moves per CPU
second for each way of playing, the versions, and an error message for each package that failed.
The games differ from ours and from each other, so compare only orders of magnitude.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import venv
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from time import process_time
from typing import Any

ENVIRONMENT = Path(__file__).parent / ".peers"
PEERS = {
    "openspiel": ("pyspiel", ["open_spiel"]),
    "pettingzoo": ("pettingzoo.classic", ["pettingzoo[classic]"]),
    "pgx": ("pgx", ["pgx", "jax[cpu]"]),
}
BATCH = 1024  # matches at the same time in Pgx
ROLLOUTS = 50

Playing = Callable[[], int]  # plays for a while and returns the number of moves


def rate(play: Playing, seconds: float) -> float:
    """Return moves per CPU second: the best of several rounds after one warm-up."""
    play()
    best, until = 0.0, process_time() + seconds
    while process_time() < until:
        began = process_time()
        moves = play()
        best = max(best, moves / (process_time() - began))
    return best


# --- OpenSpiel ----------------------------------------------------------------------------------------------


def openspiel() -> dict[str, Playing]:
    import pyspiel  # noqa: PLC0415

    chess = pyspiel.load_game("chess")
    bots = [pyspiel.make_uniform_random_bot(seat, 5 + seat) for seat in (0, 1)]
    length = sum(_from_python(chess) for _ in range(100)) / 100

    def rollouts() -> int:
        """Run one simulation of a search: random games in C++ from a position after one move."""
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=random.randrange(1 << 30))
        search = pyspiel.MCTSBot(chess, evaluator, 2.0, 1, 100, False, 5, False)
        search.step(chess.new_initial_state())
        return round(ROLLOUTS * length)

    def bots_in_cpp() -> int:
        moves = 0
        for _ in range(20):
            state = chess.new_initial_state()
            pyspiel.evaluate_bots(state, bots, random.randrange(1 << 30))
            moves += state.move_number()
        return moves

    return {
        "chess, from Python": lambda: sum(_from_python(chess) for _ in range(20)),
        "chess, bots in C++": bots_in_cpp,
        "chess, rollouts in C++": rollouts,
        "connect_four, from Python": lambda: _from_python(pyspiel.load_game("connect_four"), 500),
    }


def _from_python(game: Any, games: int = 1) -> int:
    moves = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            moves += 1
    return moves


# --- PettingZoo ---------------------------------------------------------------------------------------------


def pettingzoo() -> dict[str, Playing]:
    def playing(name: str, games: int) -> Playing:
        env = import_module(f"pettingzoo.classic.{name}").env()
        return lambda: sum(_round_of(env) for _ in range(games))

    return {
        "chess": playing("chess_v6", 1),
        "connect_four": playing("connect_four_v3", 20),
        "tictactoe": playing("tictactoe_v3", 50),
    }


def _round_of(env: Any) -> int:
    env.reset(seed=random.randrange(1 << 30))
    moves = 0
    for agent in env.agent_iter():
        seen, _, ended, cut_short, _ = env.last()
        over = ended or cut_short
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
        moves += not over
    return moves


# --- Pgx ----------------------------------------------------------------------------------------------------


def pgx() -> dict[str, Playing]:
    return {
        "tic_tac_toe, batch": _batch_of("tic_tac_toe", 100),
        "connect_four, batch": _batch_of("connect_four", 100),
        "chess, batch": _batch_of("chess", 4),
    }


def _batch_of(name: str, steps: int) -> Playing:
    """Make a batch of matches that restart by themselves, stepped in one compiled loop."""
    import jax  # noqa: PLC0415
    import jax.numpy as jnp  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make(name)
    begin, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def once(state: Any, key: Any) -> Any:
        chosen, lucky = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        return step(state, jax.random.categorical(chosen, logits), jax.random.split(lucky, BATCH)), None

    @jax.jit
    def many(state: Any, key: Any) -> Any:
        return jax.lax.scan(once, state, jax.random.split(key, steps))[0]

    held = {"state": jax.jit(begin)(jax.random.split(jax.random.PRNGKey(0), BATCH)), "round": 1}

    def play() -> int:
        held["state"] = jax.block_until_ready(many(held["state"], jax.random.PRNGKey(held["round"])))
        held["round"] += 1
        return BATCH * steps

    return play


# --- all ----------------------------------------------------------------------------------------------------


def measure(peer: str, seconds: float) -> dict[str, float]:
    """Inside the separate environment: measure each way to play this package."""
    ways = {"openspiel": openspiel, "pettingzoo": pettingzoo, "pgx": pgx}[peer]()
    return {f"{peer} {way}": round(rate(play, seconds), 1) for way, play in ways.items()}


def python() -> Path:
    """Return the Python of the separate environment; create it if necessary."""
    made = ENVIRONMENT / "bin" / "python"
    if not made.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    return made


def install(peer: str) -> str | None:
    """Install a package if it is missing; return an error message if that fails."""
    module, wanted = PEERS[peer]
    if _quietly([str(python()), "-c", f"import {module}"]).returncode == 0:
        return None
    done = _quietly([str(python()), "-m", "pip", "install", "--quiet", *wanted])
    last = (done.stderr.strip().splitlines() or ["no error message"])[-1]
    return f"{peer} could not be installed: {last}" if done.returncode else None


def _quietly(command: list[str]) -> subprocess.CompletedProcess[str]:
    # One core: JAX would use all of them.
    one = {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "JAX_PLATFORMS": "cpu",
    }
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **one, "PYTHONPATH": ""}
    )


def compare(peers: list[str], seconds: float) -> dict[str, Any]:
    """Measure everything; return rates, versions and error messages."""
    found: dict[str, Any] = {"moves_per_second": {}, "versions": {}, "missing": []}
    for peer in peers:
        sentence = install(peer)
        if sentence is None:
            inside = [str(python()), __file__, "--inside", "--only", peer, "--seconds", str(seconds)]
            done = _quietly(inside)
            if done.returncode == 0:
                told = json.loads(done.stdout.splitlines()[-1])
                found["moves_per_second"] |= told["moves_per_second"]
                found["versions"] |= told["versions"]
                continue
            last = (done.stderr.strip().splitlines() or ["no error message"])[-1]
            sentence = f"{peer} could not be run: {last}"
        found["missing"].append(sentence)
    return found


def versions(peer: str) -> dict[str, str]:
    names = [wanted.partition("[")[0] for wanted in PEERS[peer][1]]
    return {name: metadata.version(name) for name in names}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--only", choices=PEERS, action="append")
    asked.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each way to play")
    asked.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = asked.parse_args()
    peers = options.only or list(PEERS)
    if options.inside:
        print(
            json.dumps(
                {"moves_per_second": measure(peers[0], options.seconds), "versions": versions(peers[0])}
            )
        )
    else:
        print(json.dumps(compare(peers, options.seconds), indent=2))


if __name__ == "__main__":
    sys.exit(main())
