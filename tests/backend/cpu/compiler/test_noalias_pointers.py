"""Pointers to memory that no other pointer of a kernel leads to."""

from __future__ import annotations

import re

import numba
import numpy as np
import pytest
from backend.cpu.compiler.test_compiler import run

from guardlift.backend.cpu.compiler.noalias_pointers import names_of_pointers
from guardlift.backend.cpu.compiler.numba_functions import numba_function
from guardlift.backend.llvm.intrinsic_names import intrinsics_named_in


def test_names_say_which_of_how_many() -> None:
    assert names_of_pointers("pointer_f64(a), pointer_f64_0_of_2(a), pointer_u8_11_of_12(b)") == {
        "pointer_f64_0_of_2",
        "pointer_u8_11_of_12",
    }


@pytest.mark.parametrize("dtype", ["float64", "uint8", "int16", "complex64", "complex128"])
def test_they_read_and_write_as_others_do(dtype: str) -> None:
    x, y = np.array([1, 7, 5]).astype(dtype), np.zeros(3, dtype)
    code = f"{x.dtype.kind}{x.itemsize * 8}"
    twice = f"{dtype}(x[i] + x[i])"
    if "complex" in dtype:
        twice = "complex(x[i].real + x[i].real, x[i].imag + x[i].imag)"
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        f"    x = pointer_{code}_0_of_2(addresses[0])\n"
        f"    y = pointer_{code}_1_of_2(addresses[1])\n"
        "    for i in range(start, stop):\n"
        f"        y[i] = {twice}\n"
        "    return 0\n"
    )
    assert run(text, x, y, start=0, stop=2) == 0
    assert y.tolist() == [*(x[:2] + x[:2]).tolist(), 0]


def test_pointers_of_one_dtype_are_told_apart() -> None:
    makers = intrinsics_named_in("pointer_f64_0_of_2 pointer_f64_1_of_2 pointer_f64_0_of_3", numba_function)
    one, two, of_three = (makers[name] for name in sorted(makers, key=lambda name: name[::-1]))

    @numba.njit((numba.int64, numba.int64))
    def kernel(a: int, b: int) -> None:
        two(b)[0] = one(a)[0] * 2.0  # type: ignore[operator]

    (code,) = kernel.inspect_llvm().values()
    scopes = re.findall(r"(?:load|store) double.*!alias.scope (![0-9]+), !noalias (![0-9]+)", code)
    assert len(scopes) == 2 and scopes[0] == scopes[1][::-1], scopes
    assert of_three is not one


def test_each_access_names_its_own_memory_and_that_of_the_others() -> None:
    makers = intrinsics_named_in("pointer_f64_0_of_3 pointer_i64_1_of_3 pointer_i8_2_of_3", numba_function)
    first, second, third = (makers[f"pointer_{code}_{k}_of_3"] for k, code in enumerate(("f64", "i64", "i8")))

    @numba.njit((numba.int64, numba.int64, numba.int64))
    def kernel(a: int, b: int, c: int) -> None:
        x, y, z = first(a), second(b), third(c)  # type: ignore[operator]
        y[0] = z[1]
        x[1] = x[2] + 1.0  # a copy alone may be made by an integer

    (code,) = kernel.inspect_llvm().values()
    named = dict(re.findall(r"^(![0-9]+) = !\{(.*)\}$", code, re.MULTILINE))
    scopes = {key: held for key, held in named.items() if "memory" in held}

    def number(scope: str) -> int:
        return int(re.search(r'"memory ([0-9]+)"', scopes[scope])[1])  # type: ignore[index]

    kinds = {"double": 0, "i64": 1, "i8": 2}
    accesses = re.findall(r"(?:load|store) (i64|i8|double).*!alias.scope (![0-9]+), !noalias (![0-9]+)", code)
    assert {kind for kind, _, _ in accesses} == set(kinds)
    for kind, own, others in accesses:
        assert number(named[own]) == kinds[kind]
        # LLVM drops scopes of which it needs none.
        assert set(map(number, named[others].split(", "))) <= {0, 1, 2} - {kinds[kind]}
