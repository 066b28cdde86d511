"""Compiles the GPU kernels on a machine without a GPU; prints code size and the needs of a thread.

The output says nothing about speed, but kernels with the same figures are about as fast as before.

    pip install 'endturn[gpu]'
    python bench/gpu_code.py [GAME …]

If `ptxas` from the CUDA toolkit is installed, it reports registers and local memory.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from endturn.engine import interleave, rule
from endturn.engine.batch import Batch
from endturn.games import GAMES, find

HOPPER = 9, 0
REGISTERS = 64  # same as in engine/gpu_loops.py
LATEST = ".version 9.0"  # of PTX; an older ptxas knows no newer one


def pretend() -> None:
    """Replace the GPU with an object that only has a compute capability."""
    from numba.cuda import dispatcher  # noqa: PLC0415  (optional)

    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=HOPPER, id=0)
    rule.require = lambda backend, game=None: None


def code_of(name: str) -> str:
    """Return the PTX of the kernel that plays random matches of a game."""
    from numba import cuda  # noqa: PLC0415
    from numba.cuda import types  # noqa: PLC0415
    from numba.cuda.typing.typeof import typeof  # noqa: PLC0415

    batch = Batch(find(name), games=interleave.GROUP, seed=1)
    memory = interleave.interleaved(batch.layout, batch.states)
    arrays = [typeof(each) for each in (memory, batch.seeds, batch.pool, batch.ended)]
    number = types.int64
    taken = *arrays, number, number, number
    kernel = rule.kernels(batch.game, "gpu").play_gpu.py_func
    code, _ = cuda.compile_ptx(kernel, taken, device=False, cc=HOPPER)
    return re.sub(r"\.version \d+\.\d+", LATEST, code if isinstance(code, str) else code.decode())


def needs(code: str) -> str:
    """Return the needs of a thread, as ptxas reports them."""
    if shutil.which("ptxas") is None:
        return "ptxas is not installed"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernel.ptx").write_text(code)
        command = ["ptxas", "-arch=sm_90", "-v", f"--maxrregcount={REGISTERS}", "kernel.ptx", "-o", "kernel"]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stderr
    return ", ".join(re.findall(r"Used \d+ registers|\d+ bytes cumulative stack|error.*", said))


def main() -> None:
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 uses it
        np.row_stack = np.vstack
    pretend()
    for name in sys.argv[1:] or [name for name in GAMES if find(name).storage.compiles]:
        code = code_of(name)
        print(f"{name}: {len(code.splitlines())} lines; {needs(code)}", flush=True)


if __name__ == "__main__":
    main()
