"""CUDA kernels run: in Numba's simulator, in a process of its own, since it is chosen when numba is imported; and on a
GPU where there is one."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.glob("cases_*.py"))
STAND_IN_ONLY = {"cases_launches.py", "cases_library_products.py", "cases_rehearsal.py", "cases_streams.py"}
SIMULATOR_ONLY, GPU_ONLY = {"cases_races.py"}, {"cases_gpu.py", *STAND_IN_ONLY}
SLOW = {"cases_eager.py", "cases_memory.py", "cases_ops.py", "cases_pairs.py", "cases_tensors.py", "cases_training.py"}
SLOW |= {"cases_attention.py"}
"""Cases that take ten seconds each in the simulator."""


FEWER = 4
"""A simulated case takes as long as so many others. The stand-in for the driver runs cases of these tests as well."""


def run_cases(name, *options, **variables):
    """Runs pytest over a file of cases; its output becomes the failure's text."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / name), *options]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
    found = subprocess.run(
        command, cwd=HERE.parents[2], env=environment | variables, capture_output=True, text=True, timeout=600
    )
    assert found.returncode == 0 and " passed" in found.stdout, f"{found.stdout[-6000:]}\n{found.stderr[-2000:]}"


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in CASES if name not in GPU_ONLY],
)
def test_cases_pass_in_the_simulator(name, pytestconfig):
    most = pytestconfig.getoption("--cases")
    run_cases(name, *([] if most is None else ["--cases", str(most // FEWER or 1)]), NUMBA_ENABLE_CUDASIM="1")


@pytest.mark.gpu
@pytest.mark.skipif(not has_gpu(), reason="no NVIDIA GPU here")
@pytest.mark.parametrize("name", [name for name in CASES if name not in SIMULATOR_ONLY | STAND_IN_ONLY])
def test_cases_pass_on_the_gpu(name):
    run_cases(name, NUMBA_ENABLE_CUDASIM="0")
