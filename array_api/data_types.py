"""Kinds and limits of dtypes, and the dtype that several have in common, as the standard asks for them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core.dtype_names import finfo as _finfo
from ..core.dtype_names import iinfo as _iinfo
from ..core.dtypes import DType
from ..ops.activations import ALIAS
from ..tensor.devices import made_on
from ..tensor.dispatch import apply, is_tensor_like, named_type, number_kind
from ..tensor.promotion import to_dtype
from .declare import KINDS, array, check_scalar, given_dtype, promoted, standard

Value = Any


class FloatLimits(NamedTuple):
    """The result of `finfo`: the limits of a dtype of floats."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerLimits(NamedTuple):
    """The result of `iinfo`: the limits of a dtype of integers."""

    bits: int
    max: int
    min: int
    dtype: DType


def _dtype_of(name: str, given: Any) -> DType:
    """A dtype, or that of an array. Errors: TypeError for anything else."""
    if isinstance(given, DType):
        return given
    if is_tensor_like(given):
        return given.dtype  # type: ignore[no-any-return]
    raise TypeError(f"{name}(): takes a Tensor or a dtype such as xp.float32, got {named_type(given)}")


@standard
def astype(x: Value, dtype: DType, /, *, copy: bool = True, device: Any = None) -> Value:
    """`x` in `dtype`, on `device` (that of `x` for None): a copy, or `x` itself where it fits and `copy` is False.

    Errors: TypeError for what is no Tensor, or no dtype.
    """
    array("astype", x)
    if not isinstance(dtype, DType):
        raise TypeError(f"astype(): dtype must be one of guardlift's, such as xp.float64, got {dtype!r}")
    found = x if device is None else made_on(device, x)
    if found.dtype is not dtype:
        return to_dtype(found, dtype)
    return apply(ALIAS, found) if copy and found is x else found


@standard
def can_cast(from_: Value, to: DType, /) -> bool:
    """Whether the standard promotes a dtype, or that of an array, to the dtype `to`.

    Errors: TypeError for what is no dtype.
    """
    dtype = _dtype_of("can_cast", from_)
    if not isinstance(to, DType):
        raise TypeError(f"can_cast(): takes a dtype such as xp.float32 to cast to, got {named_type(to)}")
    try:
        return promoted(dtype, to) is to
    except TypeError:
        return False


@standard
def finfo(type: Value, /) -> FloatLimits:
    """The limits of a dtype of floats, of the parts of a complex one, or of that of an array.

    Errors: TypeError for other dtypes.
    """
    dtype = _dtype_of("finfo", type)
    dtype = dtype.to_real()
    if not dtype.is_float:
        raise TypeError(f"finfo(): takes a dtype of floats, got {dtype}; ask xp.iinfo for integers")
    found = _finfo(dtype)
    return FloatLimits(found.bits, found.eps, found.max, found.min, found.smallest_normal, dtype)


@standard
def iinfo(type: Value, /) -> IntegerLimits:
    """The limits of a dtype of integers, or of that of an array. Errors: TypeError for other dtypes."""
    dtype = _dtype_of("iinfo", type)
    if not dtype.is_integer:
        raise TypeError(f"iinfo(): takes a dtype of integers, got {dtype}; ask xp.finfo for floats")
    found = _iinfo(dtype)
    return IntegerLimits(found.bits, int(found.max), int(found.min), dtype)


@standard
def isdtype(dtype: DType, kind: Any) -> bool:
    """Whether a dtype is of a kind: a dtype, a tuple of kinds of which it may be any, or one of these words.

    These are "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating" and
    "numeric".
    Errors: TypeError for what is no dtype or no kind, ValueError for another word.
    """
    given_dtype("isdtype", dtype)
    if isinstance(kind, tuple):
        if any(isinstance(each, tuple) for each in kind):
            raise TypeError("isdtype(): a tuple of kinds holds dtypes and words, no tuples")
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, DType):
        return dtype is kind
    if not isinstance(kind, str):
        raise TypeError(f"isdtype(): a kind is a dtype, a word or a tuple of these, got {named_type(kind)}")
    if kind not in KINDS:
        raise ValueError(f"isdtype(): {kind!r} is no kind of dtypes; the kinds are {', '.join(map(repr, KINDS))}")
    return dtype.kind in KINDS[kind]


@standard
def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that arrays, dtypes and Python numbers have in common.

    Errors: ValueError for numbers alone, TypeError for what the standard does not promote.
    """
    others = [each for each in arrays_and_dtypes if number_kind(each) is None]
    if not others:
        raise ValueError("result_type(): takes at least one array or dtype")
    result = _dtype_of("result_type", others[0])
    for each in others[1:]:
        result = promoted(result, _dtype_of("result_type", each))
    for each in arrays_and_dtypes:
        if number_kind(each) is not None:
            check_scalar("result_type", each, result)
    return result
