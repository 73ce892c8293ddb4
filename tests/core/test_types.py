import pytest

from guardlift.core import dtypes
from guardlift.core.types import TensorType, contiguous_strides


def test_sizes_are_counted() -> None:
    type = TensorType((2, 0, 3), dtypes.float32)
    assert (type.rank, type.size, type.nbytes) == (3, 0, 0)
    assert (TensorType((), dtypes.float64).size, TensorType((), dtypes.float64).nbytes) == (1, 8)
    assert TensorType((2, 3), dtypes.int16).nbytes == 12


def test_a_type_prints_code_and_shape() -> None:
    assert [str(TensorType(shape, dtypes.bool_)) for shape in ((), (2,), (2, 3))] == ["b1[]", "b1[2]", "b1[2, 3]"]


def test_types_compare_by_shape_dtype_and_device() -> None:
    type = TensorType((2,), dtypes.int8)
    assert type == TensorType((2,), dtypes.int8, "cpu") and hash(type) == hash(TensorType((2,), dtypes.int8))
    assert type not in (
        TensorType((1,), dtypes.int8),
        TensorType((2,), dtypes.uint8),
        TensorType((2,), dtypes.int8, "cuda"),
    )


def test_a_changed_type_keeps_the_rest() -> None:
    type = TensorType((2,), dtypes.int8, "cuda:1")
    assert type.with_shape((3, 4)) == TensorType((3, 4), dtypes.int8, "cuda:1")
    assert type.with_dtype(dtypes.bool_) == TensorType((2,), dtypes.bool_, "cuda:1")


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((), ()), ((5,), (1,)), ((2, 3, 4), (12, 4, 1)), ((2, 1, 3), (3, 3, 1)), ((2, 0, 3), (3, 3, 1))],
)
def test_contiguous_strides_are_row_major_in_elements(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    assert contiguous_strides(shape) == strides
