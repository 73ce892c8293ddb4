import ctypes
import linecache
from functools import cache

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.compiler.compiler import compile_source, text_digest
from guardlift.backend.cpu.compiler.loader import load
from guardlift.backend.cpu.compiler.numba_compiler import DTYPE_NAMES
from guardlift.core.errors import KernelError

NATIVE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def run(text, *arrays, sizes=(), start=0, stop=0):
    addresses = np.array([array.ctypes.data for array in arrays] or [0])
    sizes = np.array(sizes or [0])
    return native(text, gl.config.kernel_compiler)(addresses.ctypes.data, sizes.ctypes.data, start, stop)


@cache
def native(text, kernel_compiler):
    """The kernel of `text`, made by the compiler that is in force."""
    return NATIVE(load(compile_source(text)).address)


@pytest.fixture(autouse=True, params=["llvm", "numba"])
def kernel_compiler(request):
    """Both compilers keep the same promises."""
    with gl.config.patch(kernel_compiler=request.param):
        yield request.param


def test_the_status_is_the_value_of_the_kernel():
    text = "def kernel(addresses, sizes, start, stop):\n    return sizes[0] + start * 10 + stop\n"
    assert run(text, sizes=(500,), start=3, stop=4) == 534


@pytest.mark.parametrize("name", [name for name in DTYPE_NAMES if name != "boolean"])
def test_each_pointer_and_dtype_reads_and_writes_its_own_kind(name):
    dtype = np.dtype(name)
    suffix = f"{dtype.kind}{dtype.itemsize * 8}"
    real = "float32" if name == "complex64" else "float64"
    three_more = f"complex(x[i].real + {real}(3), x[i].imag)" if dtype.kind == "c" else f"{name}(x[i] + {name}(3))"
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        f"    x = pointer_{suffix}(addresses[0])\n"
        f"    y = pointer_{suffix}(addresses[1])\n"
        "    for i in range(start, stop):\n"
        f"        y[i] = {three_more}\n"
        "    return 0\n"
    )
    x = np.array([0, 1, 77, 120], dtype)
    if dtype.kind in "iu":
        x[0] = np.iinfo(dtype).max  # wraps around
    y = np.zeros_like(x)
    assert run(text, x, y, start=0, stop=3) == 0
    assert y.tolist() == [*(x[:3] + dtype.type(3)).tolist(), 0]


def test_products_are_neither_contracted_nor_reassociated():
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        "    x = pointer_f64(addresses[0])\n"
        "    y = pointer_f64(addresses[1])\n"
        "    for i in range(start, stop):\n"
        "        y[i] = x[i] * x[i] - x[i] * x[i] + ((x[i] + float64(1e16)) - float64(1e16))\n"
        "    return 0\n"
    )
    x = np.random.default_rng(0).random(1000) * 9
    y = np.zeros_like(x)
    run(text, x, y, stop=1000)
    assert np.array_equal(y, x * x - x * x + ((x + 1e16) - 1e16))


def test_division_by_zero_is_ieee_and_not_an_exception():
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        "    x = pointer_f64(addresses[0])\n"
        "    x[0] = float64(1.0) / x[0]\n"
        "    return 0\n"
    )
    x = np.zeros(1)
    assert run(text, x) == 0
    assert x[0] == np.inf


def test_a_raise_in_the_text_is_a_nonzero_status():
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        "    if stop > 2:\n"
        "        raise ValueError('too far')\n"
        "    return 0\n"
    )
    assert run(text, stop=2) == 0
    assert run(text, stop=3) == 1


def test_the_text_is_known_to_tracebacks():
    text = "def kernel(addresses, sizes, start, stop):\n    return 41 + 1\n"
    compile_source(text)
    linecache.checkcache()
    assert linecache.getline(f"<kernel {text_digest(text)[:12]}>", 2) == "    return 41 + 1\n"


def test_two_kernels_of_one_text_are_equal():
    text = "def kernel(addresses, sizes, start, stop):\n    return 7\n"
    assert compile_source(text).symbol == compile_source(text).symbol


@pytest.mark.parametrize(
    "text",
    ["def kernel(addresses, sizes, start, stop)\n", "x = 1\n", "def kernel(a, b, c, d):\n    return undefined_name\n"],
    ids=["syntax", "no kernel", "unknown name"],
)
def test_text_that_is_no_kernel_is_refused_by_name(text):
    with pytest.raises(KernelError, match=f"<kernel {text_digest(text)[:12]}>"):
        compile_source(text)
