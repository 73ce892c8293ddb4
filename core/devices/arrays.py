"""Arrays in the memory of a device."""

# Note [Arrays on a device]
# The array of a tensor on a device is a `DeviceArray`: address, shape, strides, dtype, and what keeps the memory alive.
# It is no ndarray, and the host cannot reach its elements: NumPy is refused an address, so what would read them unasked
# is a TypeError. Views are arithmetic. NumPy's functions find their way here by its protocols: what only looks at the
# layout is computed of a layout alone; anything else is computed by the host of copies, and brought back, see
# `core/devices/host_computation.py`. Compiled code gets the address.

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..dtypes import held
from . import Device
from .layout import DeviceFlags, dense_strides, indexed, of_layout, reshaped_strides, span
from .memory import DeviceKernels, DeviceMemory, ForeignMemory, fetch, upload

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]


class DeviceArray(NDArrayOperatorsMixin):
    """An array whose elements lie on a device; see Note [Arrays on a device].

    address: of its first element. strides: in bytes. memory: the block, which it keeps alive. base: the array that it
    is a view of, the same one for all views, or None."""

    __slots__ = ("__weakref__", "address", "base", "dtype", "memory", "shape", "strides", "writeable")

    address: int
    shape: Ints
    strides: Ints
    dtype: np.dtype[Any]
    memory: DeviceMemory | ForeignMemory
    base: DeviceArray | None
    writeable: bool

    def __init__(
        self,
        memory: DeviceMemory | ForeignMemory,
        address: int,
        shape: Ints,
        strides: Ints,
        dtype: np.dtype[Any],
        base: DeviceArray | None = None,
        writeable: bool = True,
    ) -> None:
        self.memory, self.address, self.base, self.writeable = memory, address, base, writeable
        self.shape, self.strides, self.dtype = shape, strides, dtype

    # Its layout.

    @property
    def device(self) -> Device:
        """The device that it lies on."""
        return self.memory.device

    @property
    def ndim(self) -> int:
        """The number of its axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of its elements."""
        size = 1
        for each in self.shape:
            size *= each
        return size

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def flags(self) -> DeviceFlags:
        """The flags, as an ndarray has them."""
        return DeviceFlags(self)

    @property
    def span(self) -> tuple[int, int]:
        """The addresses of its first byte, and of the one behind its last."""
        low, high = span(self.shape, self.strides, self.dtype.itemsize)
        return self.address + low, self.address + high

    def seen(
        self, offset: int, shape: Ints, strides: Ints, dtype: np.dtype[Any] | None = None, writeable: bool = True
    ) -> DeviceArray:
        """A view of the memory, from `offset` bytes behind its first element."""
        return DeviceArray(
            self.memory,
            self.address + offset,
            shape,
            strides,
            self.dtype if dtype is None else dtype,
            self if self.base is None else self.base,
            self.writeable and writeable,
        )

    # Views.

    @property
    def T(self) -> DeviceArray:
        """Its axes in the opposite order."""
        return self.seen(0, self.shape[::-1], self.strides[::-1])

    def view(self, dtype: Any = None) -> DeviceArray:
        """Itself, or its bytes as elements of another dtype."""
        return self.seen(0, self.shape, self.strides) if dtype is None else of_layout(self, lambda x: x.view(dtype))

    def reshape(self, *shape: Any, order: str = "C") -> DeviceArray:
        """Its elements in another shape: a view where one can be, else a copy."""
        given = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        wanted = tuple(int(size) for size in given)
        if wanted.count(-1) == 1 and order == "C":
            known = -int(np.prod(wanted))
            if known > 0 and not self.size % known:
                wanted = tuple(self.size // known if size == -1 else size for size in wanted)
        if order == "C" and min(wanted, default=0) >= 0 and int(np.prod(wanted)) == self.size:
            strides = reshaped_strides(self.shape, self.strides, wanted, self.dtype.itemsize)
            if strides is not None:
                return self.seen(0, wanted, strides)
            dense = self.copy()
            if type(dense) is DeviceArray:
                return dense.seen(0, wanted, dense_strides(wanted, self.dtype.itemsize))
        return computed("reshape", np.ndarray.reshape, (self, *shape), {"order": order})  # type: ignore[no-any-return]

    def ravel(self, order: str = "C") -> DeviceArray:
        """Its elements in a row: a view where one can be, else a copy."""
        return self.reshape(-1, order=order)

    def strided(self, shape: Ints, strides: Ints, writeable: bool = True) -> DeviceArray:
        """A view with strides of one's own choice, in bytes."""
        return self.seen(0, tuple(shape), tuple(strides), writeable=writeable)

    def __getitem__(self, key: Any) -> DeviceArray:
        parts = key if type(key) is tuple else (key,)
        if all(_is_plain(each) for each in parts):
            found = indexed(self.shape, self.strides, parts)
            if found is not None:
                return self.seen(*found)
            dots = () if any(each is Ellipsis for each in parts) else (...,)
            return of_layout(self, lambda x: x[(*parts, *dots)])
        return computed("indexing", np.ndarray.__getitem__, (self, key), {})  # type: ignore[no-any-return]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[DeviceArray]:
        return (self[k] for k in range(len(self)))

    # Writes, and copies within the device.

    def __setitem__(self, key: Any, value: Any) -> None:
        parts = key if type(key) is tuple else (key,)
        if all(_is_plain(each) for each in parts):
            _assign(self[key], value)
        else:
            computed("indexed assignment", np.ndarray.__setitem__, (self, key, value), {}, (self,))

    def fill(self, value: Any) -> None:
        """Makes each element `value`."""
        _assign(self, value)

    def copy(self, order: Any = "C") -> DeviceArray:
        """A copy, in memory of its own."""
        flags = self.flags
        if flags.c_contiguous or (flags.f_contiguous and order != "C"):
            made = empty(self.shape, self.dtype, self.strides)
            if self.nbytes:
                self.memory.copies.copy(made.address, self.address, self.nbytes)
            return made
        kernels = self.memory.copies.kernels
        if kernels is not None:
            found = kernels.copy(self, dense_alike(self, order))
            if found is not NotImplemented:
                return found  # type: ignore[no-any-return]
        return computed("copy", np.ndarray.copy, (self, order), {})  # type: ignore[no-any-return]

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """Its elements in another dtype, as `ndarray.astype` gives them."""
        wanted, kernels = np.dtype(dtype), self.memory.copies.kernels
        if kernels is not None and casting == "unsafe" and order == "K":
            kind = held(wanted)
            if not copy and wanted == self.dtype:
                return self
            if kind is not None:
                steps = (stride * wanted.itemsize // self.dtype.itemsize for stride in dense_alike(self, "K"))
                found = kernels.copy(self, tuple(steps), kind)
                if found is not NotImplemented:
                    return found
        keywords = {"order": order, "casting": casting, "subok": subok, "copy": copy}
        return computed("astype", np.ndarray.astype, (self, wanted), keywords)

    def __copy__(self) -> DeviceArray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> DeviceArray:
        return self.copy("K")

    def __reduce__(self) -> tuple[Any, ...]:
        return moved, (fetched(self),)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype}{list(self.shape)} on {self.device}>"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            f"NumPy was about to read elements of a tensor on {self.device}, whose memory the host does not reach; "
            "use Tensor.cpu() to copy the tensor to the host first"
        )

    # NumPy's protocols; see `core/devices/host_computation.py`.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        if method == "__call__":
            found = _of_kernel(ufunc, inputs, keywords)
            if found is not NotImplemented:
                return found
        written = [each for each in keywords.get("out", ()) if each is not None]
        if method == "at":
            written.append(inputs[0])
        return computed(ufunc.__name__, getattr(ufunc, method), inputs, keywords, written)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, keywords: Any) -> Any:
        from .host_computation import of_function  # which needs arrays on a device

        return of_function(function, args, keywords)


def _through_host(name: str) -> Callable[..., Any]:
    """The method of arrays called so, computed by the host."""
    plain = getattr(np.ndarray, name)

    def method(self: DeviceArray, *args: Any, **keywords: Any) -> Any:
        out = keywords.get("out")
        return computed(name, plain, (self, *args), keywords, () if out is None else (out,))

    method.__name__ = method.__qualname__ = name
    return method


def _by_layout(name: str) -> Callable[..., Any]:
    """The method of arrays called so, which gives a view and reads nothing."""
    plain = getattr(np.ndarray, name)

    def method(self: DeviceArray, *args: Any, **keywords: Any) -> Any:
        return of_layout(self, lambda x: plain(x, *args, **keywords))

    method.__name__ = method.__qualname__ = name
    return method


def _fetching(name: str) -> Callable[..., Any]:
    """The method of arrays called so, which gives Python's own values."""
    plain = getattr(np.ndarray, name)

    def method(self: DeviceArray, *args: Any) -> Any:
        return plain(fetched(self), *args)

    method.__name__ = method.__qualname__ = name
    return method


for _name in ("__bool__", "__float__", "__index__", "__int__", "item", "tobytes", "tolist"):
    setattr(DeviceArray, _name, _fetching(_name))
for _name in ("diagonal", "squeeze", "swapaxes", "transpose"):
    setattr(DeviceArray, _name, _by_layout(_name))
_COMPUTED = (
    "all any argmax argmin argpartition argsort byteswap choose clip compress conj conjugate cumprod cumsum dot "
    "flatten max mean min nonzero prod repeat round searchsorted std sum take trace var"
)
for _name in _COMPUTED.split():
    setattr(DeviceArray, _name, _through_host(_name))
ARRAY_TYPES: tuple[Any, ...] = (np.ndarray, DeviceArray)
"""The types of arrays: for `isinstance`."""


def _is_plain(key: Any) -> bool:
    """Whether a part of an index is one that gives a view."""
    return key is Ellipsis or key is None or isinstance(key, (slice, np.integer)) or type(key) is int


def empty(shape: Ints, dtype: np.dtype[Any], strides: Ints | None = None) -> DeviceArray:
    """An array in fresh device memory, whose elements are anything. Units: `strides` count bytes, and leave no gaps.

    Errors: those of `DeviceMemory`.
    """
    dtype = np.dtype(dtype)
    steps = dense_strides(shape, dtype.itemsize)
    nbytes = dtype.itemsize
    for size in shape:
        nbytes *= size
    memory = DeviceMemory(nbytes)
    return DeviceArray(memory, memory.address, shape, steps if strides is None else strides, dtype)


def moved(array: Any) -> DeviceArray:
    """A copy of an array in device memory, whose axes lie in the same order."""
    if type(array) is DeviceArray:
        return array.copy("K")
    host = np.array(array, order="K", subok=False, copy=True) if not _is_dense(array) else array
    made = empty(host.shape, host.dtype, host.strides)
    if host.nbytes:
        upload(made.memory.copies, made.address, host)
    return made


def _is_dense(array: Any) -> bool:
    """Whether it is an array whose elements fill its memory, in rows or columns."""
    return isinstance(array, np.ndarray) and array.flags.forc and 0 not in array.shape


def empty_like(array: DeviceArray, dtype: Any = None) -> DeviceArray:
    """An array in fresh device memory, without gaps, whose axes lie in the order of those of `array`."""
    kind = array.dtype if dtype is None else np.dtype(dtype)
    strides = (stride // array.dtype.itemsize * kind.itemsize for stride in dense_alike(array, "K"))
    return empty(array.shape, kind, tuple(strides))


def fetched(array: Any) -> Array:
    """A copy of an array in the host's memory, whose axes lie in the same order."""
    if type(array) is not DeviceArray:
        return np.array(array, order="K", subok=False, copy=True)
    return fetch(array.memory.copies, array.address, array.shape, array.strides, array.dtype)


def kernels_for(values: Sequence[Any]) -> DeviceKernels | None:
    """The kernels of the device of the first array among values that lies on one; None where nothing does."""
    for each in values:
        if type(each) is DeviceArray:
            return each.memory.copies.kernels
    return None


def _of_kernel(ufunc: np.ufunc, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a ufunc by a kernel; NotImplemented where it takes the host's NumPy."""
    target = None
    if keywords:
        if len(keywords) > 1 or len(keywords.get("out", ())) != 1:
            return NotImplemented
        target = keywords["out"][0]
        if type(target) is not DeviceArray or not target.writeable:
            return NotImplemented
    kernels = kernels_for(inputs)
    return NotImplemented if kernels is None else kernels.ufunc(ufunc, inputs, target)


def dense_alike(array: DeviceArray, order: str) -> Ints:
    """The strides, in bytes, of a copy of an array without gaps, in an order of NumPy's."""
    axes = list(range(len(array.shape)))
    if order == "F":
        axes.reverse()
    elif order == "K":
        axes.sort(key=lambda axis: (-abs(array.strides[axis]), axis))
    steps, step = [0] * len(axes), array.dtype.itemsize
    for axis in reversed(axes):
        steps[axis] = step
        step *= array.shape[axis]
    return tuple(steps)


def _assign(target: DeviceArray, value: Any) -> None:
    from .host_computation import assign  # which needs arrays on a device

    assign(target, value)


def computed(
    name: str, function: Callable[..., Any], args: Any, keywords: dict[str, Any], written: Sequence[Any] = ()
) -> Any:
    """See `core/devices/host_computation.py`."""
    from .host_computation import computed  # which needs arrays on a device

    return computed(name, function, args, keywords, written)
