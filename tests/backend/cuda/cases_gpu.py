"""Code on disk, which needs neither Numba nor NVVM; and zeros. `test_simulated.py` runs this file, on a GPU alone."""

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest
from backend.cuda.stand_in.prototypes import of_the_header

import guardlift as gl

if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
    pytest.skip("the simulator runs no code of a GPU", allow_module_level=True)

PROGRAM = """
import sys
device, *absent = sys.argv[1:]
for name in absent:
    sys.modules[name] = None  # importing it is an error
import numpy as np
import guardlift as gl

@gl.jit(fullgraph=True)
def f(x, y):
    return gl.softmax(x @ y, 1).sum(0) + 1

x, y = gl.tensor(np.arange(12, dtype="f4").reshape(3, 4) / 8), gl.tensor(np.ones((4, 4), "f4"))
found = f(x.to(device), y.to(device)).cpu().numpy()
print(*(name for name in sys.modules if name.partition(".")[0] in ("numba", "numba_cuda", "llvmlite", "cuda")))
e = np.exp(z := x.numpy() @ y.numpy())
np.testing.assert_allclose(found, (e / e.sum(1, keepdims=True)).sum(0) + 1, rtol=1e-5)
"""


def run(cache, *absent, device="cuda", maker="llvm"):
    environment = os.environ | {"GUARDLIFT_CACHE_DIR": str(cache), "GUARDLIFT_ENTRY_CACHE": "0"}
    environment |= {"GUARDLIFT_KERNEL_COMPILER": maker, "CUDA_HOME": str(cache / "nothing")}
    command = [sys.executable, "-c", PROGRAM, device, *absent]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout.strip(), done.stderr


NOT_OURS = "numba", "numba_cuda", "cuda"
"""The packages that only the compiler needs which kernels are held to."""


def test_code_on_disk_needs_no_compiler(tmp_path):
    status, _, said = run(tmp_path, *NOT_OURS, "nvidia")
    assert status != 0 and "need NVIDIA's compiler libNVVM" in said, "without code on disk there has to be a compiler"
    status, _, said = run(tmp_path, *NOT_OURS)
    assert status == 0, said
    made = list(tmp_path.glob("*.cubin"))
    assert len(made) >= 3
    run(tmp_path, device="cpu")
    _, on_cpu, _ = run(tmp_path, device="cpu")
    status, found, said = run(tmp_path, *NOT_OURS, "nvidia")
    assert status == 0 and set(found.split()) <= {*on_cpu.split(), *NOT_OURS}, said
    for path in made:
        path.write_bytes(path.read_bytes()[:-1])
    status, found, said = run(tmp_path, *NOT_OURS)
    assert status == 0 and said.count("is damaged; it is compiled anew") == len(made), said


def test_code_of_the_one_compiler_is_not_taken_for_that_of_the_other(tmp_path):
    pytest.importorskip("numba_cuda")
    for maker, count in (("llvm", 1), ("numba", 2), ("llvm", 2)):
        status, found, said = run(tmp_path, maker=maker)
        assert status == 0 and ("numba.cuda" in found) is (maker == "numba"), said
        assert len(list(tmp_path.glob("*.cubin"))) == 3 * count


WITHOUT_ROW_STACK = """
import numpy as np
import guardlift
guardlift.config.kernel_compiler = "numba"
vars(np).pop("row_stack", None)  # as NumPy 2.5 is, which numba-cuda asks for it when it is imported
from guardlift.backend.cuda.compiler.compiler import compile_text
text = "def kernel(a, failed):\\n    p = pointer_f32(a)\\n    p[0] = absolute_f32(p[0])\\n"
assert "abs.f32" in compile_text(text).ptx
assert not hasattr(np, "row_stack")
"""


def test_a_numpy_that_lacks_a_name_which_numba_cuda_wants_does_as_well():
    pytest.importorskip("numba_cuda")
    done = subprocess.run([sys.executable, "-c", WITHOUT_ROW_STACK], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_of_two_zeros_plus_zero_is_the_larger_as_on_the_cpu(dtype):
    @gl.jit(fullgraph=True)
    def both(x, y):
        return gl.maximum(x, y), gl.minimum(x, y)

    x = np.array([0.0, -0.0, 0.0, -0.0, np.nan, 1.0], dtype)
    y = np.array([-0.0, 0.0, 0.0, -0.0, 1.0, np.nan], dtype)
    found = [each.cpu().numpy() for each in both(gl.tensor(x).to("cuda"), gl.tensor(y).to("cuda"))]
    assert np.signbit(found)[:, :4].tolist() == [[False, False, False, True], [True, True, False, True]]
    assert np.isnan(found)[:, 4:].all()
    for one, other in zip(found, both(gl.tensor(x), gl.tensor(y)), strict=True):
        np.testing.assert_array_equal(np.signbit(one)[:4], np.signbit(other.numpy())[:4])


@pytest.mark.skipif("STAND_IN_SEED" not in os.environ or not of_the_header(), reason="no stand-in, or no cuda.h")
def test_calls_of_the_driver_are_held_to_their_prototypes():
    library = ctypes.CDLL("libcuda.so.1")
    with pytest.raises(ctypes.ArgumentError, match="argument 2 of cuMemAlloc_v2 takes 8 bytes and got 4"):
        library.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), ctypes.c_uint(8))
