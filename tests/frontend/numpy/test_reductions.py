"""Reductions: dtypes, axes, keepdims, layouts of results, empty and odd operands."""

import numpy as np
import pytest
from frontend.numpy.operands import DTYPES, laid_out, operands, values
from oracle import check, check_each

REDUCTIONS = ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std", "ptp"]
AXES = [None, 0, 1, -1, (0,), (0, 2), (1, 0), (0, 1, 2), (), 3, (0, 0), (2, -1)]
CUBES = [
    laid_out(values((2, 3, 4), "float64", 3), layout)
    for layout in ("C", "F", "strided", "reversed", "middle", "repeated")
]


def call(text):
    return eval(f"lambda x: {text}")


@pytest.mark.parametrize("name", [*REDUCTIONS, "argmax", "argmin", "count_nonzero"])
@pytest.mark.slow
def test_a_reduction_of_every_dtype(name):
    shapes = ((), (1,), (5,), (3, 4), (1, 4), (0,), (0, 3), (2, 3, 4))
    for dtype in DTYPES:
        rows = [(x,) for x in operands(dtype, shapes=shapes, layouts=("C",))]
        check_each(call(f"np.{name}(x)"), rows)
        if hasattr(np.ndarray, name):
            check_each(call(f"x.{name}()"), rows)
            # What NumPy computes itself (the variance of float16) it is not asked for one number.
            check(call(f"x.{name}()"), np.dtype(dtype).type(1), expect=None, backend="reference")


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_a_reduction_along_axes_lays_its_result_out_as_numpy_does(name, axis):
    for keepdims in (False, True):
        check_each(call(f"np.{name}(x, axis={axis}, keepdims={keepdims})"), [(x,) for x in CUBES])
    if name != "ptp":
        check_each(call(f"x.{name}({axis})"), [(x,) for x in CUBES[:2]])


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_the_place_of_an_extreme(name):
    ties = np.array([[1.0, np.nan, 3.0, 3.0], [np.nan, np.nan, 0.0, 0.0], [2.0, 2.0, 1.0, 2.0]])
    rows = [
        (x,)
        for x in (*CUBES, ties, np.asfortranarray(ties), np.zeros((2, 2), bool), np.zeros((0, 3)), np.zeros((3, 0)))
    ]
    for axis in (None, 0, 1, -1, 5):
        for keepdims in (False, True):
            check_each(call(f"np.{name}(x, axis={axis}, keepdims={keepdims})"), rows, expect=None)
    check_each(call(f"x.{name}(0)"), rows[:-2])


@pytest.mark.parametrize("layout", ["F", "strided", "reversed", "middle"])
def test_kernels_find_the_first_extreme_in_any_memory_order(layout):
    rng = np.random.default_rng(3)
    for shape in ((3, 2), (2, 3, 4), (7, 300), (300, 7)):
        for x in (rng.integers(0, 3, shape).astype(float), rng.standard_normal(shape)):
            check(
                lambda x: (np.argmax(x), np.argmin(x), x.argmax(0), x.argmin(-1)),
                laid_out(x, layout),
                expect="compiled",
            )


@pytest.mark.parametrize("dtype", DTYPES)
def test_special_values_in_reductions(dtype):
    x = values((3, 4), dtype, 7, special=True)
    check(
        lambda x: (x.sum(0), x.prod(1), x.max(0), x.min(1), x.any(0), x.all(1), x.argmax(0), x.argmin(1)),
        x,
        expect="compiled",
        backend="reference",
    )
    check(
        lambda x: (np.mean(x, axis=0), np.var(x, axis=1), np.std(x)),
        abs(x) if dtype != "bool" else x,
        expect="compiled",
        backend="reference",
        rtol=1e-5,
    )


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std"])
def test_the_dtype_argument_of_a_reduction(name):
    for dtype in (
        "np.float64",
        "np.float32",
        "'float64'",
        "np.int64",
        "int",
        "float",
        "np.int16",
        "bool",
        "None",
        "np.complex128",
        "np.float16",
    ):
        for source in ("float64", "float32", "int32", "uint8", "bool"):
            check(
                call(f"np.{name}(x, axis=0, dtype={dtype})"),
                abs(values((3, 4), source)),
                backend="reference",
                rtol=1e-5,
            )


def test_positional_arguments_of_reductions():
    x = values((2, 3, 4), "float64")
    check(
        lambda x: (
            np.sum(x, 1),
            np.sum(x, 1, None),
            np.max(x, 0),
            x.sum(1, np.float64),
            x.mean(0, None),
            np.std(x, 1),
            x.all(0),
        ),
        x,
        expect="compiled",
    )


def test_initial_where_and_out_are_honoured():
    x, out = values((3, 4), "float64"), np.zeros(4)
    check(lambda x: np.sum(x, initial=10.0), x)
    check(lambda x: np.max(x, axis=0, initial=1.0), x)
    check(lambda x: np.sum(x, where=x > 0), x)
    for name in REDUCTIONS:
        check(eval(f"lambda x, out: np.{name}(x, axis=0, out=out)"), x, out, backend="reference")
        check(eval(f"lambda x, out: np.{name}(x, 0, out=out)"), x, out.astype(np.float32), backend="reference")
        check(eval(f"lambda x, out: np.{name}(x, 0, out=out)"), x, np.zeros(3), backend="reference")
    check(lambda x, out: x.sum(0, out=out), x, out, expect="compiled")
    check(lambda x: np.sum(x, axis=0, out=x[0]), x, expect="compiled")
    check(lambda x, out: np.mean(x, out=out), x, np.zeros(()))
    check(lambda x, out: np.argmax(x, 0, out), x, np.zeros(4, int))


@pytest.mark.parametrize("ufunc", ["add", "multiply", "maximum", "minimum", "logical_and", "logical_or", "subtract"])
def test_reduce_of_a_ufunc(ufunc):
    for arguments in (
        "",
        ", axis=1",
        ", 0",
        ", axis=None",
        ", axis=(0, 1)",
        ", axis=0, keepdims=True",
        ", 0, np.float64",
    ):
        check_each(
            call(f"np.{ufunc}.reduce(x{arguments})"),
            [(values((3, 4), dtype),) for dtype in ("float64", "int32", "bool")],
            expect=None,
        )


def test_sums_of_many_numbers_stay_as_accurate_as_numpys():
    rng = np.random.default_rng(4)
    for dtype in (np.float32, np.float64):
        x = rng.standard_normal((300, 200)).astype(dtype)
        check(
            lambda x: (x.sum(), x.sum(0), x.sum(1), x.mean(0), x.var(1), x.std()),
            x,
            expect="compiled",
            rtol=2e-5 if dtype is np.float32 else 1e-13,
        )


def test_reductions_of_lists_and_numbers():
    check(lambda x, a: (np.sum([a, a]), np.max([1.0, a]), np.mean((a, 2.0))), values((3,), "float64"), 0.5)
    check(lambda x, a: (x, np.sum(a), np.mean(a)), values((3,), "float64"), 0.5)
    check(lambda x: np.sum([x, x], axis=0), values((3,), "float64"), expect="compiled")
    check(lambda x: (np.max([]), x), values((3,), "float64"))


def test_average_and_median():
    x, w = values((3, 4), "float64"), abs(values((3, 4), "float64", 5)) + 1
    check(lambda x: (np.average(x), np.average(x, axis=0), np.average(x, axis=1)), x, expect="compiled")
    check(lambda x, w: (np.average(x, weights=w), np.average(x, axis=0, weights=w)), x, w)
    check(lambda x, w: np.average(x, axis=1, weights=w), x, w[0])
    check(lambda x: np.average(x), values((3, 4), "int32"), expect="compiled")
    check(lambda x: np.median(x), x)
    check(lambda x: np.cumsum(x), x)
    check(lambda x: x.cumsum(0), x)


@pytest.mark.parametrize(
    "body",
    [
        "a[i].argmax(axis=0), a[:, i].argmin(axis=1), a[i].max(axis=0)",
        "np.take(a, i, axis=0).argmax(axis=0), np.take_along_axis(a, a.argmax(axis=0)[None], axis=0).argmin(axis=1)",
        "np.argmin(np.abs(a[1][i] - 0.5)), a.ravel()[i].argmax()",
        "a[i][:, ::-1].argmax(axis=1), a[i].T.argmin(axis=0), (a[i] * a[i[::-1]]).argmax(axis=1)",
        "np.concatenate([a[i], a]).argmax(0), np.pad(a[i], 1).argmin(axis=1), np.where(a[i] > 1, a[i], 9).argmin()",
        "a[i, i].argmax(), a[i[:, None], i].argmin(axis=0), a[a.argmin(axis=0)].argmax(axis=0)",
        "a[i].argmax(axis=0)[a[i].argmax(axis=1)], np.bincount(a[i].argmax(axis=1), minlength=4)",
    ],
)
def test_where_the_extremes_of_elements_picked_by_an_index_array_are(body):
    """Through kernels: such elements are not in memory when their place is looked for."""
    function = eval(f"lambda a, i: ({body})")
    special = np.array([[1.0, np.nan, 2.0, 2.0], [-0.0, 0.0, 0.0, -0.0], [np.inf, 1.0, np.inf, 0.0], [-np.inf] * 4])
    check(function, special, np.array([3, 0, -2, 0]), expect="compiled", recompiles=0)
