"""A machine without Numba: the CPU's kernels and the native runtime need llvmlite alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from importlib.machinery import PathFinder

class WithoutNumba(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] == "numba" else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = WithoutNumba
import numpy as np
import guardlift as gl
from guardlift.backend.cpu.compiler import fixed_programs
from guardlift.core.errors import KernelError

def f(x):
    total = 0.0
    for each in x:
        if each > 0.5:
            total += each
    return np.exp(x) @ x + total

x = np.arange(60.0) / 60
assert np.allclose(gl.jit(f)(x), f(x))

model, data = gl.nn.Linear(3, 2), gl.randn(5, 3)
optimizer = gl.optim.Adam(model.parameters())

@gl.jit
def step():
    optimizer.zero_grad()
    loss = model(data).square().sum()
    loss.backward()
    optimizer.step()
    return loss

first = step().item()
for _ in range(20):
    last = step().item()
assert last < first and not gl.cuda.is_available()
with gl.config.patch(kernel_compiler="numba", raise_internal_errors=True):
    try:
        gl.jit(lambda x: np.sin(x) + 3)(x)
    except KernelError as error:
        print(error)
print("numba" in sys.modules)
"""


def test_everything_on_the_cpu_runs_without_numba(tmp_path: Path) -> None:
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path), "GUARDLIFT_KERNEL_COMPILER": "llvm"}
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0].endswith("not installed: pip install 'guardlift[numba]'")
    assert done.stdout.split("\n")[1] == "False"


KEPT = """
import numpy as np

import guardlift as gl


@gl.jit
def f(x):
    return np.exp(x) + 1


f(np.ones(3))
print(gl.artifact_counters()["entry"].hit, "numba" in sys.modules)
"""


def test_entries_are_kept_on_disk_without_numba(tmp_path: Path) -> None:
    hidden = PROGRAM[: PROGRAM.index("import numpy")]
    program = tmp_path / "program.py"
    program.write_text(hidden + KEPT)
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path), "GUARDLIFT_KERNEL_COMPILER": "llvm"}
    environment |= {"GUARDLIFT_ENTRY_CACHE": "1", "GUARDLIFT_ARTIFACT_CACHE": "1"}
    said = [
        subprocess.run(
            [sys.executable, "-P", str(program)], env=environment, capture_output=True, text=True, timeout=120
        )
        for _ in range(2)
    ]
    assert [each.stdout.split() for each in said] == [["0", "False"], ["1", "False"]], said[-1].stderr
