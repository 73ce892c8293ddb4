"""The declaration of a function of the standard, and the checks of its arguments before anything is computed."""

# Note [Which dtypes go together]
# The standard promotes floats with floats, integers with integers, and floats with complex numbers. What an array of
# integers beside one of floats gives, or a Python float beside integers, it leaves to each library, and libraries
# differ; so here that is an error, as it is in the strict implementation of the standard. The operators of tensors are
# PyTorch's, which mix kinds.

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import DeviceError
from ..tensor.dispatch import is_tensor_like, named_type, number_kind
from ..tensor.promotion import promote_types, to_dtype
from ..tensor.shapes import wrap_axes
from ..tensor.shaping import reshape_to
from ..tensor.surface import SURFACE

Value = Any
F = TypeVar("F", bound=Callable[..., Any])

KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
"""The kinds of dtypes that `isdtype` knows, each with NumPy's letters."""

ANY = "any dtype"
ACCEPTED = {
    ANY: "biufc",
    "bool": "b",
    "integer": "iu",
    "integer or bool": "biu",
    "numeric": "iufc",
    "real numeric": "iuf",
    "floating-point": "fc",
    "real floating-point": "f",
    "complex floating-point": "c",
}
"""The words in which the standard says what a function takes, with NumPy's letters of the dtypes that tensors have."""


def standard(function: F) -> F:
    """Registers a function of the standard, which traces run over their values as they do functions of the surface."""
    SURFACE[function] = f"xp.{function.__name__}"
    return function


def named(function: Callable[..., Any], name: str, text: str) -> Callable[..., Any]:
    """The function, registered under the name and with the docstring given: for those that a factory makes."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    function.__code__ = function.__code__.replace(co_name=name)
    return standard(function)


def array(name: str, x: Value, accepted: str = ANY, argument: str = "x") -> Value:
    """`x`. Errors: TypeError for what is no Tensor, or has a dtype that the function `name` does not take."""
    if not is_tensor_like(x):
        raise TypeError(
            f"{name}(): the argument {argument!r} must be a Tensor, got {named_type(x)}; make one with xp.asarray"
        )
    if x.dtype.kind not in ACCEPTED[accepted]:
        advice = "; convert it with xp.astype" if accepted != ANY else ""
        raise TypeError(f"{name}(): takes arrays of {_words(accepted)}, got {x.dtype}{advice}")
    return x


def _words(accepted: str) -> str:
    return accepted if accepted == ANY else f"a {accepted} dtype"


def promoted(type1: DType, type2: DType) -> DType:
    """The dtype that two have in common. Errors: TypeError for different kinds. See Note [Which dtypes go together]."""
    if type1 is type2:
        return type1
    found = None
    if type1.is_differentiable and type2.is_differentiable and (type1.is_complex or type2.is_complex):
        return promote_types(type1, type2)
    if type1.is_float and type2.is_float:
        found = _wider_float(type1, type2)
    elif type1.is_integer and type2.is_integer:
        found = dtypes.from_numpy(np.promote_types(type1.numpy, type2.numpy))
    if found is None or found.is_float is not type1.is_float:
        raise TypeError(f"{type1} and {type2} have no dtype in common in the standard; convert one with xp.astype")
    return found


def _wider_float(type1: DType, type2: DType) -> DType:
    small, large = sorted((type1, type2), key=lambda each: each.itemsize)
    if small.itemsize == large.itemsize:  # float16 and bfloat16, of which neither holds the other
        return dtypes.float32 if small.is_half else _no_common(type1, type2)
    return large if small.itemsize > 1 else _no_common(type1, type2)


def _no_common(type1: DType, type2: DType) -> DType:
    raise TypeError(f"{type1} and {type2} have no dtype in common; convert one with xp.astype")


_OF_SCALARS = {bool: "b", int: "iufc", float: "fc", complex: "fc"}


def check_scalar(name: str, number: Any, dtype: DType) -> None:
    """Errors: TypeError for a Python number that may not stand beside the dtype, OverflowError where it does not fit.

    That is a bool beside bools, an int beside integers, floats and complex numbers, a float or a complex number beside
    floats and complex numbers.
    """
    kind = number_kind(number)
    if kind is None or dtype.kind not in _OF_SCALARS[kind]:
        what = named_type(number) if kind is None else kind.__name__
        raise TypeError(f"{name}(): a Python {what} does not go with an array of {dtype}; convert one of them")
    if kind is int and dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        if number < info.min or number > info.max:
            raise OverflowError(f"{name}(): the Python int {number} is out of bounds for {dtype}")


def operands(name: str, accepted: str, x1: Value, x2: Value) -> tuple[Value, Value]:
    """Both operands in the dtype they have in common; a Python number that may stand beside an array stays one.

    Errors: TypeError for two numbers, for what is neither array nor number, and for dtypes that do not go together.
    """
    one, two = number_kind(x1), number_kind(x2)
    if one is not None and two is not None:
        raise TypeError(f"{name}(): one of both operands must be a Tensor, got two Python numbers")
    if two is not None:
        check_scalar(name, x2, array(name, x1, accepted, "x1").dtype)
        return x1, x2
    if one is not None:
        check_scalar(name, x1, array(name, x2, accepted, "x2").dtype)
        return x1, x2
    array(name, x1, accepted, "x1")
    array(name, x2, accepted, "x2")
    if x1.device != x2.device:
        raise DeviceError(f"{name}(): the operands are on {x1.device} and {x2.device}; move one with to_device")
    dtype = promoted(x1.dtype, x2.dtype)
    return to_dtype(x1, dtype), to_dtype(x2, dtype)


def given_dtype(name: str, dtype: Any) -> DType | None:
    """`dtype`. Errors: TypeError for what is neither one of ours nor None."""
    if dtype is not None and not isinstance(dtype, DType):
        raise TypeError(f"{name}(): dtype must be one of guardlift's, such as xp.float64, got {dtype!r}")
    return dtype


def over(function: Callable[[Value, Any, bool], Value], x: Value, axis: Any, keepdims: bool) -> Value:
    """`function(x, axes, keepdims)`, which takes all axes for none: an empty `axis` means none of them here."""
    if axis is not None and not isinstance(axis, int) and not is_index(axis) and not tuple(axis):
        return function(reshape_to(x, (*x.shape, 1)), x.ndim, False)
    return function(x, None if axis is None else wrap_axes(axis, x.ndim), bool(keepdims))


def is_index(value: Any) -> bool:
    """Whether `value` is an integer, or stands for one."""
    return number_kind(value) is int
