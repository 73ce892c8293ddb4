import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.ops import OPS
from guardlift.ops.emitter import ARRAYS, ArrayEmitter, Emitter


def test_an_op_is_applied_by_its_name() -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert ARRAYS.sum(x, axes=(0,)).tolist() == [3.0, 5.0, 7.0]
    assert ARRAYS.apply(OPS["sum"], x, axes=(1,)).tolist() == [3.0, 12.0]


def test_an_emitter_asks_its_apply_for_every_op() -> None:
    class Names(Emitter):
        def apply(self, op, *operands, **attrs):
            return f"{op.name}({', '.join(map(str, operands))}, {attrs})"

    assert Names().slice("x", starts=(0,)) == "slice(x, {'starts': (0,)})"


@pytest.mark.parametrize("emitter", [ARRAYS, Emitter()], ids=["arrays", "base"])
def test_what_is_no_op_is_no_attribute(emitter: Emitter) -> None:
    with pytest.raises(AttributeError, match="an emitter has no op named 'sine'"):
        emitter.sine  # noqa: B018


@pytest.mark.parametrize("name", ["apply", "constant", "shape", "dtype"])
def test_no_op_is_hidden_by_a_method(name: str) -> None:
    assert name not in OPS


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_python_numbers_take_the_dtype_of_the_arrays(dtype: type) -> None:
    for x in (np.ones((2,), dtype), np.ones((), dtype)):
        for found in (
            ARRAYS.multiply(x, 0.1),
            ARRAYS.subtract(1.0, x),
            ARRAYS.power(x, 2),
            ARRAYS.where(x > 0, x, 0.0),
            ARRAYS.where(x > 0, 0, x),
            ARRAYS.maximum(x, 0),
        ):
            assert isinstance(found, np.ndarray)
            assert (found.dtype, found.shape) == (x.dtype, x.shape)


def test_pointwise_operands_broadcast() -> None:
    assert ARRAYS.add(np.ones((3, 1)), np.ones((4,))).shape == (3, 4)


def test_a_constant_has_the_dtype_of_what_it_is_like_and_no_axes() -> None:
    found = ARRAYS.constant(2, np.ones((3,), np.float32))
    assert (found.dtype, found.shape, found[()]) == (np.float32, (), 2.0)


def test_shape_and_dtype_of_an_array() -> None:
    x = np.ones((2, 3), np.int8)
    assert (ARRAYS.shape(x), ARRAYS.dtype(x)) == ((2, 3), dtypes.int8)
    with pytest.raises(TypeError, match="no op takes an array of object"):
        ARRAYS.dtype(np.ones(2, object))


def test_results_without_axes_are_arrays() -> None:
    x = np.array(2.0)
    for name in ("negative", "exp", "sqrt", "isnan", "floor", "alias", "relu", "sigmoid", "silu"):
        assert isinstance(getattr(ArrayEmitter(), name)(x), np.ndarray), name
