"""Type promotion by category, as PyTorch does it.

Operands fall into three ranks: tensors with axes, tensors without, Python numbers. The highest rank present decides the
dtype, unless a lower rank is of a higher kind (bool < integer < float < complex): then that one's dtype, or for a
Python number the default of its kind. Complex numbers of a lower rank beside floats have parts of the float dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices.arrays import ARRAY_TYPES
from ..core.dtypes import DType
from ..core.errors import NoArrayError
from ..ops.creation import FULL
from ..ops.pointwise import CAST
from .dispatch import apply, create, is_tensor_like, not_a_tensor, number_kind
from .python_types import as_dtype
from .tensor import FLOAT_KINDS, Tensor

_KIND_RANK = {bool: 0, int: 1, float: 2, complex: 3}
_DTYPE_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_WIDE_UNSIGNED = (dtypes.uint16, dtypes.uint32, dtypes.uint64)


class Default:
    """The dtype of floats that nothing else decides."""

    dtype: DType = dtypes.float32


def get_default_dtype() -> DType:
    """The dtype that Python floats have as tensors; float32 unless set."""
    return Default.dtype


def set_default_dtype(dtype: DType) -> None:
    """Sets the dtype that Python floats have as tensors. Errors: TypeError for anything but float32 and float64."""
    if dtype not in dtypes.FLOATS:
        raise TypeError(f"only floating-point types are supported as the default type, got {dtype}")
    Default.dtype = dtype


def dtype_of_kind(kind: type) -> DType:
    """The dtype that a Python number of that type has as a tensor."""
    if kind is complex:
        return complex_of(Default.dtype)
    return dtypes.bool_ if kind is bool else dtypes.int64 if kind is int else Default.dtype


def complex_of(dtype: DType) -> DType:
    """The complex dtype for values of `dtype`: complex128 for float64, complex64 for narrower floats."""
    if dtype.is_complex:
        return dtype
    wide = dtype if dtype.is_float else Default.dtype
    return dtypes.complex128 if wide is dtypes.float64 else dtypes.complex64


def to_dtype(x: Any, dtype: DType) -> Any:
    """`x` in that dtype: itself if it has it already."""
    return x if x.dtype is dtype else apply(CAST, x, dtype=dtype)


def pair(left: Any, right: Any) -> tuple[Any, Any]:
    """Both operands in one dtype; a Python number that fits the other's dtype stays one, unless it is complex.

    Errors: TypeError where neither is a tensor, or one is neither tensor nor number.
    """
    if isinstance(left, Tensor):
        # The usual cases of tensors at hand, decided without looking anything up.
        kind = type(right)
        try:
            if isinstance(right, Tensor):
                if left._array.dtype is right._array.dtype:
                    return left, right
            elif (kind is float and left._array.dtype.kind in FLOAT_KINDS) or (
                kind is int and left._array.dtype.kind != "b"
            ):
                return left, right
        except NoArrayError:
            pass
    left_number, right_number = number_kind(left), number_kind(right)
    if left_number is complex and right_number is None:
        left, left_number = _complex_number(left, as_operand(right)), None
    elif right_number is complex and left_number is None:
        right, right_number = _complex_number(right, as_operand(left)), None
    if right_number is not None and left_number is None:
        return _with_number(as_operand(left), right_number), plain_number(right)
    if left_number is not None and right_number is None:
        return plain_number(left), _with_number(as_operand(right), left_number)
    left, right = as_operand(left), as_operand(right)
    dtype = result_type(left, right)
    return to_dtype(left, dtype), to_dtype(right, dtype)


def float_pair(left: Any, right: Any) -> tuple[Any, Any]:
    """The operands of true division: both in one dtype, integers and bools made floats of the default dtype.

    A Python number that fits the other's dtype stays one.
    Errors: TypeError where neither is a tensor, or one is neither tensor nor number.
    """
    left, right = pair(left, right)
    if is_tensor_like(left) and not left.dtype.is_differentiable:
        left = to_dtype(left, Default.dtype)
    if is_tensor_like(right) and not right.dtype.is_differentiable:
        right = to_dtype(right, Default.dtype)
    return left, right


def as_float(x: Any) -> Any:
    """`x`, with integers and bools made floats of the default dtype: the operand of `exp` and its like."""
    try:
        return x if x.dtype.is_differentiable else to_dtype(x, Default.dtype)
    except AttributeError:
        if is_tensor_like(x):
            raise
        raise not_a_tensor("a function of each element", "input", 1, x) from None


def refuse(name: str, kinds: str, *operands: Any) -> None:
    """Errors: NotImplementedError for a tensor among `operands` whose dtype is of one of the `kinds`, such as "b"."""
    for each in operands:
        if is_tensor_like(each) and each.dtype.kind in kinds:
            raise NotImplementedError(f'"{name}" not implemented for {each.dtype}')


def plain_number(value: Any) -> Any:
    """`value`, made Python's own if it is a number of NumPy's."""
    return value.item() if isinstance(value, np.generic) else value


def as_operand(value: Any) -> Any:
    """`value` as a tensor: arrays and NumPy's numbers become one. Errors: TypeError for what is neither."""
    if is_tensor_like(value):
        return value
    if isinstance(value, ARRAY_TYPES):
        from .creation import as_tensor  # creation promotes

        return as_tensor(value)
    raise TypeError(f"an operand is a Tensor or a number, got {type(value).__name__}")


def is_operand(value: Any) -> bool:
    """Whether an operator takes `value`; otherwise Python asks the other operand's class."""
    return is_tensor_like(value) or number_kind(value) is not None or isinstance(value, ARRAY_TYPES)


def result_type(*values: Any) -> DType:
    """The dtype that an operation on `values`, tensors and Python numbers, gives."""
    with_axes: DType | None = None
    without: DType | None = None
    number: DType | None = None
    for value in values:
        kind = number_kind(value)
        if kind is not None:
            number = _merged(number, dtype_of_kind(kind))
        elif value.ndim:
            with_axes = _merged(with_axes, value.dtype)
        else:
            without = _merged(without, value.dtype)
    result = with_axes
    for lower in (without, number):
        if lower is not None and lower.is_complex and result is not None and result.is_float:
            lower = complex_of(result)
        if lower is not None and (result is None or _DTYPE_RANK[lower.kind] > _DTYPE_RANK[result.kind]):
            result = lower
    assert result is not None
    return result


def promote_types(type1: DType, type2: DType) -> DType:
    """The smallest dtype both may become.

    Errors: RuntimeError for wide unsigned integers with other ones, and for float8 with any other dtype.
    """
    if type(type1) is not DType or type(type2) is not DType:
        type1, type2 = as_dtype(type1, "promote_types"), as_dtype(type2, "promote_types")
    if type1 is type2:
        return type1
    if any(each.is_narrow and not each.is_half for each in (type1, type2)):
        raise RuntimeError(
            f"Promotion for Float8 Types is not supported, attempted to promote {type1} and {type2}; "
            "convert one with .to() first"
        )
    ranks = _DTYPE_RANK[type1.kind], _DTYPE_RANK[type2.kind]
    if 3 in ranks and ranks != (3, 3):
        whole, other = (type1, type2) if type1.is_complex else (type2, type1)
        return dtypes.complex128 if other is dtypes.float64 else whole
    if ranks[0] != ranks[1]:
        return type1 if ranks[0] > ranks[1] else type2
    if type1 in _WIDE_UNSIGNED or type2 in _WIDE_UNSIGNED:
        raise RuntimeError(
            f"Promotion for uint16, uint32, uint64 types is not supported, attempted {type1} and {type2}"
        )
    if type1.is_complex:
        return type1 if type1.itemsize >= type2.itemsize else type2
    if type1.is_half and type2.is_half:
        return dtypes.float32
    if type1.is_half or type2.is_half:
        return type2 if type1.is_half else type1
    found = dtypes.from_numpy(np.promote_types(type1.numpy, type2.numpy))
    assert found is not None
    return found


def can_cast(from_: DType, to: DType) -> bool:
    """Whether an in-place operation may write a result of dtype `from_` to a tensor of dtype `to`."""
    if type(from_) is not DType or type(to) is not DType:
        from_, to = as_dtype(from_, "can_cast"), as_dtype(to, "can_cast")
    return _DTYPE_RANK[from_.kind] <= _DTYPE_RANK[to.kind]


def _merged(left: DType | None, right: DType) -> DType:
    return right if left is None else promote_types(left, right)


def _complex_number(value: complex, beside: Any) -> Any:
    """A complex number as a tensor without axes, in the dtype that it and the tensor beside it give."""
    number = complex(value)
    return create(FULL, value=number, shape=(), dtype=result_type(number, beside))


def _with_number(x: Any, kind: type) -> Any:
    """`x`, made of the number's kind if that is the higher one."""
    dtype = x.dtype
    if _KIND_RANK[kind] > _DTYPE_RANK[dtype.kind]:
        return to_dtype(x, dtype_of_kind(kind))
    return x
