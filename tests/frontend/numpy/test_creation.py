"""New arrays from nothing, from numbers and from sequences."""

import numpy as np
import pytest
from frontend.numpy.operands import laid_out, values
from oracle import check, check_each

import guardlift as gl
from guardlift.frontend.tracing.numpy_versions import NUMPY

NEW = NUMPY.reshape_takes_copy

MADE = [
    "np.zeros(3)", "np.zeros((2, 3))", "np.zeros(())", "np.zeros([2, 3], np.float32)", "np.zeros(x.shape, x.dtype)",
    "np.zeros((2, 3), order='F')", "np.zeros(-1)", "np.zeros(2.0)", "np.zeros((2, 3), dtype=int)",
    "np.zeros(3, 'i4')", "np.zeros(3, complex)",
    "np.ones(3)", "np.ones((2, 3), bool)", "np.ones(x.shape)", "np.ones((2, 3), order='F')",
    "np.full(3, 2)", "np.full(3, 2.5)", "np.full((2, 3), True)", "np.full(3, x[0, 0])",
    "np.full(3, 2, dtype=np.float32)", "np.full(3, 300, np.uint8)", "np.full((2, 4), x[0])", "np.full(3, np.nan)",
    "np.full(3, 2.5, int)", "np.full(2, [1, 2])", "np.full(3, None)",
    "np.zeros_like(x)", "np.ones_like(x)", "np.full_like(x, 7)", "np.full_like(x, 2.5)",
    "np.zeros_like(x, dtype=int)", "np.ones_like(x, order='C')", "np.zeros_like(x, shape=(2,))",
    "np.full_like(x, x[0, 0])", "np.zeros_like(2.0)", "np.zeros_like([1, 2])", "np.ones_like(x.T)",
    "np.full_like(x, 300, dtype=np.uint8)",
    "np.arange(5)", "np.arange(1, 5)", "np.arange(1, 10, 3)", "np.arange(5, 1, -1)", "np.arange(0.0, 1.0, 0.1)",
    "np.arange(3.0)", "np.arange(5, dtype=np.float32)", "np.arange(0)", "np.arange(5, 1)",
    "np.arange(0, 1, 0.3, dtype=np.float32)", "np.arange(len(x))", "np.arange(x.shape[1]) * 2.0",
    "np.arange(1, 5, 0)", "np.arange(3, dtype=bool)", "np.arange(2.5)", "np.arange(1, 4.0)", "np.arange(True)",
    "np.arange(np.int32(4))", "np.arange(5, dtype=np.int8)",
    "np.linspace(0, 1, 5)", "np.linspace(0.0, 2.0)", "np.linspace(0, 1, 5, endpoint=False)", "np.linspace(1, 1, 3)",
    "np.linspace(0, 1, 1)", "np.linspace(0, 1, 0)", "np.linspace(0, 1, 5, dtype=np.float32)",
    "np.linspace(0, 10, 5, dtype=int)", "np.linspace(0, 1, 5, retstep=True)", "np.logspace(0, 1, 3)",
    "np.linspace(x[0], 1, 3)",
    "np.eye(3)", "np.eye(3, 4)", "np.eye(3, k=1)", "np.eye(3, 4, -1, dtype=int)", "np.identity(3)",
    "np.identity(2, np.float32)", "np.tri(3)", "np.eye(3, dtype=bool)", "np.eye(0)",
    "np.array([1, 2, 3])", "np.array([1.0, 2])", "np.array([True, False])", "np.array([[1, 2], [3, 4.5]])",
    "np.array([x[0, 0], x[1, 1]])", "np.array([x[0], x[1]])", "np.array([x[0, 0], 2])", "np.array([x, x])",
    "np.array((1, 2), dtype=np.float32)", "np.array([])", "np.array([[]])", "np.array(3)", "np.array(2.5)",
    "np.array([1, [2, 3]])",
    "np.array([x[0, 0], 2.5, 1])", "np.array([[x[0, 0], 0], [0, x[1, 1]]])", "np.array([1, 2], dtype=int)",
    "np.array([1.7, -1.7], dtype=int)", "np.array([300], dtype=np.uint8)", "np.array([1, None])", "np.array(['a'])",
    "np.array([1, 2.5, True])", "np.array([x[0], [1, 2, 3, 4]])", "np.array([x.sum(), x.mean()])",
    "np.array(x, dtype=np.float32)", "np.array([x], dtype=np.float32)", "np.array([2**40, 1])", "np.array([2**63])",
    "np.array([2**70])",
    "np.asarray([1, 2])", "np.asarray(2.0)", "np.asarray(x, dtype=np.float32)", "np.asarray(x, dtype=x.dtype)",
    "np.asarray(x[0, 0])", "np.ascontiguousarray([1, 2])", "np.asarray([x[0], x[1]], dtype=int)", "np.asanyarray(x)",
    "np.float32(2.5)", "np.int32(3)", "np.float64(x[0, 0])", "np.float32([1, 2])", "np.bool_(1)", "np.float32(x)",
    "np.int8(300)", "np.uint8(-1)", "np.int64(2.7)", "np.float64()", "np.float32(x.sum())",
    "np.empty(3) * 0 == 0", "np.empty_like(x).shape", "np.ndarray((2,)).shape", "np.fromiter([1, 2], int)",
    "np.random.rand(3).shape",
]  # fmt: skip


@pytest.mark.parametrize("text", MADE)
def test_a_new_array(text):
    rows = [(values((3, 4), dtype),) for dtype in ("float64", "float32", "int32")] + [
        (laid_out(values((3, 4), "float64"), "F"),)
    ]
    check_each(eval(f"lambda x: ({text}, x + 1)"), rows, expect=None)


COMPILED = [
    "np.zeros((2, 3))",
    "np.ones(x.shape)",
    "np.full(3, 2.5)",
    "np.zeros_like(x)",
    "np.full_like(x, 7)",
    "np.arange(5)",
    "np.arange(0.0, 1.0, 0.1)",
    "np.linspace(0, 1, 5)",
    "np.eye(3)",
    "np.identity(3)",
    "np.array([1, 2, 3])",
    "np.array([[1, 2], [3, 4.5]])",
    "np.array([x[0, 0], x[1, 1]])",
    "np.array([x[0, 0], 2.5])",
    "np.asarray([1, 2])",
    "np.float32(2.5) * x",
    "np.tri(3)",
    "np.array([])",
]


@pytest.mark.parametrize("text", COMPILED)
def test_a_new_array_compiles(text):
    check(eval(f"lambda x: ({text}, x + 1)"), values((3, 4), "float64"), expect="compiled")


@pytest.mark.parametrize("text", ["np.full(3, a)", "np.full(3, n)", "np.full((2, 2), a, np.float32)",
    "np.array([a, n, 1.0])", "np.array([n, 1])", "np.array([a, a])", "np.array(a)", "np.array(n)", "np.arange(n)",
    "np.arange(a, a + 3)", "np.full_like(x, a)", "np.full_like(x, n)", "np.float32(a)", "np.int64(n)",
    "np.float64(n)", "np.int32(a)", "np.zeros(n)",
                                  "np.asarray(a)", "np.asarray([a, 2])", "np.linspace(0, a, 3)",
                                  "np.array([[a, 0], [0, a]])", "np.array([a, x[0]])", "np.uint8(n)", "np.bool_(a)",
                                  "np.array([n, a], dtype=np.float32)", "np.eye(n)", "x * np.array([a])",
                                  "np.where(x > 0, a, n)", "np.where(x > 0, n, 0)", "np.maximum(x, a)",
                                  "np.clip(x, -a, a)", "np.asarray(n) + x", "np.array([n] * 3)"])  # fmt: skip
def test_new_arrays_from_numbers_of_the_call(text):
    for dtype in ("float64", "float32", "int32"):
        check(eval(f"lambda x, a, n: ({text}, x + 1)"), values((3,), dtype), 0.5, 3, backend="reference")
        check(
            eval(f"lambda x, a, n: ({text}, x + 1)"),
            values((3,), dtype),
            np.float64(0.5),
            np.int64(3),
            backend="reference",
        )


@pytest.mark.parametrize("text", ["np.full(3, a)", "np.array([a, 2.0])", "np.full_like(x, a)", "np.maximum(x, a)"])
def test_another_float_needs_no_compile(text):
    import guardlift as gl
    from guardlift.frontend import state_of

    function = eval(f"lambda x, a: {text}")
    jitted = gl.jit(function)
    x = values((3,), "float64")
    for number in (0.5, 2.0, -1.0):
        assert np.array_equal(jitted(x, number), function(x, number))
    assert len(state_of(jitted).history) == 1


def test_an_array_made_inside_is_new_at_each_call():
    report = check(
        lambda x: (np.zeros(3), np.array([1.0, 2.0]), x + 1), values((3,), "float64"), expect="compiled", calls=3
    )
    first, second, third = (result[0] for result in report.results)
    assert not np.shares_memory(first, second) and not np.shares_memory(second, third)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_constructor_ndarray_makes_an_array_to_fill(order):
    def f(x):
        made = np.ndarray(shape=x.shape, dtype=np.float32, order=order)
        made[:] = x
        return made, isinstance(x, np.ndarray)

    assert not check(f, np.arange(6.0).reshape(2, 3)).breaks


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("ends", [True, False])
def test_other_bounds_of_linspace_compile_nothing(count, ends):
    def spaced(a, b, x):
        return np.linspace(a, b, count, ends), np.linspace(0, np.log(x[0]), count, endpoint=ends), np.linspace(b, 5, 3)

    pairs = [(0.0, 2.0), (1e308, -1e308), (5e-324, 1e-323), (-0.0, 0.0), (np.inf, 1.0), (0.1, np.nan), (0.3, 7.7)]
    jitted = gl.jit(spaced)
    with np.errstate(all="ignore"):
        for a, b in pairs:
            for found, wanted in zip(jitted(a, b, np.array([a, b])), spaced(a, b, np.array([a, b])), strict=True):
                np.testing.assert_array_equal(found, wanted)
                np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(wanted[wanted == 0]))
                assert found.flags.owndata == wanted.flags.owndata
    report = gl.explain(jitted)
    assert (report.compiles, len(report.breaks)) == (1, 0)


ARRAY_API = [
    "np.asarray(x, copy=True)", "np.asarray(x.T, copy=None)", "np.asarray(x, copy=False)",
    "np.asarray(x, device='cpu')",
    "np.zeros(3, device='cpu') + np.ones(3, device=None) + np.full(3, 2.0, device='cpu')",
    "np.arange(4, device='cpu') + np.linspace(0, 1, 4, device='cpu') + np.eye(4, device='cpu')",
    "np.empty_like(x, device='cpu').shape", "np.zeros_like(x, device='cpu') + np.full_like(x, 2, device='cpu')",
    "np.ones_like(x, device='cpu')", "x.to_device('cpu')", "x.to_device(x.device) * 2",
]  # fmt: skip
ARRAY_API += ["np.asanyarray(x.T, copy=True)"] * NEW
ARRAY_API += ["np.reshape(x, (4, 3), copy=True)", "x.reshape(12, copy=False)", "np.reshape(x.T, 12, copy=None)"] * NEW


def test_the_arguments_of_the_array_api_are_understood() -> None:
    x = np.arange(12.0).reshape(3, 4)
    for each in ARRAY_API:
        check(eval(f"lambda x: ({each}, x + 1)"), x, expect="compiled", backend="reference")
    for each in (
        "np.asanyarray(x, copy=True)",
        "np.zeros(3, device='gpu')",
        "x.to_device('gpu')",
        *["np.reshape(x.T, 12, copy=False)"] * NEW,
    ):
        check(eval(f"lambda x: ({each}, x + 1)"), x, backend="reference")
