"""Attributes and methods of arrays and NumPy scalars, and arrays of kinds that run plainly."""

import numpy as np
import pytest
from frontend.numpy.operands import SOME, values
from oracle import check, check_each

NAMES = sorted(name for name in dir(np.ndarray) if not name.startswith("_"))
UNSURE = {
    "ctypes",
    "data",
    "dump",
    "dumps",
    "tofile",
    "getfield",
    "setfield",
    "resize",
    "setflags",
    "to_device",
    "device",
    "base",
}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNSURE])
def test_every_attribute_and_every_method_without_arguments(name):
    rows = [
        (values((3, 4), "float64"),),
        (values((3,), "int32"),),
        (values((), "bool"),),
        (np.float64(2.5),),
        (np.int8(3),),
    ]
    text = f"x.{name}()" if callable(getattr(np.ndarray, name)) else f"x.{name}"
    for row in rows:
        if name not in ("flat", "flags"):
            check(eval(f"lambda x: ({text}, x + 1)"), *row, backend="reference")


@pytest.mark.parametrize("name", ["missing", "Shape", "__dict__", "__class__", "__array_interface__"])
def test_an_attribute_that_is_not_there(name):
    check(eval(f"lambda x: str(x.{name})[:5]"), values((3,), "float64"))


@pytest.mark.parametrize(
    "text",
    [
        "x.item()",
        "x[0].item()",
        "x.item(1)",
        "float(x[0])",
        "float(x.sum())",
        "int(x[0])",
        "bool(x[0])",
        "x.sum().item()",
        "x.max().item() + 1",
        "[x.item(0), x.item(1)]",
        "x.mean().astype(np.float32)",
        "x[0].dtype",
        "x[0].shape",
        "x[0].T",
        "x[0].copy()",
        "x[0].reshape(1)",
        "x[0].sum()",
        "x.sum()[()]",
        "x.sum()[0]",
        "x.sum()[None]",
        "x.sum()[...]",
        "x[0].real",
        "x[0].imag",
        "x[0].ndim",
    ],
)
def test_numbers_out_of_arrays(text):
    for dtype in SOME:
        check(eval(f"lambda x: {text}"), values((3,), dtype), backend="reference")
        check(eval(f"lambda x: {text}"), values((1,), dtype), backend="reference")


ODD = [np.ones(3, np.clongdouble), np.array([1, "a"], object),
    np.zeros(3, [("a", float),
    ("b", int)]), np.array(["a", "bc"]), np.array(["2020-01-01"], "M8[D]"), np.arange(3, dtype=">f8"), np.arange(3,
    dtype=np.longdouble),
       np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False]), np.ones((2, 2)).view(np.matrix), np.zeros(9,
           np.uint8)[1:].view(np.float64), np.recarray(2, [("a", float)])]  # fmt: skip


@pytest.mark.parametrize("x", ODD, ids=lambda x: f"{type(x).__name__}-{x.dtype}")
@pytest.mark.parametrize(
    "text",
    [
        "x + x",
        "x * 2",
        "x[0]",
        "x[1:]",
        "x.copy()",
        "x.sum()",
        "np.sqrt(x)",
        "x == x",
        "x.T",
        "np.concatenate([x, x])",
        "x.dtype",
        "x @ x",
    ],
)
def test_arrays_without_kernels_run_plainly_with_the_right_result(x, text):
    if x.dtype.kind == "V" and type(x) is np.recarray:
        x.a = 1.0
    check(eval(f"lambda x: {text}"), x, expect="broken")


def test_results_without_kernels_run_plainly():
    x = values((3,), "int8")
    check(lambda x: np.sqrt(x), abs(x), expect="compiled")
    check(lambda x: x / x, x, expect="compiled")
    check(lambda x: x.astype(np.longdouble), x, expect="broken")
    check(lambda x: np.exp(x * 1j), x, expect="compiled")
    check(lambda x: x + np.float16(1), x, expect="compiled")
    check(lambda x: x[x > 0] * 2, x, expect="compiled")
    check(lambda x: x[np.sin(x * 1.0) > 0] * 2, x, expect="broken")
    check(lambda x: np.nonzero(x), x, expect=None)
    check(lambda x: np.unique(x), x, expect="broken")
    check(lambda x: np.sort(x), x, expect="compiled")


def test_errstate_is_honoured():
    import guardlift as gl

    def f(x):
        return 1.0 / x

    x = np.array([0.0, 1.0])
    jitted = gl.jit(f)
    assert np.array_equal(jitted(x), [np.inf, 1.0])
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        jitted(x)
    with np.errstate(all="ignore"):
        assert np.array_equal(jitted(x), [np.inf, 1.0])
    with np.errstate(all="raise"):
        check(f, x)
    assert np.array_equal(jitted(x), [np.inf, 1.0])

    def inside(x):
        with np.errstate(divide="raise"):
            return 1.0 / x

    check(inside, x)
    check(inside, x + 1)


ERRORS = ["x + y", "x @ y", "np.concatenate([x, y], axis=1)", "np.stack([x, y])", "x.reshape(7)", "x[5]",
    "x[0, 0, 0]", "x.sum(axis=2)", "np.sqrt(x, y, x, x)", "np.sqrt()", "np.sqrt(x, nonsense=1)", "x.sum(nonsense=1)",
    "np.zeros('a')", "x.astype('nonsense')", "np.expand_dims(x, 5)", "x.transpose(0, 0)", "np.swapaxes(x, 0, 5)",
    "x.squeeze(0)",
          "np.broadcast_to(x, (2, 2))", "np.where(x > 0, x, y)", "x.item()", "float(x)", "bool(x)", "x.nope",
          "np.nope(x)", "x < 'a'", "-(x > 0)", "(x > 0) - (x > 0)", "x & 1", "~x", "x << 1", "np.arange('a')",
          "np.full(3)", "np.take(x, 0.5)", "len(np.float64(1)) + x", "np.split(x, 2)", "np.clip(x)", "x.fill()",
          "np.eye('a')", "np.dot(x, y)", "np.pad(x, -1)", "np.flip(x, 4)",
          "np.moveaxis(x, 0, 7)", "np.mean(x, axis='a')", "np.tile(x, -1)", "np.repeat(x, -1)",
          "np.roll(x, 1, axis=5)", "np.linspace(0, 1, -1)", "np.array([x, y])", "np.add(x, y, out=1)",
          "np.add(x, 1, out=y)", "np.take_along_axis(x, y, 0)", "x[y]", "x['a']", "x[1.5]", "x[()] + y", "x ** 'a'",
          "np.diag(x[None])", "np.identity(-1)", "np.outer(x, None)"]  # fmt: skip


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_is_numpys_own_with_the_users_line(text):
    namespace = {"np": np}
    exec(compile(f"def f(x, y):\n    z = x * 2\n    return ({text},\n        z)", "user.py", "exec"), namespace)
    check(namespace["f"], values((3, 4), "float64"), values((2, 5), "float64"), backend="reference")


@pytest.mark.parametrize(
    "text",
    [
        "x + y",
        "x * 2.5",
        "2 - x",
        "x / y",
        "x // y",
        "x % 2",
        "x ** 2",
        "-x",
        "abs(x)",
        "x < y",
        "x == 1",
        "np.sqrt(x)",
        "np.maximum(x, y)",
        "np.where(x > y, x, y)",
        "x.sum()",
        "np.float64(x) + 1",
        "divmod(x, y)",
        "x.astype(np.float32)",
        "round(x)",
        "x if True else y",
        "max(x, y)",
        "[x, y, x + y]",
    ],
)
def test_numpy_scalars_come_in_and_go_out(text):
    kinds = (np.float64, np.float32, np.int64, np.int32, np.uint8)
    function = eval(f"lambda x, y: {text}")
    check_each(function, [(a(3), b(2)) for a in kinds for b in kinds], expect=None)
    check(function, np.float64(0.5), np.float64(1.5), backend="numba")
    check(function, np.bool_(True), np.bool_(False), backend="reference")


ONLY_OF_ARRAYS = sorted({*dir(np.ndarray)} - {*dir(np.float64)})


@pytest.mark.parametrize("part", range(4))
def test_a_number_has_the_attributes_of_numbers(part: int) -> None:
    """A result without axes is a NumPy scalar; what that lacks raises at the line that asks."""
    for name in [*ONLY_OF_ARRAYS, "unheard_of", "__new__", "item"][part::4]:
        text = f"def f(x):\n    y = x * 2\n    kept = y.{name}\n    return y, type(kept), hasattr(x * 3, {name!r})\n"
        namespace = {}
        exec(compile(text, "<attributes>", "exec"), namespace)
        for x in (np.array(1.5), np.array([1.5, 2.0])):
            check(namespace["f"], x, backend="reference")
