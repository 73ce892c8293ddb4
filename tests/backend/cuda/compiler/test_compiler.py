"""Kernel text to PTX; where numba-cuda is not installed, the error that says so."""

import importlib.util
import subprocess
import sys

import pytest
from backend.graph_cases import Program, bound

from guardlift.backend.cuda.compiler.compiler import compile_text
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import LaunchGrid, choose_launch_grid
from guardlift.core import dtypes
from guardlift.core.errors import KernelError

INSTALLED = importlib.util.find_spec("numba_cuda") is not None
needs_numba_cuda = pytest.mark.skipif(not INSTALLED, reason="numba-cuda is not installed")


def ptx(p, *results, launch_grid=None):
    last = bound(p, *results)
    return compile_text(cuda_text(last.kernel, launch_grid or choose_launch_grid(last)))


@pytest.mark.skipif(INSTALLED, reason="numba-cuda is installed")
def test_without_numba_cuda_the_error_names_the_extra():
    with pytest.raises(KernelError, match=r"pip install 'guardlift\[cuda13\]'"):
        compile_text("def kernel(extent, failed):\n    pass\n")


@needs_numba_cuda
def test_arithmetic_is_not_contracted_but_polynomials_are():
    p = Program()
    x, y = p.input((64,), dtypes.float32), p.input((64,), dtypes.float32)
    plain = ptx(p, p.subtract(p.multiply(x, x), p.multiply(y, y))).ptx
    assert "fma" not in plain and "mul.rn.f32" in plain and "sub.rn.f32" in plain
    p = Program()
    assert "fma.rn.f32" in ptx(p, p.exp(p.input((64,), dtypes.float32))).ptx


@needs_numba_cuda
@pytest.mark.parametrize("team", ["thread", "warp", "block"])
def test_kernels_of_float32_hold_no_float64(team):
    p = Program()
    x = p.input((64, 100), dtypes.float32)
    code = ptx(p, p.sum(p.tanh(p.divide(x, p.number(x, 3.0))), axes=(1,)), launch_grid=LaunchGrid(team))
    assert ".f64" not in code.ptx
    assert ("shfl.sync.bfly.b32" in code.ptx) is (team != "thread")
    assert ("bar.sync" in code.ptx) is (team == "block")


@needs_numba_cuda
def test_accesses_are_of_global_memory():
    p = Program()
    code = ptx(p, p.negative(p.input((64,), dtypes.float32)))
    assert "ld.global.f32" in code.ptx and "st.global.f32" in code.ptx
    assert code.parameters == 4 and f".entry {code.entry}(" in code.ptx


@needs_numba_cuda
def test_a_text_that_numba_refuses_is_an_error_with_its_reason():
    with pytest.raises(KernelError, match="no_such_name"):
        compile_text("def kernel(extent, failed):\n    no_such_name(extent)\n")


def test_importing_the_package_imports_no_numba():
    names = "call, device, driver, launch_grid, kernel_text, plan, matmul, memory"
    found = f"import sys; from guardlift.backend.cuda import {names}"
    found += "; from guardlift.backend.cuda.compiler import compiler, device_code; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
