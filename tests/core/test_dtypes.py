import copy
import pickle

import numpy as np
import pytest

from guardlift.core import dtypes


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=repr)
def test_a_dtype_is_found_by_its_code_and_its_numpy_dtype(dtype: dtypes.DType) -> None:
    assert dtypes.from_code(dtype.code) is dtype
    assert dtypes.from_numpy(dtype.numpy) is dtype
    assert dtypes.from_numpy(dtype.name) is dtype
    assert (dtype.itemsize, dtype.kind) == (dtype.numpy.itemsize, dtype.numpy.kind)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=repr)
def test_a_dtype_stays_the_one_object_through_pickle_and_copy(dtype: dtypes.DType) -> None:
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is dtype


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=repr)
def test_a_dtype_is_of_one_kind(dtype: dtypes.DType) -> None:
    assert [dtype.is_float, dtype.is_integer, dtype.is_bool].count(True) == 1
    assert dtype.is_float == (dtype in dtypes.FLOATS) and dtype.is_integer == (dtype in dtypes.INTEGERS)


@pytest.mark.parametrize("other", [">f8", "complex128", "float16", "U3", "datetime64[s]", object, [("a", "i4")]])
def test_a_dtype_that_kernels_do_not_know_gives_none(other: object) -> None:
    assert dtypes.from_numpy(other) is None


@pytest.mark.parametrize("dtype", dtypes.NARROW, ids=repr)
def test_a_narrow_float_is_known_by_its_code_and_as_memory_alone(dtype: dtypes.DType) -> None:
    assert dtypes.from_code(dtype.code) is dtypes.held(dtype.numpy) is dtypes.held(dtype.name) is dtype
    assert dtypes.from_numpy(dtype.numpy) is None
    assert dtype.is_float and dtype.is_narrow and dtype.is_half == (dtype.bits is dtypes.uint16)
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype


def test_platform_names_meet_the_sized_ones() -> None:
    assert dtypes.from_numpy(np.intp) is dtypes.int64
    assert dtypes.from_numpy(np.longlong) is dtypes.int64
    assert dtypes.from_numpy(bool) is dtypes.bool_


def test_codes_differ() -> None:
    every = (*dtypes.ALL, *dtypes.NARROW, *dtypes.COMPLEX)
    assert len({dtype.code for dtype in every}) == len(every)


def test_an_unknown_code_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        dtypes.from_code("f99")
