"""Every program of the gallery, its kernels compiled by the emitter and by Numba: the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import copy
import sys
import warnings
from hashlib import blake2b
from typing import Any

import numpy as np
from gallery import PROGRAMS

import guardlift as gl
from guardlift.backend.cpu.compiler.kernels import statistics


def fed(digest: Any, value: Any) -> None:
    if isinstance(value, (tuple, list)):
        for each in value:
            fed(digest, each)
    elif isinstance(value, dict):
        fed(digest, list(value.values()))
    else:
        array = np.asarray(value)
        digest.update(array.tobytes() if array.dtype != object else repr(value).encode())


warnings.simplefilter("ignore")
for name, program in PROGRAMS.items():
    jitted, digest = gl.jit(program.function), blake2b(digest_size=12)
    for size in (program.test, *program.others):
        arguments = program.inputs(size, 1)
        fed(digest, jitted(*arguments))
        fed(digest, [each for each in arguments if isinstance(each, (np.ndarray, list))])
    print(name, digest.hexdigest())
print("numba" in sys.modules, statistics.compiled > 100)
"""


def bits(compiler: str, folder: Path) -> list[str]:
    """A line for each program, with a digest of its results, and one about the process."""
    environment = {
        **os.environ,
        "GUARDLIFT_KERNEL_COMPILER": compiler,
        "GUARDLIFT_CACHE_DIR": str(folder / compiler),
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_the_emitter_and_numba_give_the_same_bits(tmp_path: Path) -> None:
    ours, theirs = bits("llvm", tmp_path), bits("numba", tmp_path)
    assert ours[:-1] == theirs[:-1]
    assert (ours[-1], theirs[-1]) == ("False True", "True True")
