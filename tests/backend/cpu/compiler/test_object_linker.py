import ctypes
import os
import platform
import random
import struct
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from guardlift.backend.cpu.compiler import loader
from guardlift.backend.cpu.compiler.compiler import compile_source
from guardlift.backend.cpu.compiler.elf import sections_of
from guardlift.backend.cpu.compiler.object_linker import linked
from guardlift.core.errors import KernelError

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() != "x86_64",
    reason="the linker is for Linux on x86-64; LLVM's links elsewhere",
)
NATIVE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)
TEXT = (
    "def kernel(addresses, sizes, start, stop):\n"
    "    x = pointer_f64_0_of_2(addresses[0])\n"
    "    y = pointer_f64_1_of_2(addresses[1])\n"
    "    for i in range(start, stop):\n"
    "        y[i] = cos_f64(x[i]) + exp_f64(x[i]) * 0.1\n"  # a C function for large numbers, constants, jumps
    "    return 0\n"
)


@pytest.fixture(scope="module")
def made():
    return compile_source(TEXT)


def functions(made):
    return loader._resolved(made, {})


def ran(address):
    """The bytes that the kernel at an address makes of numbers for each of its ways."""
    x = np.array([0.0, 0.5, -3.0, 1e300, np.inf, np.nan, 700.0, *np.linspace(-9, 9, 40)])
    y = np.zeros_like(x)
    assert NATIVE(address)(np.array([x.ctypes.data, y.ctypes.data]).ctypes.data, None, 0, len(x)) == 0
    return y.tobytes()


def test_code_runs_as_that_which_llvm_links(made):
    address = linked(made.code, made.symbol, functions(made))
    assert address is not None
    assert ran(address) == ran(loader._linked_by_llvm(made, functions(made)))
    assert linked(made.code, made.symbol, functions(made)) != address


def test_memory_of_code_may_be_run_and_not_written_to(made):
    address = linked(made.code, made.symbol, functions(made))
    with open("/proc/self/maps") as maps:
        for line in maps:
            first, last = (int(each, 16) for each in line.split()[0].split("-"))
            if first <= address < last:
                assert line.split()[1] == "r-xp"
                return
    raise AssertionError("the code is in no mapping")


def test_what_it_does_not_know_is_left_to_llvm(made):
    def changed(at, form, value):
        code = bytearray(made.code)
        struct.pack_into(form, code, at, value)
        return linked(bytes(code), made.symbol, functions(made))

    (table,) = struct.unpack_from("<Q", made.code, 0x28)
    sections = sections_of(made.code)
    text = next(k for k, each in enumerate(sections) if each[2] & 4)
    rela = next(k for k, each in enumerate(sections) if each[1] == 4 and each[7] == text)
    assert changed(18, "<H", 62) is not None
    assert changed(18, "<H", 183) is None
    assert changed(0, "<B", 0) is None
    assert changed(table + text * 64 + 8, "<Q", 7) is None  # it may be written to
    assert changed(table + text * 64 + 4, "<I", 8) is None  # zeros that are not in the file
    assert changed(sections[rela][4] + 8, "<I", 9) is None  # the distance of a table of addresses
    assert linked(made.code, "another_name", functions(made)) is None
    assert linked(made.code, made.symbol, {}) is None  # the C function is not there


def test_a_file_that_is_cut_off_is_never_code(made):
    random_ = random.Random(0)
    for length in [0, 5, 63, *(random_.randrange(len(made.code)) for _ in range(200))]:
        assert linked(made.code[:length], made.symbol, functions(made)) is None


def test_a_file_that_neither_links_is_told(made):
    with pytest.raises(KernelError, match="does not link"):
        loader.load(replace(made, symbol="another_name"))


def test_a_process_with_kernels_on_disk_does_not_import_llvm(tmp_path):
    program = (
        "import sys, numpy as np, guardlift as gl\n"
        "@gl.jit\n"
        "def f(x): return np.tanh(x) * 2 + x.sum()\n"
        "f(np.ones(5))\n"
        "print('llvmlite' in sys.modules)\n"
    )
    (tmp_path / "program.py").write_text(program)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(tmp_path / "program.py")],
            env={**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path / "cache"), "GUARDLIFT_ENTRY_CACHE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.split() == ["False"]
