"""Compares the end of a turn of Anarchy with handwritten C, on the same states in the same process.

Prints JSON: the nanoseconds that each side takes for the end of one turn, and our speed relative to C.
"""

import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time_ns
from typing import Any

import numpy as np
from numba import njit

from endturn.engine import record
from endturn.engine.batch import Batch
from endturn.games import find
from endturn.games.anarchy import rules

HERE = Path(__file__).parent
STATES, WARM_UP, SEED, REPEATS = 256, 700, 11, 400
C_NAMES = {
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "f64": "double",
    "flag": "int8_t",
}
GCC = ["gcc", "-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]


@njit(nogil=True, error_model="numpy")
def sweep(cities):  # type: ignore[no-untyped-def]
    for i in range(len(cities)):
        rules.burn(cities[i])
        rules.blow(cities[i])
        rules.die_down(cities[i])
        rules.cool_down(cities[i])


# --- the C side ---------------------------------------------------------------------------------------------


def header(layout: Any) -> str:
    """Return the record as a C struct, with static assertions that every field has our offset."""
    checks = [
        f'_Static_assert(offsetof({name}, {place.name}) == {place.offset}, "{place.name}");'
        for name, kind in (("Settings", _settings(layout)), ("City", layout))
        for place in record.layout(kind).places
    ]
    checks.append(f'_Static_assert(sizeof(City) == {record.layout(layout).size}, "size");')
    text = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
    return "\n".join([*text, _struct("Settings", _settings(layout)), _struct("City", layout), *checks, ""])


def _settings(layout: Any) -> Any:
    return next(place.element for place in record.layout(layout).places if place.name == "settings")


def _struct(name: str, kind: Any) -> str:
    lines = [f"    {_declared(place)};" for place in record.layout(kind).places]
    return "\n".join(["typedef struct {", *lines, f"}} {name};"])


def _declared(place: record.FieldPlace) -> str:
    kind = C_NAMES[place.element.name] if isinstance(place.element, record.Number) else place.element.__name__
    return f"{kind} {place.name}" + "".join(f"[{length}]" for length in place.lengths)


def by_hand(layout: Any) -> Callable[[Any], None]:
    """Compile `sweep` of limit.c for this layout."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "city.h").write_text(header(layout))
        library = Path(folder, "limit.so")
        subprocess.run([*GCC, "-I", folder, str(HERE / "limit.c"), "-o", str(library)], check=True)
        run = ctypes.CDLL(str(library)).sweep
    run.argtypes, run.restype = (ctypes.c_void_p, ctypes.c_int64), None
    return lambda cities: run(cities.ctypes.data, len(cities))


# --- both ---------------------------------------------------------------------------------------------------


def mid_game() -> tuple[Any, Any]:
    """Return the layout and states of full-size maps in the middle of random play."""
    batch = Batch(find("anarchy"), STATES, seed=SEED)
    batch.play(WARM_UP)
    return batch.layout, batch.states


def copied(states: Any) -> Any:
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def agree(ours: Callable[[Any], None], theirs: Callable[[Any], None], states: Any, turns: int = 20) -> None:
    """End some turns on the same states with both sides; every byte must agree."""
    one, other = copied(states), copied(states)
    for turn in range(turns):
        ours(one)
        theirs(other)
        if one.tobytes() != other.tobytes():
            raise SystemExit(f"limit.c and rules.py disagree after {turn + 1} ends of turn.")


def compare(repeats: int = REPEATS) -> dict[str, Any]:
    """Run both sides alternately; return the best CPU time of each."""
    if shutil.which("gcc") is None:
        raise SystemExit("gcc is not on the PATH. Install gcc to compare with C.")
    layout, states = mid_game()
    sides = {"ours": sweep, "c": by_hand(layout)}
    agree(sides["ours"], sides["c"], states)
    best = dict.fromkeys(sides, sys.maxsize)
    cities, fresh = copied(states), states.view(np.uint8)
    for _ in range(repeats):
        for name, run in sides.items():
            cities.view(np.uint8)[:] = fresh
            began = process_time_ns()
            run(cities)
            best[name] = min(best[name], process_time_ns() - began)
    burning = float(np.mean([np.count_nonzero(city["fire"]) for city in states]))
    buildings = float(np.mean(states["building_count"]))
    return {
        "states": STATES,
        "buildings": round(buildings, 1),
        "burning": round(burning, 1),
        "ours_ns": round(best["ours"] / STATES, 1),
        "c_ns": round(best["c"] / STATES, 1),
        "ratio": round(best["c"] / best["ours"], 3),
    }


if __name__ == "__main__":
    print(json.dumps(compare(100 if "--quick" in sys.argv else REPEATS)))
