"""Subscripts: reading, writing, and the hazards of writing through overlapping views."""

import numpy as np
import pytest
from frontend.numpy.operands import SOME, laid_out, values
from oracle import check, check_each

KEYS = ["0", "-1", "2", "7", "1, 2", "-1, -1", "0, 9", "...", "..., 0", "0, ...", "None", "None, 0", ":, None", "1:",
    ":-1", "::2", "::-1", "1:1", "5:2", "-2:", ":, 1", ":, 1:3", "1, :", "1:, ::-2",
        "2:0:-1, 1", "0, None, 1", "..., None", "(0, 1)", "(slice(None), 0)", "slice(1, 3)", "True", "False", "1.0",
        "'a'", "0, 0, 0", "()", "[0, 2]", "[0]", "[]", "[[0, 1], [2, 0]]",
        ":, [0, 2]", "[True, False, True]", "np.array([0, -1])", "np.array([], dtype=int)", "np.array(1)",
        "[0, 1], [1, 2]", "[0, 5]", "None, [1]", "1, [0]", "[1], 0", "[0, 1], :", "np.arange(3), [0, 1, 2]",
        "np.arange(3), np.array([0, 1, 2])", "x > 0", "x[:, 0] > 0", "np.int64(1)", "np.intp(-1), 0",
        "1 if True else 0", "x.shape[0] - 1", "None, ..., None", "..., ...", "-3:, -9:9"]  # fmt: skip
ARRAYS = [(laid_out(values((3, 4), dtype), layout),) for dtype in SOME for layout in ("C", "F", "strided", "reversed")][
    :12
]
OTHERS = [
    (values((3,), "float64"),),
    (values((), "float64"),),
    (values((2, 3, 4), "float64"),),
    (values((0, 4), "float64"),),
    (np.float64(1.5),),
]


def call(text):
    return eval(f"lambda x: {text}")


@pytest.mark.parametrize("key", KEYS)
def test_reading(key):
    check_each(call(f"x[{key}]"), ARRAYS + OTHERS, expect=None)


@pytest.mark.parametrize(
    "key",
    [
        "0",
        "-1",
        "1, 2",
        "..., 0",
        "None",
        ":, None",
        "1:",
        "::-1",
        ":, 1:3",
        "1:, ::-2",
        "[0, 2]",
        ":, [0, 2]",
        "np.array([[0, 1], [2, 0]])",
        "np.arange(3), np.array([0, 1, 2])",
    ],
)
def test_reading_compiles(key):
    check(call(f"(x[{key}], x + 1)"), values((3, 4), "float64"), expect="compiled")


def assigning(text):
    namespace = {"np": np}
    exec(f"def f(x, v):\n    {text}\n    return x", namespace)
    return namespace["f"]


@pytest.mark.parametrize("key", KEYS)
def test_writing_a_number(key):
    for x in ARRAYS[:3] + ARRAYS[8:10] + OTHERS:
        check(assigning(f"x[{key}] = v"), *x, 1, backend="reference")


VALUES = [
    1,
    2.5,
    True,
    np.float64(3),
    np.int8(4),
    float("nan"),
    -1,
    300,
    None,
    "a",
    [1, 2, 3, 4],
    [1.5, 2, 3, 4],
    [1, 2],
    values((4,), "float64"),
    values((3, 4), "int32"),
    values((1, 3, 4), "float32"),
    values((3, 1), "bool"),
    values((), "uint8"),
    values((5,), "int64"),
    values((2, 3, 4), "int64"),
]


@pytest.mark.parametrize("dtype", SOME)
@pytest.mark.parametrize("key", ["...", "1", "1:", "0, 0", "::-1, 0", "x > 0"])
def test_assignment_casts_and_broadcasts_as_numpy_does(dtype, key):
    function = assigning(f"x[{key}] = v")
    for value in VALUES:
        check(function, values((3, 4), dtype, 5), value, backend="reference")


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "**"])
@pytest.mark.parametrize("key", ["...", "1", "1:", "0, 0", "::-1, 1:", "[0, 2]", "x > 0"])
def test_in_place_operators_on_a_part(symbol, key):
    function = assigning(f"x[{key}] {symbol}= v")
    for dtype in ("float64", "int32"):
        for value in (2, 2.5, np.float32(2), np.int64(1)):
            check(function, values((3, 4), dtype, 5), value, backend="reference")


HAZARDS = [
    "x[1:] = x[:-1]", "x[:-1] = x[1:]", "x[::-1] = x", "x[1:] += x[:-1]", "x[:-1] -= x[1:]", "x += x[::-1]",
    "x += x[0]", "x *= x.T if x.ndim > 1 and x.shape[0] == x.shape[1] else x",
    "x[1:-1] = (x[:-2] + x[2:]) / 2", "x[0], x[1] = x[1], x[0]", "x[0], x[1] = x[1].copy(), x[0].copy()",
    "y = x[1:]; x[...] = 0; x[0] = y[0] + 1", "y = x[1:]; y[...] = 7; v = x.sum(); x[0] = v",
    "y = x[::2]; z = y[::-1]; z[0] = 5; x[1] = y[0] + z[0]", "y = x.reshape(-1); y[2] = 9; x[0] = x[0] * 2",
    "y = x.T; y[0] = 3; x += y.T", "y = x + 0; x[0] = 5; x[1] = y[0]", "y = x[1:]; y += 1; y *= 2; x -= 1",
    "x = x[1:]; x[0] = 4", "y = np.asarray(x); y[0] = 2", "y = x.ravel(); y[0] = 2; x[1] = y[0]",
    "y = x[:]; y[:] = x + 1; x[:] = y * 2", "np.add(x, 1, out=x[::-1])", "np.multiply(x[1:], 2, out=x[:-1])",
    "x[x > 0] = 0", "x[x < 0] *= -1", "x[...] = x[::-1] + x", "for i in range(1, len(x)): x[i] = x[i - 1] + x[i]",
    "for i in range(len(x)): x[i, ...] = i", "x[1] = x[0]; x[0] = x[2]; x[2] = x[1]",
    "x[0:2], x[1:3] = x[1:3], x[0:2]",
    "x.fill(3)", "x.fill(v)", "x[0] = x[0].sum()", "x[np.array([0, 1])] = 5", "x[[0, 0]] += 1", "np.copyto(x, v)",
    "np.negative(x, x)", "np.sqrt(np.abs(x), out=x)", "x.T[0] = 1", "x.reshape(-1)[::2] = 0", "x.flat[0] = 3",
    "x.sort()", "x.resize((2,))",
    "y = x.copy(); y[0] = 1; x[1] = y[0]", "y = x[None]; y[0, 0] = 8", "y = x[1:2].squeeze(0); y[...] = 6",
    "y = np.flip(x); y[0] = 1",
]  # fmt: skip


@pytest.mark.parametrize("text", HAZARDS)
def test_writes_happen_in_program_order(text):
    function = assigning(text)
    for x in (
        values((4,), "float64"),
        values((4, 4), "float64"),
        laid_out(values((4, 4), "float64"), "F"),
        laid_out(values((4, 3), "float64"), "reversed"),
        values((4,), "int64"),
    ):
        check(function, x, 2, backend="reference")


@pytest.mark.parametrize("text", HAZARDS[:24])
def test_writes_happen_in_program_order_in_kernels_too(text):
    check(assigning(text), values((4, 4), "float64"), 2)


def test_two_inputs_that_share_memory():
    def f(x, y):
        x[...] = y + 1
        return y * 2

    base = np.arange(10.0)
    check(f, base[:5], base[5:])
    check(f, base[:5], base[3:8])
    check(f, base[:5], base[:5])
    check(f, base, base)
    check(lambda x, y: x + y, base[:5], base[3:8], expect="compiled")


def test_a_view_returned_beside_its_written_base():
    def f(x):
        y = x[1:]
        y += 1
        return x, y, y[::-1], x[0], y.sum()

    check(f, np.arange(4.0), expect="compiled")


def test_a_new_array_and_views_of_it_are_returned_as_such():
    def f(x):
        y = x * 2
        y[0] = 7
        return y, y[1:], y.T, y.reshape(-1), y[0, 0], y

    check(f, values((3, 4), "float64"), expect="compiled")


def test_the_same_array_under_two_names_comes_back_as_one_object():
    check(lambda x, y: (x, y, x + y), *[np.arange(3.0)] * 2, expect="compiled")
    x = np.arange(3.0)
    check(lambda x, y: (x, y, x + y), x, x[:], expect="compiled")


def test_read_only_arrays():
    x = np.arange(4.0)
    x.flags.writeable = False
    check(assigning("x[0] = v"), x, 1)
    check(assigning("x += v"), x, 1)
    check(lambda x: (x[1:], x + 1), x, expect="compiled")
    check(lambda x: np.broadcast_to(x, (2, 4)), x)
    check(assigning("y = np.broadcast_to(x, (2, 3, 4)); y[0] = 1"), np.zeros((3, 4)), 1)


def test_a_write_then_an_error_leaves_what_python_leaves():
    def f(x, i):
        x[0] = 9
        return x[i]

    check(f, np.arange(3.0), 5)

    def g(x, index):
        x += 1
        y = np.take(x, index)
        x += 1
        return y

    check(g, np.arange(3.0), np.array([0, 1]), expect="compiled")
    check(g, np.arange(3.0), np.array([0, 7]))


def test_an_index_out_of_range_at_run_time_raises_numpys_own_error():
    import guardlift as gl

    def f(x, index):
        y = x * 2
        return y[index] + 1

    jitted = gl.jit(f)
    x = np.arange(3.0)
    jitted(x, np.array([0, 1]))
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        jitted(x, np.array([0, 7]))
    assert np.array_equal(jitted(x, np.array([0, -3])), f(x, np.array([0, -3])))


@pytest.mark.parametrize("text", ["np.take(x, [0, 2])", "np.take(x, [0, 2], axis=0)", "np.take(x, 1, axis=1)",
    "x.take([1, 1], 1)", "np.take(x, [[0, 1]], axis=-1)", "np.take(x, 99)", "np.take(x, [0], axis=3)",
    "np.take(x, [0, 9], mode='clip')",
                                  "np.take(x, [0.5])", "np.take(x, [True])",
                                  "np.take_along_axis(x, np.argmax(x, axis=1)[:, None], 1)",
                                  "np.take_along_axis(x, np.argmax(x, axis=0, keepdims=True), axis=0)"])  # fmt: skip
def test_take(text):
    check_each(
        call(text),
        [
            (laid_out(values((3, 4), dtype), layout),)
            for dtype in ("float64", "int32")
            for layout in ("C", "F", "reversed")
        ],
        expect=None,
    )


@pytest.mark.parametrize("text", ["np.where(x > 0, x, 0)", "np.where(x > 0, x, -x)", "np.where(x > 0, 1, 0)",
    "np.where(x > 0, 1.0, 0)", "np.where(x, 1, x)", "np.where(x > 0)", "np.where(x > 0, x, np.float32(0))",
    "np.where(x[0] > 0, x, x[:, :1])",
                                  "np.where(True, x, 0)", "np.where(x > 0, True, False)", "np.where(x > 0, x, None)",
                                  "np.where(x > 0, 300, x)", "np.where([True, False, True, True], x, 0)",
                                  "np.where(x.sum() > 0, x, 0)", "np.where(x > 0, x.T, 0)"])  # fmt: skip
def test_where(text):
    check_each(
        call(text), [(laid_out(values((3, 4), dtype), layout),) for dtype in SOME for layout in ("C", "F")], expect=None
    )


def test_iteration_and_unpacking():
    check(lambda x: [row + 1 for row in x], values((3, 4), "float64"), expect="compiled")
    check(lambda x: [each * 2 for each in x], values((3,), "float64"), expect="compiled")

    def f(x):
        a, b, c = x
        return a + b * c

    check(f, values((3, 4), "float64"), expect="compiled")
    check(f, values((2, 4), "float64"))
    check(lambda x: list(x), values((), "float64"))
    check(lambda x: (len(x), [i for i, _ in enumerate(x)], list(zip(x, x)), x + 1), values((3,), "float64"))


def test_membership_truth_and_conversion():
    for text in ("1.0 in x", "bool(x)", "float(x)", "int(x)", "x.item()", "x.item(0)", "x.tolist()", "list(x)",
        "tuple(x)", "if_(x)", "complex(x)", "str(x)", "repr(x)", "hash(x)", "x and 1", "not x", "x.any() and 1",
        "max(x)", "sum(x)", "sorted(x)", "x.__len__()", "x is x", "x == x"):  # fmt: skip
        function = eval(f"lambda x: {text}", {"if_": lambda x: 1 if x else 2})
        for x in (
            values((3,), "float64"),
            values((1,), "float64"),
            values((), "float64"),
            np.float64(1.5),
            np.int32(2),
            np.bool_(True),
            values((1,), "int64"),
            values((), "bool"),
        ):
            check(function, x, backend="reference")


@pytest.mark.parametrize("value", [100, 200])
def test_a_numpy_integer_that_may_not_fit_raises_where_it_does_not(value: int) -> None:
    def element(a, out):
        out[0] = a[1]
        return out

    def every(a, out):
        out[:] = a.max()
        return out

    def made(a, out):
        return np.array([a[1], a[0]], dtype=np.int8)

    for function in (element, every, made):
        for kind in (np.uint8, np.int64):
            check(function, np.array([1, value], kind), np.zeros(3, np.int8), backend="reference")


def test_a_float_that_kernels_compute_is_stored_among_integers_by_numpy():
    def stored(a, out):
        out[0] = float(a[1])
        return out

    check(stored, np.array([1.5, 2.5]), np.zeros(3, np.int64), backend="reference")
    check(stored, np.array([1.5, np.nan]), np.zeros(3, np.int64), backend="reference")


@pytest.mark.parametrize(
    "key", ["[1, 0]", ":, [2]", ":, [2, 0]", "..., [1, 0]", "np.array(1)", ":, np.array(1)", ":, ::-1, [0]"]
)
@pytest.mark.parametrize("axes", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_what_indices_pick_keeps_the_order_of_the_other_axes_in_memory(key, axes):
    shape = tuple((2, 3, 2)[axis] for axis in axes)
    x = np.arange(12.0).reshape(shape).transpose(np.argsort(axes))
    check(call(f"x[{key}]"), x, backend="reference")
    check(call(f"x[{key}]"), x[:, ::-1], backend="reference")


def test_what_indices_pick_of_a_row_has_their_order_in_memory():
    picks = np.asfortranarray([[0, 1], [2, 0], [1, 1]])
    for each in (picks, picks[::-1], picks.T):
        check(lambda x, k: x[k], np.arange(3.0), each, backend="reference")
        check(lambda x, k: x[k], np.arange(12.0).reshape(3, 4), each, backend="reference")


OWN_PARTS = {
    "compiled": """
        m[i] = m[:4] | m[i] = m[4:0:-1] | m[i] = m[:4][::-1] | m[i] = m[0] | m[i] = m[i] | m[i] = m[i[::-1]]
        m[i] = m[2:3] | m[i, 0] = m[:4, 1] | m[i, j] = m[:4, 0] | m[i, j] = m[i, 0] | m[1:][i[1:]] = m[:3]
        m[:5][i[1:]] = m[2:5] | m[m[:, 0] > 3] = m[:4] | m[mask] = m[1:5] | s[k] = s.T | s[k, k] = s[0] | s.T[k] = s
        s[k] = s | s[[0, 1]] = s.T[:2] | v[::2][k] = v[1::2] | v[::-1][i] = v[:4] | v[i] = v[:4]
        m[i[:, None], j[None, :]] = m[:4, :1] | m[np.array([[0, 1], [2, 3]])] = m[:2] | m[i] = np.flip(m)[:4]
        a, b = m[:3], m[3:]; a[k] = b; b[k] = a | r = m[:4]; m[i] = r; m[0] = r[1]; r[i[1:] - 1] = m[3:]""",
    "either way": """
        s[:, k] = s.T | m[i, ::-1] = m[:4] | m[i] = m.ravel()[:8].reshape(4, 2) | m.flat[i] = m.flat[:4]
        np.put(v, i, v[::-1]) | np.putmask(v, v > 2, v[::-1]) | np.place(v, v > 2, v[::-1]) | np.copyto(s, s.T)
        np.copyto(m[1:], m[:-1], where=m[1:] > 2) | np.add(m[:-1], m[1:], out=m[1:]) | np.multiply(s, s.T, out=s)
        np.cumsum(v[::-1], out=v) | np.take(m, i, axis=0, out=m[:4]) | np.matmul(s, s, out=s)
        np.put_along_axis(s, k[:, None], s[:, :1], axis=1) | np.fill_diagonal(s, s[0]) | np.fill_diagonal(s, s[:, 1])
        m[m > 3] = m[m > 3][::-1] | m[m > 3] = m.ravel()[:8] | np.maximum.accumulate(v[::-1], out=v)""",
}


reads_before_it_writes = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.0.2", reason="this NumPy reads what `m[i] = m[:4]` has written"
)


@reads_before_it_writes
@pytest.mark.parametrize("expect", OWN_PARTS)
def test_an_array_stores_a_part_of_itself(expect):
    """The right side is evaluated first, whatever of it lies where the left side writes."""
    m, s, v = np.arange(12.0).reshape(6, 2), np.arange(9.0).reshape(3, 3), np.array([3.0, 1, 4, 1, 5, 9])
    i, j, k, mask = np.array([4, 2, 1, 3]), np.array([0, 1, 1, 0]), np.array([2, 0, 1]), v > 1
    for text in " | ".join(map(str.strip, OWN_PARTS[expect].strip().splitlines())).split(" | "):
        namespace = {"np": np}
        exec(f"def f(m, s, v, i, j, k, mask):\n    {text}\n    return m * 2, s + 0, v", namespace)
        try:
            check(
                namespace["f"], m, s, v, i, j, k, mask, backend="reference",
                expect="compiled" if expect == "compiled" else None,
            )  # fmt: skip
        except AssertionError as error:
            error.add_note(text)
            raise


@reads_before_it_writes
def test_an_array_stores_a_part_of_itself_through_kernels():
    def f(m, s, i, k):
        m[i] = m[:4]
        s[k] = s.T
        m[i[::-1], 0] = m[1:5, 1]
        return m * 2, s

    check(f, np.arange(12.0).reshape(6, 2), np.arange(9.0).reshape(3, 3), np.array([4, 2, 1, 3]), np.array([2, 0, 1]))


CHOSEN = [
    "np.compress([True, False, True], x, axis=0)", "np.compress([0, 1], x, axis=1)", "np.compress([1, 0, 1], x)",
    "np.compress([False] * 3, x, 0)", "x.compress([True], axis=-1)", "x[0].compress([1, 0])",
    "np.compress(x[:, 0] > 0, x, axis=0)", "np.compress(x[0] > 0, x[0])", "np.compress(x[0], x[0])",
    "x[0].compress(x[0] > 0)", "np.compress(x[0] > 0, x[0]).sum()", "np.compress([True, True], x.T, axis=0)",
]  # fmt: skip
NOT_CHOSEN = ["[[True]], x, 0", "[False] * 9 + [True], x, 0", "[True], x, 5", "x[:2, 0] > 0, x, 0", "x[0] > 0, x, 1"]


@pytest.mark.parametrize("text", CHOSEN)
def test_compress_is_part_of_the_graph(text):
    check_each(call(f"{text} * 2"), ARRAYS[:8:2], expect="compiled")


@pytest.mark.parametrize("given", NOT_CHOSEN)
def test_compress_of_other_forms_is_numpys(given):
    check(call(f"np.compress({given}) * 2"), ARRAYS[0][0])


def test_an_element_is_named_by_ints_that_the_call_computes():
    def element(x, k):
        j, i = int(np.argmin(x[-1])), x[:, 1].argmax()
        y = x.copy()
        y[i, j] = 7
        y[0, j] += 1
        found = x[-1, j], x[i, j], x[i, 0] * 2, x[k[0], k[1]], x[np.int64(1), i % 2], x[0][j], y
        return found, x[None][0, i, j], type(x[i, 0])

    x = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, 9.0]])
    for each in (x, x[::-1, ::-1], np.asfortranarray(x), x.astype(np.int32)):
        check(element, each, np.array([1, -2]), expect="compiled")
    for wrong in ([2, 0], [0, -4], [0, 99]):  # Python raises it, at the user's line
        check(element, x, np.array(wrong))
    check(element, x, np.array([0, 3], np.uint8))
