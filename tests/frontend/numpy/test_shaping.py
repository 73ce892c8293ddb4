"""Views and rearrangements: what is a view, of what, with which strides; what is a copy, laid out how."""

import numpy as np
import pytest
from frontend.numpy.operands import SOME, laid_out, operands, values
from oracle import check, check_each

LAYOUTS = ("C", "F", "strided", "reversed", "middle", "repeated")
SHAPES = ((2, 3, 4), (3, 4), (6,), (1, 4), (3, 1), (0, 3), (), (1, 1))
ARRAYS = [(laid_out(values(shape, "float64", k), layout),) for k, shape in enumerate(SHAPES) for layout in LAYOUTS]


def call(text):
    return eval(f"lambda x: {text}")


VIEWS = [
    "x.T", "x.mT", "np.transpose(x)", "x.transpose()", "x.transpose(1, 0)", "x.transpose((1, 0))",
    "np.transpose(x, (2, 0, 1))", "x.transpose(-1, 0)",
    "np.swapaxes(x, 0, 1)", "x.swapaxes(-1, 0)", "np.moveaxis(x, 0, -1)", "np.moveaxis(x, [0, 1], [1, 0])",
    "np.rollaxis(x, 1)",
    "np.squeeze(x)", "x.squeeze()", "x.squeeze(0)", "np.squeeze(x, axis=(0,))", "np.squeeze(x, axis=-1)",
    "np.expand_dims(x, 0)", "np.expand_dims(x, -1)", "np.expand_dims(x, (0, 2))", "np.expand_dims(x, 9)",
    "np.flip(x)", "np.flip(x, 0)", "np.flip(x, axis=(0, 1))", "np.flipud(x)", "np.fliplr(x)", "np.rot90(x)",
    "np.reshape(x, -1)", "x.reshape(-1)", "x.reshape((-1,))", "x.reshape(-1, 1)", "x.reshape(1, -1)",
    "x.reshape(4, 6)", "x.reshape(2, -1)", "x.reshape(4, 3)",
    "x.reshape(3, 2, 2)", "x.reshape(6, 1, 4)", "x.reshape(0, -1)", "x.reshape(())", "x.reshape(1)", "x.reshape(5)",
    "x.reshape(-1, -1)", "x.reshape(-2)",
    "np.reshape(x, (2, 6))", "x.reshape(12, order='F')", "x.reshape(-1, order='A')", "x.reshape([3, 4])",
    "x.reshape(3.0, 4)",
    "x.ravel()", "np.ravel(x)", "x.ravel('F')", "np.ravel(x, order='K')", "x.flatten()", "x.flatten('F')",
    "x.view()", "np.broadcast_to(x, (2, 3, 4)) + 0", "np.broadcast_to(x, (5, 2, 3, 4))", "np.broadcast_to(x, (4,))",
    "np.atleast_1d(x)", "np.atleast_2d(x)", "np.atleast_3d(x)", "x.real", "x.imag", "x.copy()", "x.copy('F')",
    "x.copy(order='K')", "np.copy(x)", "np.copy(x, 'A')", "np.array(x)", "np.asarray(x)",
    "np.array(x, copy=False)", "np.ascontiguousarray(x)", "np.asfortranarray(x)", "np.array(x, order='F')",
    "np.asarray(x, order='C')", "np.array(x, ndmin=3)",
    "x.astype(np.float32)", "x.astype('int64')", "x.astype(float, copy=False)", "x.astype(bool, order='C')",
    "x.astype(np.float32, 'F')", "x.astype(x.dtype)",
    "np.diagonal(x)", "x.diagonal()", "np.diag(x)", "np.trace(x)", "np.tril(x)", "np.triu(x, 1)", "np.tril(x, k=-1)",
    "np.concatenate([x, x])", "np.concatenate((x, x), axis=1)", "np.concatenate([x, x], axis=-1)",
    "np.concatenate([x, x], axis=None)", "np.concatenate([])", "np.concatenate([x], 0)",
    "np.stack([x, x])", "np.stack([x, x], axis=1)", "np.stack((x, x, x), axis=-1)", "np.vstack([x, x])",
    "np.hstack([x, x])", "np.dstack([x, x])", "np.column_stack([x, x])", "np.append(x, x)", "np.append(x, x, axis=0)",
    "np.split(x, 2)", "np.split(x, [1], axis=-1)", "np.array_split(x, 2, axis=-1)", "np.hsplit(x, 2)",
    "np.vsplit(x, [1])",
    "np.tile(x, 2)", "np.tile(x, (2, 1))", "np.tile(x, (2, 1, 1, 1))", "np.repeat(x, 2)", "np.repeat(x, 2, axis=0)",
    "np.repeat(x, 3, axis=-1)", "x.repeat(2, 0)",
    "np.roll(x, 1)", "np.roll(x, -1, axis=0)", "np.roll(x, 2, axis=-1)", "np.roll(x, (1, 1), axis=(0, 1))",
    "np.roll(x, 0)",
    "np.diff(x)", "np.diff(x, axis=0)", "np.diff(x, n=2)", "np.pad(x, 1)", "np.pad(x, ((1, 0), (0, 2)))",
    "np.pad(x, 1, constant_values=2.5)", "np.pad(x, 1, mode='edge')", "np.pad(x, (1, 2))",
    "np.delete(x, 0)", "np.shape(x)", "np.ndim(x)", "np.size(x)", "np.size(x, 0)",
    "(x.shape, x.ndim, x.size, x.dtype, x.itemsize, x.nbytes)",
    "len(x)", "np.broadcast_arrays(x, x)", "np.meshgrid(x, x)", "np.meshgrid(x, x, indexing='ij')",
    "np.resize(x, (2, 2))", "np.require(x)",
]  # fmt: skip


@pytest.mark.parametrize("text", VIEWS)
def test_a_rearrangement_of_every_shape_and_layout(text):
    check_each(call(text), ARRAYS, expect=None)


COMPILED = [
    "x.T", "x.transpose(1, 0)", "np.swapaxes(x, 0, 1)", "np.moveaxis(x, 0, -1)", "x.squeeze()",
    "np.expand_dims(x, 0)", "np.flip(x)", "x.reshape(-1)", "x.reshape(4, 3)",
    "x.ravel()", "x.flatten()", "np.atleast_1d(x)", "np.atleast_2d(x)", "x.copy()", "np.copy(x)", "np.array(x)",
    "np.asarray(x)", "np.ascontiguousarray(x)", "x.astype(np.float32)",
    "np.concatenate([x, x])", "np.concatenate([x, x], axis=None)", "np.stack([x, x], axis=1)", "np.vstack([x, x])",
    "np.hstack([x, x])", "np.column_stack([x, x])", "np.split(x, 3)",
    "np.tile(x, 2)", "np.repeat(x, 2, axis=0)", "np.roll(x, 1)", "np.roll(x, -1, axis=0)", "np.diff(x)",
    "np.pad(x, 1)", "np.tril(x)", "np.triu(x)", "np.diag(x[0])", "np.trace(x)", "np.append(x, x)",
    "np.fliplr(x)", "np.flipud(x)", "np.meshgrid(x[0], x[1])",
]  # fmt: skip


@pytest.mark.parametrize("text", COMPILED)
def test_a_rearrangement_compiles(text):
    check(call(f"({text}, x + 1)"), values((3, 4), "float64"), expect="compiled", backend="reference")


@pytest.mark.parametrize(
    "text",
    [
        "x.T[1:] * 2",
        "x.reshape(2, 6)[::-1]",
        "x[1:, None, ::2].squeeze()",
        "x.T.reshape(-1)",
        "x[::-1].T.ravel()",
        "x.T.T",
        "np.flip(x)[1:].swapaxes(0, 1)",
    ],
)
def test_views_of_views(text):
    check_each(
        call(text), [(laid_out(values((3, 4), dtype), layout),) for dtype in SOME for layout in LAYOUTS], expect=None
    )


@pytest.mark.slow
def test_joining_promotes_and_orders_axes_as_numpy_does():
    rows = []
    for one in LAYOUTS:
        for two in LAYOUTS:
            rows.append((laid_out(values((2, 3, 4), "float32"), one), laid_out(values((2, 3, 4), "int64", 1), two)))
    for axis in (0, 1, 2, -1):
        check_each(eval(f"lambda x, y: np.concatenate([x, y], axis={axis})"), rows)
        check_each(eval(f"lambda x, y: np.stack((y, x), axis={axis})"), rows)
    check_each(
        lambda x, y: np.concatenate([x, y]), [(values((2, 3), a), values((1, 3), b)) for a in SOME for b in SOME]
    )
    check_each(
        lambda x, y: np.concatenate([x, y]),
        [(values(a, "float64"), values(b, "float64")) for a in SHAPES for b in SHAPES],
    )
    check_each(
        lambda x, y: np.vstack((x, y)), [(values(a, "float64"), values(b, "float64")) for a in SHAPES for b in SHAPES]
    )
    check_each(
        lambda x, y: np.hstack((x, y)), [(values(a, "float64"), values(b, "float64")) for a in SHAPES for b in SHAPES]
    )
    check_each(
        lambda x, y: np.stack((x, y)), [(values(a, "float64"), values(b, "float64")) for a in SHAPES for b in SHAPES]
    )


def test_arguments_of_joining():
    x, out = values((2, 3), "float64"), np.zeros((4, 3))
    check(lambda x, out: np.concatenate([x, x], out=out), x, out)
    check(lambda x: np.concatenate([x, x], dtype=np.float32), x)
    check(lambda x: np.stack([x, x], dtype=np.float32), x)
    check(lambda x: np.concatenate(x), x)
    check(lambda x: np.concatenate([x, [[1, 2, 3]]]), x)
    check(lambda x: np.concatenate([[1.0], x[0], [2.0]]), x, expect="compiled")
    check(lambda x: np.vstack(x), x)
    check(lambda x: np.concatenate(([x[0, 0]], x[1])), x)


@pytest.mark.parametrize("dtype", SOME)
def test_casts(dtype):
    sources = [values((4,), each, special=False) for each in SOME]
    check_each(call(f"x.astype(np.{dtype if dtype != 'bool' else 'bool_'})"), [(x,) for x in sources])
    check(lambda x, d: x.astype(d), values((3,), "float64"), np.dtype(dtype), expect="compiled", backend="reference")
    check(lambda x, d: x.astype(d), values((3,), "float64"), dtype, expect="compiled", backend="reference")
    check(lambda x: x.astype(np.float64, casting="safe"), values((3,), dtype), backend="reference")
    check(lambda x: x.astype(np.int32, casting="safe"), values((3,), dtype), backend="reference")


CLIPS = [
    "0",
    "0, 1",
    "-1, 1",
    "0.5, 1.5",
    "None, 1",
    "0, None",
    "None, None",
    "np.float32(0.5), 2",
    "0, 300",
    "-1, 3",
    "2, 1",
    "np.nan, 1.0",
    "min=0",
    "max=1",
    "min=0, max=1",
    "a_min=0, a_max=1",
]


@pytest.mark.parametrize("bounds", CLIPS)
def test_clip_promotes_as_numpy_does(bounds):
    rows = [(values((3, 4), dtype),) for dtype in SOME] + [
        (laid_out(values((3, 4), "float64"), "F"),),
        (np.float64(0.7),),
        (np.int8(3),),
        (values((), "float32"),),
    ]
    check_each(call(f"np.clip(x, {bounds})"), rows, expect=None)
    if "a_m" not in bounds:
        check_each(call(f"x.clip({bounds})"), rows, expect=None)


def test_clip_by_arrays_and_into_an_array():
    x = values((3, 4), "float64")
    check(
        lambda x, lo, hi: np.clip(x, lo, hi),
        x,
        values((4,), "float64", 1),
        values((3, 1), "float64", 2),
        expect="compiled",
    )
    check(lambda x, lo, hi: np.clip(x, lo, hi), x, values((4,), "float64", 1), 1.0, expect="compiled")
    check(lambda x, lo, hi: np.clip(x, lo, hi), values((4,), "int32"), values((4,), "float32", 1), 1)
    check(lambda x: np.clip(x, 0, 1, out=x), x, expect="compiled")
    check(lambda x: x.clip(0.0, 1.0, x), x, expect="compiled")
    check(lambda x, out: np.clip(x, 0, 1, out), x, np.zeros((3, 4), np.float32))
    check(lambda x, a, b: np.clip(x, a, b), x, -0.5, 0.5, expect="compiled")
    check(lambda x, a, b: np.clip(x, a, b), values((4,), "int32"), -1, 1, expect="compiled")
    check(lambda x, a, b: np.clip(x, a, b), values((4,), "uint8"), -1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "np.round(x)",
        "np.around(x)",
        "x.round()",
        "np.round(x, 0)",
        "np.round(x, 2)",
        "x.round(decimals=1)",
        "np.round(x, -1)",
        "round(x)",
    ],
)
def test_rounding(text):
    check_each(
        call(text),
        [(x,) for dtype in SOME for x in operands(dtype, shapes=((), (5,), (3, 4)), layouts=("C", "F"))]
        + [(np.float64(2.5),), (np.float32(0.15),), (np.int32(25),)],
        expect=None,
    )


def test_the_nan_functions_and_friends():
    x = values((3, 4), "float64", special=True)
    for text in ("np.nan_to_num(x)", "np.nan_to_num(x, nan=1.0)", "np.nan_to_num(x, copy=False)",
        "np.isclose(x, x[::-1])", "np.allclose(x, x)", "np.array_equal(x, x)", "np.array_equal(x, x[1:])",
                 "np.isclose(x, 1.5, rtol=0.1)", "np.isclose(x, x, equal_nan=True)", "np.nansum(x)", "np.isreal(x)",
                 "np.iscomplexobj(x)", "np.isposinf(x)", "np.isneginf(x)", "np.signbit(x)"):  # fmt: skip
        check_each(call(text), [(x,), (x.astype(np.float32),), (values((3, 4), "int32"),)], expect=None)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
def test_pad_with_elements_of_the_array(mode):
    def padded(x, y):
        return np.pad(x, 2, mode), np.pad(y, ((1, 7), (0, 2)), mode=mode), np.pad(y.T, (3, 0), mode=mode) + 1

    check(padded, np.arange(5.0), np.arange(6).reshape(2, 3), backend="reference", expect="compiled")


def test_pad_with_elements_of_an_array_without_any():
    check(lambda x: np.pad(x, 1, mode="edge"), np.zeros(0), calls=1, backend="reference")
