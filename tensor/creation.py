"""Making tensors: from Python's and NumPy's data, and from nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices.arrays import ARRAY_TYPES, DeviceArray
from ..core.devices.host_or_device import device_of, on_host
from ..core.dtypes import DType
from ..core.sizes import Size, count_of, is_symbolic, is_whole
from ..ops.activations import ALIAS
from ..ops.creation import ARANGE, FULL
from ..ops.pointwise import CAST, EQUAL
from ..ops.registry import OpDef
from .devices import by_kernel, chosen, is_host, made_on
from .dispatch import apply, create, is_tensor_like, number_kind
from .narrow import check_computes
from .promotion import dtype_of_kind, get_default_dtype, promote_types, to_dtype
from .shapes import Shape, missing_argument, sizes
from .surface import surface
from .tensor import DTYPES, Array, Tensor
from .tracing import tracing

Value = Any


@surface
def tensor(data: Any, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False) -> Value:
    """A new leaf with a copy of `data`: a number, nested sequences of numbers, an array or a tensor.

    Python floats become the default dtype, complex numbers the one with such parts, ints int64, bools bool; arrays and
    tensors keep their dtype.
    Errors: ValueError for sequences of unequal lengths, TypeError for elements that are no numbers.
    """
    if device is None and is_tensor_like(data):
        device = data.device
    handler = tracing()
    if handler is None:
        if device is None and type(data) not in _OWN:
            data = array_of_another_library(data)
            device = data.device if type(data) is DeviceArray else None
        return made_on(device, Tensor._wrap(_array_of(data, dtype)), requires_grad)
    if is_tensor_like(data):
        copied = apply(ALIAS, data.detach())
        return made_on(device, copied if dtype is None else to_dtype(copied, dtype), requires_grad)
    if is_host(device):
        return handler.literal(data, dtype, requires_grad)
    return made_on(device, handler.literal(data, dtype, False), requires_grad)


@surface
def as_tensor(data: Any, dtype: DType | None = None, device: str | None = None) -> Value:
    """`data` as a tensor: itself if it is one of that dtype; over the same memory if it is such an array."""
    if is_tensor_like(data):
        found = data if dtype is None else to_dtype(data, dtype)
        return found if device is None else made_on(device, found)
    data = array_of_another_library(data)
    as_it_is = isinstance(data, ARRAY_TYPES) and (dtype is None or data.dtype == dtype.numpy)
    if type(data) is DeviceArray and device is None:
        device = data.device
    if as_it_is and tracing() is None and chosen(device) == device_of(data):
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


_OWN = frozenset({bool, int, float, complex, list, tuple, range, str, bytes, np.ndarray})
"""The types of objects that `array_of_another_library` need not look into."""


def array_of_another_library(data: Any) -> Any:
    """The elements of an object that offers them by a protocol of NumPy's or CUDA's, not copied; others as they are.

    Errors: whatever the object raises where it has no memory to offer.
    """
    if type(data) in _OWN or is_tensor_like(data) or number_kind(data) is not None:
        return data
    if isinstance(data, (*ARRAY_TYPES, np.generic)):
        return data
    on_a_gpu = getattr(data, "__cuda_array_interface__", None)
    if on_a_gpu is not None:
        from ..core.devices.cuda_array_interface import of_cuda_array  # of no use without a GPU

        return of_cuda_array(data, on_a_gpu)
    if hasattr(type(data), "__array__"):
        return np.asarray(data)
    return np.from_dlpack(data) if hasattr(type(data), "__dlpack__") else data


def from_numpy(ndarray: Array) -> Tensor:
    """A tensor over the memory of `ndarray`, whose shape and flags later on are not the tensor's.

    Errors: TypeError for what is no array, or of a dtype there is none for.
    """
    if not isinstance(ndarray, ARRAY_TYPES):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    given = _known(ndarray if type(ndarray) is DeviceArray else np.asarray(ndarray))  # type: ignore[comparison-overlap, arg-type]
    tensor = Tensor._wrap(given.view())
    tensor._storage = given
    return tensor


def _array_of(data: Any, dtype: DType | None) -> Array:
    """A fresh array of the elements of `data`."""
    wanted = None if dtype is None else dtype.numpy
    data = on_host(data._array if isinstance(data, Tensor) else array_of_another_library(data))
    if dtype in dtypes.TENSORS_ONLY and not (isinstance(data, np.ndarray) and data.dtype == wanted):
        return CAST.eager(_array_of(data, dtypes.float32), dtype=dtype)
    if isinstance(data, (np.ndarray, np.generic)):
        return _known(np.array(data, wanted))
    data, found = _plain(data)
    if wanted is None:
        wanted = (get_default_dtype() if found is None else found).numpy
    try:
        with np.errstate(over="ignore"):
            return np.array(data, wanted)
    except OverflowError as error:
        raise RuntimeError(f"value cannot be converted to type {dtype or found} without overflow") from error


def _known(array: Array) -> Array:
    if array.dtype not in DTYPES:
        if array.dtype.newbyteorder("=") != array.dtype:
            raise TypeError(f"a Tensor holds elements in the machine's byte order, not {array.dtype}; use astype first")
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype}. The only supported types are: "
            f"{', '.join(map(str, DTYPES.values()))}."
        )
    return array


def _plain(data: Any, depth: int = 0) -> tuple[Any, DType | None]:
    """`data` in lists and numbers alone, and the dtype that PyTorch infers for it (None for no elements)."""
    kind = number_kind(data)
    if kind is not None:
        return data, (dtypes.held(data.dtype) if isinstance(data, np.generic) else dtype_of_kind(kind))
    if isinstance(data, Tensor):
        array = on_host(data._array)
        # In a sequence, a tensor of one element counts as a number, whatever its shape.
        return (array.reshape(()) if depth and array.size == 1 else array), data.dtype
    data = array_of_another_library(data)
    if isinstance(data, np.ndarray):
        return data, dtypes.held(data.dtype)
    if isinstance(data, (str, bytes)) or not hasattr(data, "__len__") or not hasattr(data, "__getitem__"):
        raise TypeError(f"a tensor is made of numbers, got an element of type {type(data).__name__}")
    found: DType | None = None
    entries: list[Any] = []
    for entry in data:
        plain, inner = _plain(entry, depth + 1)
        if entries and np.shape(plain)[:1] != np.shape(entries[0])[:1]:
            have, want = (shape[0] if shape else "a number" for shape in (np.shape(plain), np.shape(entries[0])))
            raise ValueError(f"expected sequence of length {want} at dim {depth + 1} (got {have})")
        entries.append(plain)
        if inner is not None:
            found = inner if found is None else promote_types(found, inner)
    return entries, found


@surface
def full(
    size: Any, fill_value: Value, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """A tensor of shape `size` filled with a number, whose kind gives the dtype unless `dtype` does."""
    if dtype is None:
        kind = number_kind(fill_value)
        if kind is None:
            raise TypeError(f"full takes a number to fill with, got {type(fill_value).__name__}")
        dtype = dtype_of_kind(kind)
    return _filled(sizes((size,)), fill_value, dtype, device, requires_grad)


def _asked(name: str, shape: tuple[Any, ...], size: Any) -> Shape:
    if not shape and size is None:
        raise TypeError(f"{name}() takes a size: {name}(2, 3) or {name}((2, 3))")
    return sizes(shape or (size,))


@surface
def zeros(
    *shape: Any, size: Any = None, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """A tensor of zeros: ``zeros(2, 3)``, ``zeros((2, 3))`` or ``zeros(size=(2, 3))``."""
    return _filled(_asked("zeros", shape, size), 0, dtype or get_default_dtype(), device, requires_grad)


@surface
def ones(
    *shape: Any, size: Any = None, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """A tensor of ones: ``ones(2, 3)``, ``ones((2, 3))`` or ``ones(size=(2, 3))``."""
    return _filled(_asked("ones", shape, size), 1, dtype or get_default_dtype(), device, requires_grad)


@surface
def empty(
    *shape: Any, size: Any = None, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """A tensor whose elements are not set to anything in particular; they happen to be zeros."""
    return zeros(*shape, size=size, dtype=dtype, device=device, requires_grad=requires_grad)


@surface
def full_like(
    input: Value,
    fill_value: Value,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """A tensor of the shape, and unless told otherwise the dtype and device, of `input`, filled with a number."""
    of_each_call = getattr(type(input), "__guardlift_filled__", None)
    if of_each_call is not None:
        made = of_each_call(input, input.shape, fill_value, dtype, device, requires_grad)
        if made is not None:
            return made
    return _filled(
        input.shape, fill_value, dtype or input.dtype, input.device if device is None else device, requires_grad
    )


@surface
def zeros_like(
    input: Value, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """Zeros in the shape, and unless told otherwise the dtype, of `input`."""
    return full_like(input, 0, dtype=dtype, device=device, requires_grad=requires_grad)


@surface
def ones_like(
    input: Value, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """Ones in the shape, and unless told otherwise the dtype, of `input`."""
    return full_like(input, 1, dtype=dtype, device=device, requires_grad=requires_grad)


@surface
def empty_like(
    input: Value, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """A tensor like `input` whose elements are not set to anything in particular; they happen to be zeros."""
    return full_like(input, 0, dtype=dtype, device=device, requires_grad=requires_grad)


def _filled(shape: Shape, value: Value, dtype: DType, device: Any, requires_grad: bool) -> Value:
    plain = type(value)
    if plain in (bool, int, float, complex):
        value = _in_kind_of(dtype, value)
    return created(device, FULL, requires_grad, value=value, shape=shape, dtype=dtype)


def _in_kind_of(dtype: DType, value: bool | int | float | complex) -> bool | int | float | complex:
    """A number as the kind that `dtype` holds. Errors: RuntimeError for a complex one that is to be real."""
    if dtype.is_complex:
        return complex(value)
    if isinstance(value, complex):
        if value.imag:
            raise RuntimeError(f"value cannot be converted to type {dtype} without overflow: {value} is complex")
        value = value.real
    return bool(value) if dtype.is_bool else float(value) if dtype.is_float else int(value)


def created(device: Any, op: OpDef, requires_grad: bool, **attrs: Any) -> Value:
    """The result of an op without operands, as a leaf on a device; on the default one, if None."""
    if is_host(device):
        return create(op, requires_grad=requires_grad, **attrs)
    made = by_kernel(op, (), attrs)
    return made_on(device, create(op, **attrs) if made is None else made, requires_grad)


@surface
def arange(
    start: Value = None,
    end: Value = None,
    step: Value = 1,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """The numbers from `start` (or 0) up to and without `end`, `step` apart; int64 unless one of them is a float.

    Errors: RuntimeError for a step of 0, or one that leads away from `end`.
    """
    if end is None:
        start, end = None, start
    if end is None:
        raise missing_argument("arange", end=end)
    start = 0 if start is None else start
    kinds = {number_kind(each) for each in (start, end, step)}
    if dtype is None:
        dtype = get_default_dtype() if float in kinds else dtypes.int64
    if dtype.is_complex:
        raise NotImplementedError(f'"arange" not implemented for {dtype}; convert the numbers with .to()')
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if kinds == {int}:
        count = count_of(start, end, int(step))
        size = count if is_whole(count) else int(count)
    else:
        size = math.ceil((end - start) / step)
    if dtype.is_narrow:
        check_computes("arange", dtype)
        result = to_dtype(create(ARANGE, start=start, step=step, size=size, dtype=dtypes.float32), dtype)
        return made_on(device, result, requires_grad)
    if dtype.is_integer:
        start, step = start if isinstance(start, Size) else int(start), int(step)
    return created(device, ARANGE, requires_grad, start=start, step=step, size=size, dtype=dtype)


@surface
def linspace(
    start: float,
    end: float,
    steps: int,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """`steps` numbers from `start` to `end`, both included, at equal distances."""
    if dtype is None:
        dtype = dtype_of_kind(complex if complex in map(number_kind, (start, end)) else float)
    elif not dtype.is_complex and complex in map(number_kind, (start, end)):
        raise RuntimeError(f"linspace: the ends are complex, and {dtype} is not; give a complex dtype")
    return tensor(np.linspace(start, end, steps), dtype=dtype, device=device, requires_grad=requires_grad)


@surface
def eye(
    n: int, m: int | None = None, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False
) -> Value:
    """The identity matrix."""
    if is_symbolic((n, m)):
        rows, columns = arange(n).unsqueeze(1), arange(n if m is None else m)
        return made_on(device, to_dtype(apply(EQUAL, rows, columns), dtype or get_default_dtype()), requires_grad)
    return tensor(np.eye(n, m), dtype=dtype or get_default_dtype(), device=device, requires_grad=requires_grad)
