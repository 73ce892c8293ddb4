"""Making arrays. Without a dtype they have the default one: see `__array_namespace_info__().default_dtypes()`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..ops.activations import ALIAS
from ..tensor import creation, numpy_protocols, rearranging
from ..tensor.arithmetic import add, mul
from ..tensor.devices import made_on
from ..tensor.dispatch import apply, named_type, number_kind
from ..tensor.promotion import dtype_of_kind, get_default_dtype, to_dtype
from ..tensor.tensor import Tensor
from .declare import array, given_dtype, is_index, named, standard

Value = Any


def _sizes(name: str, shape: Any) -> tuple[Any, ...]:
    """A shape as a tuple. Errors: TypeError for what is neither an int nor a sequence of ints."""
    if is_index(shape):
        return (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"{name}(): a shape is an int or a tuple of ints, got {named_type(shape)}")
    if any(size < 0 for size in shape):
        raise ValueError(f"{name}(): a shape has no negative sizes, got {tuple(shape)}")
    return tuple(shape)


@standard
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: DType | None = None, device: Any = None) -> Value:
    """The numbers from `start` up to and without `stop`, `step` apart; from 0 to `start` where `stop` is None.

    Shapes: -> [ceil((stop - start) / step)], empty where `step` leads away; int64 unless one of the three is a float.
    Errors: ValueError for a step of 0.
    """
    given_dtype("arange", dtype)
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange(): the step must not be 0")
    if (stop - start) * step < 0:
        stop = start
    return creation.arange(start, stop, step, dtype=dtype, device=device)


@standard
def asarray(obj: Any, /, *, dtype: DType | None = None, device: Any = None, copy: bool | None = None) -> Value:
    """A tensor of a number, nested sequences of numbers, an array, or whatever offers its memory by a protocol.

    copy: True for one, False for none, None for one where it cannot be done without.
    Errors: ValueError where `copy` is False and there has to be one; TypeError for elements that are no numbers.
    """
    given_dtype("asarray", dtype)
    found = creation.as_tensor(obj, dtype=dtype, device=device)
    if copy is False and found is not obj and not _shares_memory(found, obj):
        raise ValueError(
            f"asarray(): {named_type(obj)} becomes a tensor in that dtype and on that device only as a copy; "
            "pass copy=None to allow it"
        )
    if not copy:
        return found
    return (
        apply(ALIAS, found) if found is obj or not isinstance(obj, (bool, int, float, complex, list, tuple)) else found
    )


def _shares_memory(found: Value, obj: Any) -> bool:
    return isinstance(obj, np.ndarray) and isinstance(found, Tensor) and np.shares_memory(found._array, obj)


def _empty_note(text: str) -> str:
    return f"{text}\n\n    Errors: TypeError for what is no shape, ValueError for negative sizes.\n    "


def _filled(name: str, value: int, text: str) -> Any:
    def function(shape: Any, *, dtype: DType | None = None, device: Any = None) -> Value:
        wanted = given_dtype(name, dtype) or get_default_dtype()
        return creation.full(_sizes(name, shape), value, dtype=wanted, device=device)

    return named(function, name, _empty_note(f"{text}, of a shape that is an int or a tuple of ints."))


def _filled_like(name: str, value: int, text: str) -> Any:
    def function(x: Value, /, *, dtype: DType | None = None, device: Any = None) -> Value:
        array(name, x)
        return creation.full_like(x, value, dtype=given_dtype(name, dtype), device=device)

    text = f"{text}, in the shape of `x`, and in its dtype and on its device unless told otherwise."
    return named(function, name, f"{text}\n\n    Errors: TypeError for what is no Tensor.\n    ")


empty = _filled("empty", 0, "An array whose elements are not set to anything in particular")
empty_like = _filled_like("empty_like", 0, "An array whose elements are not set to anything in particular")
ones = _filled("ones", 1, "An array of ones")
ones_like = _filled_like("ones_like", 1, "Ones")
zeros = _filled("zeros", 0, "An array of zeros")
zeros_like = _filled_like("zeros_like", 0, "Zeros")


@standard
def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DType | None = None, device: Any = None
) -> Value:
    """Ones on the `k`-th diagonal, counted upwards from the main one, and zeros elsewhere.

    Shapes: -> [n_rows, n_cols], n_cols being n_rows for None.
    """
    wanted = given_dtype("eye", dtype) or get_default_dtype()
    columns = n_rows if n_cols is None else n_cols
    if k == 0:
        return creation.eye(n_rows, columns, dtype=wanted, device=device)
    return creation.tensor(np.eye(n_rows, columns, k), dtype=wanted, device=device)


def _fill_dtype(name: str, value: Any, dtype: DType | None, otherwise: DType | None) -> DType:
    kind = number_kind(value)
    if kind is None:
        raise TypeError(f"{name}(): takes a Python number to fill with, got {named_type(value)}")
    return given_dtype(name, dtype) or otherwise or dtype_of_kind(kind)


@standard
def full(shape: Any, fill_value: Any, *, dtype: DType | None = None, device: Any = None) -> Value:
    """An array filled with a number, whose kind gives the dtype unless `dtype` does.

    Errors: TypeError for what is no shape or no number, ValueError for negative sizes.
    """
    wanted = _fill_dtype("full", fill_value, dtype, None)
    return creation.full(_sizes("full", shape), fill_value, dtype=wanted, device=device)


@standard
def full_like(x: Value, /, fill_value: Any, *, dtype: DType | None = None, device: Any = None) -> Value:
    """A number in the shape of `x`, and in its dtype and on its device unless told otherwise.

    Errors: TypeError for what is no Tensor or no number.
    """
    array("full_like", x)
    wanted = _fill_dtype("full_like", fill_value, dtype, x.dtype)
    return creation.full_like(x, fill_value, dtype=wanted, device=device)


@standard
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Value:
    """A tensor over the memory of an array of another library, or with a copy of it.

    Errors: ValueError where `copy` is False and the device asks for one; AttributeError without `__dlpack__`.
    """
    found = numpy_protocols.from_dlpack(x, copy=copy)
    if device is None:
        return found
    moved = made_on(device, found)
    if copy is False and moved is not found:
        raise ValueError(f"from_dlpack(): an array on {found.device} gets to {device} only as a copy")
    return moved


@standard
def linspace(
    start: float, stop: float, /, num: int, *, dtype: DType | None = None, device: Any = None, endpoint: bool = True
) -> Value:
    """`num` numbers from `start` to `stop` at equal distances, the last one included unless `endpoint` is False.

    Shapes: -> [num], in the default dtype of floats, or that of complex numbers, unless told otherwise.
    Errors: ValueError for a negative number.
    """
    if num < 0:
        raise ValueError(f"linspace(): the number of elements must not be negative, got {num}")
    if number_kind(start) is None or number_kind(stop) is None:
        raise TypeError("linspace(): start and stop are Python numbers")
    is_complex = complex in (number_kind(start), number_kind(stop))
    wanted = given_dtype("linspace", dtype) or (dtype_of_kind(complex) if is_complex else get_default_dtype())
    if num == 0:
        return creation.empty((0,), dtype=wanted, device=device)
    if _is_known(start) and _is_known(stop):
        return creation.tensor(np.linspace(start, stop, int(num), endpoint=bool(endpoint)), dtype=wanted, device=device)
    steps = creation.tensor(np.linspace(0.0, 1.0, int(num), endpoint=bool(endpoint)), dtype=dtypes.float64)
    return made_on(device, to_dtype(add(mul(steps, stop - start), start), wanted))


def _is_known(number: Any) -> bool:
    return type(number) in (int, float, complex)


@standard
def meshgrid(*arrays: Value, indexing: str = "xy") -> tuple[Value, ...]:
    """An array of n axes for each of n vectors: the k-th varies along one axis alone.

    indexing: "xy", for which the first two axes are swapped, or "ij".
    Shapes: [n], [m], [*] -> each [m, n, *] for "xy", [n, m, *] for "ij".
    Errors: ValueError for other words, arrays of more than one axis, or unlike dtypes.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f'meshgrid(): indexing is "xy" or "ij", got {indexing!r}')
    for each in arrays:
        if array("meshgrid", each, argument="arrays").ndim != 1:
            raise ValueError(f"meshgrid(): takes vectors, got an array of shape {tuple(each.shape)}")
    if len({each.dtype for each in arrays}) > 1:
        raise ValueError(f"meshgrid(): takes vectors of one dtype, got {', '.join(str(each.dtype) for each in arrays)}")
    return tuple(apply(ALIAS, each) for each in rearranging.meshgrid(*arrays, indexing=indexing)) if arrays else ()


@standard
def tril(x: Value, /, *, k: int = 0) -> Value:
    """The part of matrices on and below the `k`-th diagonal, zeros above. Shapes: x [*, m, n] -> [*, m, n]."""
    return _matrices("tril", x).tril(k)


@standard
def triu(x: Value, /, *, k: int = 0) -> Value:
    """The part of matrices on and above the `k`-th diagonal, zeros below. Shapes: x [*, m, n] -> [*, m, n]."""
    return _matrices("triu", x).triu(k)


def _matrices(name: str, x: Value) -> Value:
    if array(name, x).ndim < 2:
        raise ValueError(f"{name}(): takes matrices, got an array of shape {tuple(x.shape)}")
    return x
