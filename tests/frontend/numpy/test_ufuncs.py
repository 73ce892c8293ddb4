"""Ufuncs and operators: every one in the table, over dtypes, layouts and broadcasts."""

import operator

import numpy as np
import pytest
from frontend.numpy.operands import DTYPES, FLOATS, INTEGERS, LAYOUTS, SOME, laid_out, operands, values
from oracle import Comparison, Tolerance, check, check_each, run, under

import guardlift as gl
from guardlift.frontend.numpy.ufuncs import UFUNCS
from guardlift.frontend.tracing.rules import load_rules

load_rules()
UNARY = sorted((each for each in UFUNCS if each.nin == 1), key=lambda each: each.__name__)
POWERS = (np.power, np.float_power)
BINARY = sorted((each for each in UFUNCS if each.nin == 2), key=lambda each: each.__name__)


def named(each):
    return each.__name__


@pytest.mark.parametrize("ufunc", UNARY, ids=named)
def test_a_unary_ufunc_gives_what_numpy_gives_for_every_dtype_and_layout(ufunc):
    for dtype in DTYPES:
        if _has_loop(ufunc, dtype):
            layouts = LAYOUTS if dtype in ("int32", "float64") else ("C",)
            check_each(lambda x: ufunc(x), [(x,) for x in operands(dtype, special=True, layouts=layouts)])
        else:
            check(lambda x: ufunc(x), values((3,), dtype), backend="reference")


def _has_loop(ufunc, *dtypes):
    try:
        found = ufunc.resolve_dtypes((*map(np.dtype, dtypes), None))
    except TypeError:
        return True
    return all(each.kind != "f" or each.itemsize in (4, 8) for each in found)


@pytest.mark.parametrize("ufunc", BINARY, ids=named)
def test_a_binary_ufunc_promotes_every_pair_of_dtypes_as_numpy_does(ufunc):
    rows = []
    for one in DTYPES:
        for two in DTYPES:
            if _has_loop(ufunc, one, two) and not _may_refuse(ufunc, one, two):
                shape = (2, 3) if ufunc in POWERS else (3,)
                rows.append((values((2, 3), one, 1, special=True), values(shape, two, 2, special=True)))
    check_each(lambda x, y: ufunc(x, y), rows, expect=None if ufunc is np.fmod else "compiled")


def _may_refuse(ufunc, one, two):
    return ufunc is np.power and "f" not in (np.dtype(one).kind, np.dtype(two).kind)


SHAPE_PAIRS = [
    ((), ()),
    ((3,), ()),
    ((3, 4), (4,)),
    ((3, 1), (1, 4)),
    ((3, 4), (3, 4)),
    ((2, 3, 4), (3, 1)),
    ((0, 4), (1, 4)),
    ((2, 3), (3, 2)),
    ((5,), (4,)),
]


@pytest.mark.parametrize("ufunc", BINARY, ids=named)
def test_a_binary_ufunc_broadcasts_and_lays_out_its_result_as_numpy_does(ufunc):
    dtype = "int64" if ufunc.types[0][0] != "f" and not _has_float_loop(ufunc) else "float64"
    rows = []
    for one, two in SHAPE_PAIRS:
        for k, (first, second) in enumerate(
            [("C", "C"), ("F", "F"), ("C", "F"), ("strided", "reversed"), ("middle", "C"), ("repeated", "middle")]
        ):
            left, right = values(one, dtype, k, special=False), abs(values(two, dtype, k + 9))
            rows.append((laid_out(left, first), laid_out(right, second)))
    check_each(lambda x, y: ufunc(x, y), rows, expect=None if ufunc in (*POWERS, np.fmod) else "compiled")


def _has_float_loop(ufunc):
    return any("d" in each.split("->")[0] for each in ufunc.types)


OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
NUMBERS = [
    True,
    False,
    0,
    1,
    -1,
    7,
    127,
    128,
    255,
    256,
    -129,
    2**31,
    2**40,
    2**63,
    2**64,
    -(2**63),
    0.5,
    -0.0,
    1e300,
    float("nan"),
    float("inf"),
]


def written(symbol, form="x {} y"):
    """The function that applies an operator written in the source."""
    return eval(f"lambda x, y: {form.format(symbol)}")


@pytest.mark.parametrize("symbol", OPERATORS)
@pytest.mark.slow
def test_an_array_and_a_python_number_follow_nep_50(symbol):
    function = written(symbol)
    for dtype in SOME:
        x = values((4,), dtype, special=True)
        rows = [(x, number) for number in NUMBERS] + [(number, x) for number in NUMBERS]
        check_each(function, _with_kernels(function, rows), expect=None)


@pytest.mark.parametrize("symbol", OPERATORS)
def test_an_array_and_a_literal_follow_nep_50(symbol):
    for number in ["True", "3", "-1", "300", "2.5", "-0.0", "10**30"]:
        for form in (f"x {{}} {number}", f"{number} {{}} x"):
            function = eval(f"lambda x: {form.format(symbol)}")
            check_each(function, _with_kernels(function, [(values((4,), dtype),) for dtype in SOME]), expect=None)


@pytest.mark.parametrize("symbol", OPERATORS)
@pytest.mark.slow
def test_numpy_scalars_take_part_as_arrays_do(symbol):
    function = written(symbol)
    rows = []
    for one in SOME:
        for two in SOME:
            left, right = np.dtype(one).type(3), np.dtype(two).type(2)
            rows += [
                (left, right),
                (values((3,), one), right),
                (left, values((3,), two)),
                (values((), one), right),
                (left, values((), two)),
            ]
        rows += [(np.dtype(one).type(3), 2), (2.5, np.dtype(one).type(3)), (np.dtype(one).type(1), True)]
    check_each(function, _with_kernels(function, rows))


def _with_kernels(function, rows):
    """The rows whose result has a dtype that kernels compute with."""
    kept = []
    with np.errstate(all="ignore"):
        for row in rows:
            try:
                found = np.asarray(function(*row)).dtype
            except Exception:
                found = np.dtype(float)
            if found.kind in "bu" or found.kind in "if" and found.itemsize != 2:
                kept.append(row)
    return kept


IN_PLACE = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "**"]


def in_place(symbol):
    namespace = {}
    exec(f"def f(x, y):\n    x {symbol}= y\n    return x", namespace)
    return namespace["f"]


@pytest.mark.parametrize("symbol", IN_PLACE)
@pytest.mark.slow
def test_an_in_place_operator_writes_into_the_array_or_raises_as_numpy_does(symbol):
    function = in_place(symbol)
    for one in SOME:
        for two in [*SOME, 1, 2, 2.5, True]:
            right = two if not isinstance(two, str) else abs(values((3,), two)) if two != "bool" else values((3,), two)
            for x in (values((3,), one), laid_out(values((2, 3), one), "F"), laid_out(values((3,), one), "reversed")):
                if symbol != "**" or "float" in one:
                    check(function, x, right, backend="reference")


@pytest.mark.parametrize("symbol", IN_PLACE)
def test_an_in_place_operator_on_a_numpy_scalar_makes_a_new_one(symbol):
    function = in_place(symbol)
    for one in SOME:
        for right in (np.float64(2), np.int32(2), 2, 2.5, values((3,), "int64")):
            if symbol != "**":
                check(function, np.dtype(one).type(3), right, backend="reference")


EXPONENTS = [
    0,
    1,
    2,
    3,
    -1,
    -2,
    0.0,
    0.5,
    1.0,
    2.0,
    -1.0,
    -0.5,
    2.5,
    3.0,
    4.0,
    True,
    False,
    np.float64(2),
    np.float32(0.5),
    np.int64(2),
    np.int64(3),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.slow
def test_the_power_operator_takes_numpys_short_cuts(dtype):
    for exponent in EXPONENTS:
        functions = [eval("lambda x, e=exponent: x ** e", {"exponent": exponent})]
        if type(exponent) in (int, float, bool):
            functions.append(eval(f"lambda x: x ** {exponent!r}"))
        for function in functions:
            for x in (
                values((3, 4), dtype, 2, special=True),
                laid_out(values((3, 4), dtype), "F"),
                values((), dtype),
                np.dtype(dtype).type(3),
            ):
                check(function, x, backend="reference")


KINDS = (np.float64, np.float32, np.float16, np.int64, np.int8, np.bool_, np.array)
NUMBERS = [2, 3, 0.5, 2.0, 3.0, True, np.float16(0.5), np.float64(0.5), np.array(0.5), np.array(-1.0)]
NUMBERS += [kind(each) for kind in KINDS for each in (2, 3)]


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", "float32", "float64", "complex128"])
@pytest.mark.slow
def test_one_function_raises_an_array_to_powers_of_every_kind(dtype):
    """Up to NumPy 2.2 the value of one exponent decides on the dtype."""

    def power(x, e):
        return x**e, np.power(x, e)

    def power_in_place(x, e):
        x **= e
        return x

    for function in (power, power_in_place):
        jitted = gl.jit(function)
        for exponent in NUMBERS + NUMBERS[::-1]:
            for x in (np.array([1, 0, 3]).astype(dtype), np.array(3).astype(dtype)):
                with under("reference"), gl.config.patch(recompile_limit=100):
                    plain, found = (run(each, (x.copy(), exponent), {}) for each in (function, jitted))
                Comparison(Tolerance(ulp=4), f"{x!r} ** {exponent!r}", [], []).outcomes(plain, found)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_powers_of_rows_in_a_native_loop(dtype):
    def total(x, e):
        made = np.zeros(3)
        for k in range(len(x)):
            made = made + x[k] ** e
        return made

    rows = np.array([[0.0, 1, 4]] * 9).astype(dtype)
    if dtype != "int32":
        rows[1] = -0.0, -np.inf, 4
    for exponent in (0.5, 2.0, 2, 3.0, np.float64(0.5), np.float64(2), np.array([0.5, 2, 3])):
        check(total, rows, exponent)
        check(lambda x, e=exponent: total(x, e), rows)


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_power_by_a_half_is_no_square_root(dtype):
    x = np.array([-0.0, -np.inf, 4.0], dtype)
    for exponent in (0.5, np.float64(0.5), np.array([0.5]), np.full(3, 0.5)):
        check(lambda x, e: (np.float_power(x, e), np.float_power(x, 0.5)), x, exponent, backend="reference")


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_number_to_the_power_of_an_array(dtype):
    for base in (2, 2.0, 0.5, -1, True, np.float32(2), np.int64(3)):
        check(
            lambda x, b: b**x,
            abs(values((4,), dtype)) if dtype != "bool" else values((4,), dtype),
            base,
            backend="reference",
        )


@pytest.mark.parametrize("name", ["np.negative", "np.positive", "np.absolute", "abs", "operator.neg"])
def test_unary_operators_and_abs(name):
    function = {
        "np.negative": lambda x: -x,
        "np.positive": lambda x: +x,
        "np.absolute": lambda x: np.abs(x),
        "abs": lambda x: abs(x),
        "operator.neg": lambda x: ~x,
    }[name]
    for dtype in DTYPES:
        layouts = LAYOUTS if dtype == "float64" else ("C",)
        check_each(
            function, [(x,) for x in operands(dtype, special=True, layouts=layouts)] + [(np.dtype(dtype).type(1),)]
        )


def test_integer_division_by_zero_and_overflow_wrap_as_in_numpy():
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        x = np.array([info.min, info.max, 0, 1, info.min], dtype)
        y = np.array([info.max, info.max, 0, 0, -1 if info.min else 1], dtype)
        check(lambda x, y: (x + y, x - y, x * y, x // y, x % y, -x, abs(x), x // 0, x % 0), x, y, expect="compiled")


@pytest.mark.parametrize("dtype", FLOATS)
def test_comparison_with_nan_and_signed_zeros(dtype):
    x = np.array([np.nan, 0.0, -0.0, 1.0, np.inf, -np.inf], dtype)
    check(
        lambda x, y: (x < y, x <= y, x == y, x != y, x > y, x >= y, np.maximum(x, y), np.minimum(x, y)),
        x[:, None],
        x,
        expect="compiled",
    )


def test_a_ufunc_with_out_returns_that_array():
    x, y = values((3, 4), "float64"), values((3, 4), "float64", 1)
    for out in (
        np.zeros((3, 4)),
        np.zeros((4, 3)).T,
        np.zeros((3, 8))[:, ::2],
        np.zeros((2, 3, 4)),
        np.zeros((3, 4), np.float32),
        np.zeros(4),
        np.zeros((3, 4), int),
    ):
        check(lambda x, y, out: np.add(x, y, out=out), x, y, out, backend="reference")
        check(lambda x, y, out: np.add(x, y, out), x, y, out, backend="reference")
        check(lambda x, y, out: np.multiply(x, y, out=(out,)), x, y, out, backend="reference")


def test_where_writes_the_places_of_a_mask():
    def masked(x, out, mask):
        root = np.sqrt(x, out=out, where=x > 0)
        np.divide(1, x, out=out, where=x != 0)
        np.add(out, x, out=out, where=mask)
        np.subtract(out[1:], out[:-1], out=out[1:], where=out[1:] < 0)
        np.negative(x, out=out, where=True)
        np.multiply(x, 3, out=out, where=np.array(False))
        return root is out, np.divide(x, x, out=np.full(x.shape, -1.0), where=x != 0), np.exp(x, where=True)

    x = np.arange(-6.0, 6.0).reshape(3, 4)
    for kind in ("float64", "float32", "int32"):
        check(masked, x.astype(kind), np.ones((3, 4)), np.array([True, False, True, True]), expect="compiled")
    check(masked, laid_out(x, "F"), laid_out(np.ones((3, 4)), "sliced"), x[:, :1] > 0, backend="reference")
    one, two = ([u for u in table if f"{'d' * u.nin}->" in str(u.types)] for table in (UNARY, BINARY))
    assert len(one) > 20 and len(two) > 15

    def every(x, y, mask):
        made = [each(x, out=np.zeros(x.shape, each(x).dtype), where=mask) for each in one]
        return made + [each(x, y, out=np.zeros(x.shape, each(x, y).dtype), where=mask) for each in two]

    check(every, x, values((3, 4), "float64"), x > 1, backend="reference")
    for text in (
        "np.multiply(x, 2, out=i, where=x > 0)",
        "np.multiply(i, 2, out=i, where=[1, 0, 1, 0])",
        "np.power(i, -i, out=i, where=i < 0)",
        "np.power(i, -i, out=i, where=i < 9)",
        "np.add(x, 1, out=x, where=np.ones((2, 3, 4), bool))",
        "np.add(x, 1, out=x, where=x)",
        "np.maximum(x, 0, x)",
    ):
        space = {"np": np}
        exec(f"def left(x, i):\n    x = x + 0\n    return {text}", space)
        check(space["left"], x, np.arange(-1, 11).reshape(3, 4), backend="reference")


def test_out_that_is_an_operand_or_overlaps_one_behaves_as_if_reads_come_first():
    x = np.arange(12.0).reshape(3, 4)
    check(lambda x: np.add(x, x[::-1], out=x), x, expect="compiled")
    check(lambda x: np.add(x, x[0], out=x), x, expect="compiled")
    check(lambda x: np.multiply(x[1:], x[:-1], out=x[1:]), x, expect="compiled")
    check(lambda x: np.subtract(x.T[:3, :3], x[:, :3], out=x[:, 1:]), x, expect="compiled")


def test_dtype_argument_of_a_ufunc():
    x = values((3,), "float32")
    check(lambda x: np.add(x, 1, dtype=np.float64), x, expect="compiled")
    check(lambda x: np.add(x, 1, dtype="float32"), x, expect="compiled")
    check(lambda x: np.sqrt(x, dtype=np.float64), abs(x), expect="compiled")
    check(lambda x: np.add(x, 1, dtype=int), x)
    check(lambda x: np.multiply(x, x, dtype=np.float64), values((3,), "int32"), expect="compiled")
    check(lambda x: np.less(x, x, dtype=np.float64), values((3,), "int32"))


def test_other_ufunc_arguments_run_plainly_and_rightly():
    x = values((3,), "float64")
    check(lambda x: np.add(x, 1, where=[1, 0, 1], out=np.zeros(3)), x, expect="broken")
    check(lambda x: np.add(x, 1, casting="unsafe"), x)
    check(lambda x: np.add(x, 1, order="F"), x)
    check(lambda x: np.add(x, 1, 2, 3), x)
    check(lambda x: np.add(x), x)
    check(lambda x: np.add(x, None), x)
    check(lambda x: x + None, x)
    check(lambda x: x + "a", x)
    check(lambda x: x == None, x)  # noqa: E711
    check(lambda x: x == "a", x)
    check(lambda x: x != (), x)


def test_a_float_argument_never_compiles_again_and_an_int_does_not_either():
    def f(x, a, n):
        return x * a + n

    for number in (0.5, -0.0, float("nan"), float("inf"), 1e300, 0.0):
        check(f, values((3,), "float32"), number, 3, expect="compiled")
    import guardlift as gl
    from guardlift.frontend import state_of

    jitted = gl.jit(f)
    x = values((3,), "float64")
    for k, number in enumerate((0.5, -0.0, 1.0, 2.0, float("inf"))):
        assert np.array_equal(jitted(x, number, k - 2), f(x, number, k - 2))
    assert len(state_of(jitted).history) == 1


def test_lists_and_tuples_are_operands_too():
    x = values((3,), "float32")
    check_each(
        lambda x, y: np.add(x, y),
        [(x, [1, 2, 3]), (x, (1.5, 2, 3)), (x, [True, False, True]), (x, [[1, 2, 3], [4, 5, 6]]), (x, []), (x, [1, 2])],
        expect=None,
    )
    check(lambda x: x + [1, 2, 3], x, backend="reference")
    check(lambda x, a: x * [a, a, 2.0], x, 0.5, backend="reference")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_clip_keeps_the_zero_that_equals_a_bound(dtype):
    """Two numbers as bounds leave it, arrays of bounds replace it, but for float16: two loops of NumPy's."""

    def clipped(a, low, high):
        return [
            np.signbit(each) for each in (np.clip(a, low, high), a.clip(0, 1), np.clip(a, -1, -0.0), np.clip(a, low, 1))
        ]

    zeros = np.array([-0.0, 0.0, -0.0, np.nan, 2, -2], dtype)
    bounds = [
        (0.0, 1.0),
        (dtype(0), dtype(1)),
        (np.full(6, 0, dtype), np.full(6, 1, dtype)),
        (-0.0, np.nan),
        (np.nan, -0.0),
    ]
    for low, high in bounds:
        check(clipped, zeros, low, high, backend="reference")


@pytest.mark.parametrize("exponent", [0.5, 1.5, -1.0, 2.0])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_power_by_a_number_that_the_plan_computes(dtype, exponent):
    x = np.array([-0.0, -np.inf, 4.0], dtype)
    with np.errstate(all="ignore"):
        for backend in ("reference", "numba"):
            check(lambda x, e: x ** float(e[0]), x, np.array([exponent]), backend=backend, ulp=2)
