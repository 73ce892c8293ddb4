"""Kernels for tests of plans: compiled ones by text, and Python functions that stand in for one."""

import ctypes

import pytest

from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.compiler.loader import LoadedKernel

CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64), ctypes.c_int64, ctypes.c_int64
)


@pytest.fixture
def python_kernel():
    """Makes a kernel of a Python function of (addresses, sizes, start, stop); ctypes takes the GIL for it."""
    kept = []

    def make(function):
        callback = CALLBACK(function)
        kept.append(callback)
        return LoadedKernel(ctypes.cast(callback, ctypes.c_void_p).value, "python_kernel", "")

    return make


@pytest.fixture(scope="session")
def double():
    """The float32 kernel out[i] = 2 * x[i]."""
    return get_kernel(
        "def kernel(addresses, sizes, start, stop):\n"
        "    x = pointer_f32(addresses[0])\n"
        "    out = pointer_f32(addresses[1])\n"
        "    for i in range(start, stop):\n"
        "        out[i] = x[i] * float32(2.0)\n"
        "    return 0\n"
    )
