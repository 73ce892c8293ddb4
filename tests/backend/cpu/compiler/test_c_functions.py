"""C functions that kernels call: distributions, BLAS, products of any layout, call-outs; and the statement for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from guardlift.backend.codegen.kernel_text import kernel_text
from guardlift.backend.cpu import call_outs
from guardlift.backend.cpu.call_out_operands import CalledArray
from guardlift.backend.cpu.compiler.c_functions import address_of, is_there
from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.compiler.python_calls import plain_callers_named_in
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.loop_ir.encoding import decode, encode
from guardlift.loop_ir.ir import Access, Address, Argument, Invoke, Kernel, Let, Literal, Store
from guardlift.loop_ir.passes.dce import without_dead
from guardlift.loop_ir.printer import print_kernel

RANDOM = np.random.default_rng(24)


def test_a_function_that_is_not_there() -> None:
    assert not is_there("random", "random_of_no_kind")
    assert is_there("random", "random_standard_normal")
    with pytest.raises(KernelError, match="random_of_no_kind"):
        address_of(("random", "random_of_no_kind"))


def copying_kernel() -> Kernel:
    """A kernel that has `memmove` copy so many bytes, and keeps what it gives."""
    arguments = (
        Address(Access(0, (("t0", 1),)), dtypes.float64),
        Address(Access(1), dtypes.float64),
        Argument("t1", dtypes.int64),
    )
    body = (
        Let("t0", dtypes.int64, Literal(1)),
        Let("t1", dtypes.int64, Literal(16)),
        Let("t2", dtypes.int64, Literal(5)),
        Invoke("t3", dtypes.int64, "s0", arguments),
        Store(Access(2), "t3", dtypes.int64),
    )
    return Kernel((dtypes.float64, dtypes.float64, dtypes.int64), 1, without_dead(body))


def test_the_statement_that_calls() -> None:
    kernel = copying_kernel()
    assert decode(encode(kernel)) == kernel
    assert "t3: i64 = call s0(&p0[t0 * 1], &p1[0], t1)" in print_kernel(kernel).replace("p0[t0]", "p0[t0 * 1]")
    assert "t2" not in kernel_text(kernel)
    to, source, kept = np.zeros(4), np.arange(4.0), np.zeros(1, np.int64)
    addresses = np.array([each.ctypes.data for each in (to, source, kept)], np.int64)
    sizes = np.array([ctypes.cast(ctypes.memmove, ctypes.c_void_p).value], np.int64)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)(get_kernel(kernel_text(kernel)).address)
    assert run(addresses.ctypes.data, sizes.ctypes.data, 0, 1) == 0
    assert to.tolist() == [0.0, 0.0, 1.0, 0.0]
    assert kept[0] == to.ctypes.data + 8


def multiply(a: Any, b: Any, c: Any) -> None:
    """`c[...] = a @ b` by the C function; vectors as matrices of one row or column."""
    letter = "s" if c.dtype == np.float32 else "d"
    words = []
    for each in (a, b, c):
        words += [each.ctypes.data, *(step // each.itemsize for step in each.strides)]
    words += [
        *a.shape[:1],
        b.shape[1],
        a.shape[1],
        *(address_of(("blas", f"{letter}{name}")) for name in ("gemm", "gemv")),
    ]
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 14)
    assert function(address_of(("multiply", "f32" if letter == "s" else "f64")))(*words) == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "sizes", [(3, 4, 5), (1, 1, 1), (2, 3, 0), (30, 1, 40), (1, 30, 40), (20, 25, 30), (1, 1, 999)]
)
def test_products_of_every_layout(sizes: tuple[int, int, int], dtype: Any) -> None:
    rows, columns, inner = sizes
    tolerance = 1e-5 if dtype == np.float32 else 1e-13

    def laid(shape: tuple[int, int]) -> list[Any]:
        wide = RANDOM.random((2 * shape[0] + 2, 2 * shape[1] + 2)).astype(dtype)
        plain = wide[: shape[0], : shape[1]].copy()
        return [
            plain,
            np.asfortranarray(plain),
            wide[1:, 1:][: shape[0], : shape[1]],
            wide[1::2, 1::2][: shape[0], : shape[1]],
        ]

    for a in laid((rows, inner)):
        for b in laid((inner, columns)):
            for c in laid((rows, columns)):
                c[...] = np.nan
                multiply(a, b, c)
                assert np.allclose(c, a @ b, rtol=tolerance, atol=0)


def test_a_call_out_fills_its_results_or_says_no() -> None:
    name = inverse(("array", dtypes.float64, (2, 2), (2, 1)))
    function = caller_of(name)
    matrix, made = np.array([[2.0, 1.0], [1.0, 3.0]]), np.zeros((2, 2))
    words = matrix.ctypes.data, 2, 1, made.ctypes.data, 2, 1
    assert function(words) == 1
    assert (made == np.linalg.inv(matrix)).all()
    matrix[...] = 1.0
    assert function(words) == 0
    matrix[...] = np.eye(2)
    assert function(words) == 1
    assert (made == np.eye(2)).all()
    assert address_of(name) == address_of(name)


def caller_of(name: tuple[Any, ...]) -> Callable[[tuple[int, ...]], int]:
    """The call of the call-out of that name, over so many words."""
    text = "ask_python_of" + "_i64" * 6
    ask: Any = plain_callers_named_in(text)[text]
    return partial(ask, address_of(name))


def inverse(results: Any) -> tuple[Any, ...]:
    """The name of a call-out of `np.linalg.inv` over a matrix of two rows, that is to give such a result."""
    attrs = {
        "function": "numpy.linalg.inv",
        "arguments": (("array", 0, None),),
        "keywords": (),
        "results": results,
        "module": "__main__",
    }
    matrix = CalledArray(dtypes.float64, (2, 2))
    return call_outs.name_of(attrs, [matrix], [matrix], None)


def test_a_call_out_says_no_to_a_result_of_another_layout() -> None:
    name = inverse(("array", dtypes.float64, (2, 2), (1, 2)))
    function = caller_of(name)
    matrix, made = np.eye(2), np.zeros((2, 2))
    assert function((matrix.ctypes.data, 2, 1, made.ctypes.data, 2, 1)) == 0
    assert not made.any()


def test_names_of_call_outs_tell_equal_constants_apart() -> None:
    names = set()
    for known in (1, 1.0, True, 0.0, -0.0):
        given = (("constant", known),)
        attrs = {"function": "numpy.sort", "arguments": given, "keywords": (), "results": (), "module": ""}
        names.add(call_outs.name_of(attrs, [], [], None))
    assert len(names) == 5
