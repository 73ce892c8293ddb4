"""Kernel text to PTX, by both compilers; where one is not installed, the error that says so."""

import importlib.util
import subprocess
import sys

import pytest
from backend.graph_cases import Program, bound

from guardlift.backend.cuda.compiler import nvvm_compiler
from guardlift.backend.cuda.compiler.compiler import compile_text, compiler_versions
from guardlift.backend.cuda.compiler.nvvm import library
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import LaunchGrid, choose_launch_grid, with_bound
from guardlift.core import dtypes
from guardlift.core.config import config
from guardlift.core.errors import KernelError

PRESENT = {"llvm": library() is not None, "numba": importlib.util.find_spec("numba_cuda") is not None}
TEXT = "def kernel(extent, failed):\n    pass\n"


@pytest.fixture(params=PRESENT)
def maker(request):
    """A compiler that is installed, in force."""
    if not PRESENT[request.param]:
        pytest.skip(f"the compiler {request.param!r} is not installed")
    with config.patch(kernel_compiler=request.param):
        yield request.param


def ptx(p, *results, launch_grid=None):
    last = bound(p, *results)
    return compile_text(cuda_text(last.kernel, launch_grid or choose_launch_grid(last)))


@pytest.mark.skipif(PRESENT["numba"], reason="numba-cuda is installed")
def test_without_numba_cuda_the_error_names_its_extra():
    with config.patch(kernel_compiler="numba"), pytest.raises(KernelError, match=r"install 'guardlift\[numba-cuda\]'"):
        compile_text(TEXT)


def test_without_libnvvm_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(nvvm_compiler, "library", lambda: None)
    with pytest.raises(KernelError, match=r"need NVIDIA's compiler libNVVM.*pip install 'guardlift\[cuda13\]'"):
        compile_text(TEXT + "\n# which nobody has compiled before\n")


def test_versions_are_told_of_a_compiler_that_is_there():
    for maker, present in PRESENT.items():
        with config.patch(kernel_compiler=maker):
            assert bool(compiler_versions()) is present
            assert ("numba-cuda" in compiler_versions()) is (present and maker == "numba")


def test_arithmetic_is_not_contracted_but_polynomials_are(maker):
    p = Program()
    x, y = p.input((64,), dtypes.float32), p.input((64,), dtypes.float32)
    plain = ptx(p, p.subtract(p.multiply(x, x), p.multiply(y, y))).ptx
    assert "fma" not in plain and "mul.rn.f32" in plain and "sub.rn.f32" in plain
    p = Program()
    assert "fma.rn.f32" in ptx(p, p.exp(p.input((64,), dtypes.float32))).ptx


@pytest.mark.parametrize("team", ["thread", "warp", "block"])
def test_kernels_of_float32_hold_no_float64(maker, team):
    p = Program()
    x = p.input((64, 100), dtypes.float32)
    code = ptx(p, p.sum(p.tanh(p.divide(x, p.number(x, 3.0))), axes=(1,)), launch_grid=LaunchGrid(team))
    assert ".f64" not in code.ptx
    assert ("shfl.sync.bfly.b32" in code.ptx) is (team != "thread")
    assert ("bar.sync" in code.ptx) is (team == "block")


def test_a_kernel_of_large_blocks_says_how_large(maker):
    p = Program()
    last = bound(p, p.sum(p.input((64, 10000), dtypes.float32), axes=(1,)))
    text = cuda_text(last.kernel, choose_launch_grid(last))
    assert ".maxntid" not in compile_text(with_bound(text, 256)).ptx
    code = compile_text(with_bound(text, 384))
    assert code.ptx.count(".maxntid 512\n.minnctapersm 1\n") == 1 and code.entry in code.ptx.partition(".maxntid")[0]


def test_accesses_are_of_global_memory(maker):
    p = Program()
    code = ptx(p, p.negative(p.input((64,), dtypes.float32)))
    assert "ld.global.f32" in code.ptx and "st.global.f32" in code.ptx
    assert code.parameters == 4 and f".entry {code.entry}(" in code.ptx


def test_a_text_that_is_refused_is_an_error_with_its_reason(maker):
    with pytest.raises(KernelError, match="no_such_name"):
        compile_text("def kernel(extent, failed):\n    no_such_name(extent)\n")


def test_importing_the_package_imports_no_numba_and_no_llvmlite():
    names = "call, device, driver, launch_grid, kernel_text, plan, products, memory"
    found = f"import sys; from guardlift.backend.cuda import {names}"
    found += "; from guardlift.backend.cuda.compiler import compiler, device_code"
    found += "; print({'numba', 'llvmlite'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr
