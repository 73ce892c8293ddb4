"""Products and norms."""

import numpy as np
import pytest
from frontend.numpy.operands import SOME, laid_out, values
from oracle import check, check_each

SHAPES = [
    ((3, 4), (4, 2)),
    ((3, 4), (4,)),
    ((3,), (3, 4)),
    ((4,), (4,)),
    ((2, 3, 4), (4, 2)),
    ((2, 3, 4), (2, 4, 1)),
    ((1, 3, 4), (5, 4, 2)),
    ((3, 4), (3, 4)),
    ((), (3,)),
    ((3,), ()),
    ((0, 3), (3, 0)),
    ((2, 0), (0, 3)),
    ((1, 1), (1, 1)),
    ((3,), (2, 3, 4)),
    ((2, 3, 4), (4,)),
    ((), ()),
]
FUNCTIONS = [
    "x @ y",
    "np.matmul(x, y)",
    "np.dot(x, y)",
    "x.dot(y)",
    "np.inner(x, y)",
    "np.outer(x, y)",
    "np.vdot(x, y)",
    "np.tensordot(x, y, axes=1)",
    "np.tensordot(x, y, 0)",
    "np.kron(x, y)",
    "np.linalg.vecdot(x, y)",
    "np.vecdot(x, y)",
]


@pytest.mark.parametrize("text", FUNCTIONS)
def test_a_product_of_every_pair_of_shapes(text):
    check_each(
        eval(f"lambda x, y: {text}"),
        [(values(a, "float64", 1), values(b, "float64", 2)) for a, b in SHAPES],
        expect=None,
    )


@pytest.mark.parametrize("text", ["x @ y", "np.dot(x, y)", "np.inner(x, y)", "np.outer(x, y)", "np.vdot(x, y)"])
def test_a_product_promotes_as_numpy_does(text):
    function = eval(f"lambda x, y: {text}")
    for a, b in (((3, 3), (3, 3)), ((3,), (3,))):
        check_each(function, [(values(a, one, 1), values(b, two, 2)) for one in SOME for two in SOME], expect=None)


@pytest.mark.parametrize("text", ["x @ y", "np.dot(x, y)", "x.T @ y", "(x @ y.T).T"])
def test_a_product_of_views_lays_its_result_out_as_numpy_does(text):
    layouts = ("C", "F", "strided", "reversed", "repeated")
    rows = [
        (laid_out(values((3, 3), "float64", 1), one), laid_out(values((3, 3), "float64", 2), two))
        for one in layouts
        for two in layouts
    ]
    check_each(eval(f"lambda x, y: {text}"), rows)


@pytest.mark.parametrize(
    "text",
    [
        "x @ y",
        "x @ y[0]",
        "np.dot(x, y) + 1",
        "x @ x.T",
        "np.outer(x[0], y[0])",
        "np.vdot(x, y)",
        "np.inner(x[0], y[0])",
        "np.linalg.norm(x)",
        "np.linalg.norm(x[0])",
        "np.tensordot(x, y, axes=1)",
    ],
)
def test_a_product_compiles(text):
    check(eval(f"lambda x, y: {text}"), values((3, 3), "float64", 1), values((3, 3), "float64", 2), expect="compiled")


def test_products_with_scalars_lists_and_targets():
    x, y = values((3, 3), "float64", 1), values((3, 3), "float64", 2)
    check(lambda x: np.dot(x, 2), x)
    check(lambda x: np.dot(2.0, x), x)
    check(lambda x: np.dot(x, [1, 2, 3]), x)
    check(lambda x: x @ [1, 2, 3], x)
    check(lambda x: [1, 2, 3] @ x, x)
    check(lambda x: x @ 2, x)
    check(lambda x, s: x @ s, x, np.float64(2))
    check(lambda x, s: np.dot(x, s), x, np.float64(2))
    check(lambda x, y, out: np.matmul(x, y, out=out), x, y, np.zeros((3, 3)))
    check(lambda x, y, out: np.dot(x, y, out=out), x, y, np.zeros((3, 3)))
    check(lambda x, y: np.matmul(x, y, out=x), x, y)

    def f(x, y):
        x @= y
        return x

    check(f, x, y)
    check(f, values((3, 3), "int64"), y)
    check(f, x, y[:, :2])
    check(lambda x, y: np.einsum("ij,jk->ik", x, y), x, y)


@pytest.mark.parametrize(
    "arguments",
    [
        "x",
        "x, 2",
        "x, axis=0",
        "x, axis=1, keepdims=True",
        "x, 1",
        "x, np.inf",
        "x, 'fro'",
        "x, 2, 1",
        "x, 1, axis=0",
        "x, np.inf, 0",
        "x, 0, 0",
        "x, 3, 0",
        "x[0]",
        "x[0], 1",
        "x[0], np.inf",
        "x[0], -np.inf",
        "x.ravel(), 2",
    ],
)
def test_norms(arguments):
    check_each(
        eval(f"lambda x: np.linalg.norm({arguments})"),
        [(values((3, 4), dtype),) for dtype in ("float64", "float32", "int32")]
        + [(laid_out(values((3, 4), "float64"), "F"),)],
        expect=None,
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex128, np.int32])
@pytest.mark.parametrize("name", ["np.dot", "np.inner"])
def test_a_number_times_an_array_is_what_numpy_gives_for_zeros_and_infinities(name, dtype):
    function = {"np.dot": lambda s, x: (np.dot(s, x), np.dot(x, s)), "np.inner": lambda s, x: np.inner(s, x)}[name]
    many = np.array([1.0, -1.0, -2.0] if dtype is np.int32 else [np.inf, -1.0, np.nan, 2.0]).astype(dtype)
    for number in (0.0, -0.0, 3.0):
        for array in (many, many[1:2], many[::-1], many[1], np.array([[-1.0, 2.0], [0.0, -0.0]]).astype(dtype)):
            with np.errstate(invalid="ignore"):
                check(function, dtype(number), array)
