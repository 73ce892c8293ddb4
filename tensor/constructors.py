"""The constructors `Tensor(...)`, `FloatTensor`, `LongTensor` and so on, of a size or of data, told apart by type."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.sizes import Size
from ..ops.movement import RESHAPE
from .creation import empty, tensor
from .dispatch import apply, is_tensor_like, number_kind
from .promotion import get_default_dtype
from .shapes import sizes
from .tensor import Tensor

Value = Any


def constructed(
    name: str, dtype: DType | None, arguments: tuple[Any, ...], data: Any = None, device: Any = None
) -> Value:
    """A tensor of a size, whose elements are not set to anything in particular, or of data.

    Integers are a size: ``Tensor(3)`` has three elements. A sequence or an array is data; a tensor gives a view of it.
    dtype: None for `Tensor` itself, which takes a tensor of any dtype and otherwise has the default one.
    Errors: TypeError for a single float, bool, None or text, and where a tensor has another dtype.
    """
    if data is not None:
        arguments = (data, *arguments)
    wanted = get_default_dtype() if dtype is None else dtype
    if not arguments:
        return empty(0, dtype=wanted, device=device)
    first = arguments[0]
    if is_tensor_like(first) and len(arguments) == 1:
        if dtype is not None and first.dtype is not dtype:
            raise TypeError(f"{name}() takes a tensor of {dtype}, got one of {first.dtype}; use .to({dtype})")
        return apply(RESHAPE, first, shape=first.shape)
    if isinstance(first, Size) or (number_kind(first) is int and not isinstance(first, bool)) or is_tensor_like(first):
        shape = sizes(arguments) if len(arguments) > 1 else sizes((arguments,))
        for size in shape:
            if size < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension {size}: {list(shape)}")
        return empty(shape, dtype=wanted, device=device)
    if len(arguments) > 1:
        raise TypeError(f"{name}() takes sizes, or data as one argument, got {len(arguments)} arguments")
    if number_kind(first) is not None or first is None or isinstance(first, (str, bytes)):
        raise TypeError(f"{name}(): data must be a sequence (got {type(first).__name__}); use tensor() for one number")
    return tensor(first, dtype=wanted, device=device)


class TypedTensor(type):
    """The type of `FloatTensor` and the others: called, each makes a tensor of its dtype."""

    dtype: DType

    def __call__(cls, *arguments: Any, data: Any = None, device: Any = None) -> Value:
        return constructed(cls.__name__, cls.dtype, arguments, data, device)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Tensor) and value.dtype is cls.dtype

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls


def _typed(name: str, dtype: DType) -> TypedTensor:
    text = f"`{name}(2, 3)` is a tensor of that shape, `{name}([1, 2])` one of that data, in {dtype}."
    return TypedTensor(f"{name}Tensor", (), {"dtype": dtype, "__doc__": text, "__module__": "guardlift"})


TYPED = {
    each.dtype: each
    for each in (
        _typed(name, dtype)
        for name, dtype in (
            ("Float", dtypes.float32),
            ("Double", dtypes.float64),
            ("Half", dtypes.float16),
            ("BFloat16", dtypes.bfloat16),
            ("Byte", dtypes.uint8),
            ("Char", dtypes.int8),
            ("Short", dtypes.int16),
            ("Int", dtypes.int32),
            ("Long", dtypes.int64),
            ("Bool", dtypes.bool_),
        )
    )
}
"""By dtype: what users know as `gl.FloatTensor` and so on."""

FloatTensor, DoubleTensor, HalfTensor, BFloat16Tensor = (
    TYPED[each] for each in (dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16)
)
ByteTensor, CharTensor, ShortTensor, IntTensor, LongTensor = (
    TYPED[each] for each in (dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
)
BoolTensor = TYPED[dtypes.bool_]
