"""Twins of arrays with symbolic sizes: what NumPy says of views, for every call with the same facts.

A `SymbolicFakeArray` answers for the common views itself. Whatever else is asked of it, NumPy answers for a real array
of the sizes of the traced call, which are relied on then. See Note [Fake arrays] in `view_steps` and Note [Sizes] in
`core.sizes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.sized_shapes import broadcast_shapes, slice_of
from ....core.sizes import hinted, is_symbolic
from ....core.strided import raw, strided
from ....core.types import contiguous_strides
from ...tracing.numpy_versions import NUMPY

Ints = tuple[int, ...]

GROUND = np.zeros(64, np.uint8)
"""The memory that fake arrays seem to lie in. It is never read."""


class Flags:
    """The flags of a symbolic fake array, under NumPy's names."""

    def __init__(self, fake: SymbolicFakeArray) -> None:
        self._fake = fake

    @property
    def writeable(self) -> bool:
        return self._fake.is_writeable

    @writeable.setter
    def writeable(self, value: bool) -> None:
        self._fake.is_writeable = value

    @property
    def c_contiguous(self) -> bool:
        return self._is_dense(range(self._fake.ndim)[::-1])

    @property
    def f_contiguous(self) -> bool:
        return self._is_dense(range(self._fake.ndim))

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    def _is_dense(self, fastest_first: Sequence[int]) -> bool:
        step: Any = self._fake.itemsize
        if any(size == 0 for size in self._fake.shape):
            return True
        for axis in fastest_first:
            size = self._fake.shape[axis]
            if size != 1 and self._fake.strides[axis] != step:
                return False
            step = step * size
        return True


class SymbolicFakeArray:
    """An array whose sizes, strides and place in memory may be symbolic. Strides and `offset` count bytes."""

    def __init__(
        self, dtype: np.dtype[Any], shape: Ints, strides: Ints, offset: int = 0, *, is_writeable: bool = True
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.strides = strides
        self.offset = offset
        self.is_writeable = is_writeable

    @property
    def flags(self) -> Flags:
        return Flags(self)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def size(self) -> int:
        total = 1
        for size in self.shape:
            total = total * size
        return total

    # Views.
    def seen(self, shape: Ints, strides: Ints, offset: int = 0) -> SymbolicFakeArray:
        """A view of these sizes and strides, that many bytes on."""
        return SymbolicFakeArray(self.dtype, shape, strides, self.offset + offset, is_writeable=self.is_writeable)

    def view(self, dtype: np.dtype[Any] | None = None) -> SymbolicFakeArray:
        """A view of all; as elements of another dtype of the same size, if one is given."""
        made = self.seen(self.shape, self.strides)
        if dtype is not None:
            assert dtype.itemsize == self.itemsize
            made.dtype = dtype
        return made

    def retyped(self, dtype: np.dtype[Any], shape: Ints, strides: Ints, offset: int = 0) -> SymbolicFakeArray:
        """A view of elements of another dtype, of these sizes and strides, that many bytes on."""
        made = self.seen(shape, strides, offset)
        made.dtype = dtype
        return made

    def transpose(self, axes: Ints) -> SymbolicFakeArray:
        return self.seen(tuple(self.shape[axis] for axis in axes), tuple(self.strides[axis] for axis in axes))

    def __getitem__(self, key: tuple[Any, ...]) -> SymbolicFakeArray:
        """The view of a basic index."""
        used = sum(entry is not None and entry is not Ellipsis for entry in key)
        if used > self.ndim:
            raise IndexError(f"too many indices for array: array is {self.ndim}-dimensional, but {used} were indexed")
        shape: list[Any] = []
        strides: list[Any] = []
        offset: Any = 0
        axis = 0
        for entry in key:
            if entry is None:
                shape.append(1)
                strides.append(0)
                continue
            if entry is Ellipsis:
                upto = axis + self.ndim - used
                shape += self.shape[axis:upto]
                strides += self.strides[axis:upto]
                axis = upto
                continue
            size, step = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(entry, slice):
                first, count, pace = slice_of(entry, size)
                if count == 0:
                    first, pace = 0, 1
                shape.append(count)
                strides.append(step * pace)
                offset = offset + first * step
            else:
                if not -size <= entry < size:
                    raise IndexError(f"index {entry} is out of bounds for axis {axis - 1} with size {size}")
                offset = offset + (entry + size if entry < 0 else entry) * step
        return self.seen(tuple(shape), tuple(strides), offset)

    # NumPy.
    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in _RULES:
            found = _RULES[function](*args, **kwargs)
            if found is not NotImplemented:
                return found
        return function(*map(known, args), **{name: known(value) for name, value in kwargs.items()})

    def known(self) -> np.ndarray[Any, Any]:
        """The real array for the sizes of the traced call, which are relied on from now on."""
        interface = {
            "version": 3,
            "typestr": f"|{raw(self.dtype)}",
            "shape": tuple(map(int, self.shape)),
            "strides": tuple(map(int, self.strides)),
            "data": (ground_address() + int(self.offset), not self.is_writeable),
        }
        return np.asarray(_Interface(interface)).view(self.dtype)

    def hinted(self) -> np.ndarray[Any, Any]:
        """An array that lies like this one in the traced call; nothing is relied on."""
        return strided(np.empty(1, self.dtype), hinted(self.shape), hinted(self.strides))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return self.known()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.known(), name)


class _Interface:
    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


def names_sizes(entries: Sequence[Any]) -> bool:
    """Whether a part of a subscript is symbolic."""
    return any(is_symbolic((each.start, each.stop) if isinstance(each, slice) else (each,)) for each in entries)


def as_sized(fake: Any) -> Any:
    """A fake array that takes symbolic sizes for views."""
    if isinstance(fake, SymbolicFakeArray):
        return fake
    return SymbolicFakeArray(fake.dtype, fake.shape, fake.strides, offset_of(fake), is_writeable=fake.flags.writeable)


def seen_in_shape(fake: Any, shape: Any) -> Any:
    """A view of a fake array in another shape. Errors: ValueError where NumPy would copy, or raises."""
    if isinstance(fake, SymbolicFakeArray):
        return _reshape(fake, shape, copy=False)
    if NUMPY.reshape_takes_copy:
        return np.reshape(fake, shape, copy=False)
    view = fake.view()
    try:
        view.shape = shape
    except AttributeError as error:
        raise ValueError(str(error)) from None
    except TypeError as error:
        raise TypeError(str(error)) from None  # the program's mistake, and none of ours
    return view


def known(value: Any) -> Any:
    """A value with every symbolic fake array in it as a real array."""
    if isinstance(value, SymbolicFakeArray):
        return value.known()
    return type(value)(map(known, value)) if type(value) in (tuple, list) else value


def ground_address() -> int:
    """The beginning of the memory of fake arrays."""
    address = GROUND.__array_interface__["data"][0]
    assert isinstance(address, int)
    return address


def offset_of(fake: Any) -> int:
    """The bytes from the beginning of its storage to a fake array."""
    if isinstance(fake, SymbolicFakeArray):
        return fake.offset
    address = fake.__array_interface__["data"][0]
    assert isinstance(address, int)
    return address - ground_address()


def seen_through(fake: Any, axes: Sequence[int]) -> Any:
    """The fake array with these axes only."""
    shape, strides = (tuple(each[axis] for axis in axes) for each in (fake.shape, fake.strides))
    if isinstance(fake, SymbolicFakeArray):
        return fake.seen(shape, strides)
    return strided(fake, shape, strides)


# What NumPy computes of sizes.
def resolved_shape(size: Any, shape: Any) -> Ints | None:
    """The sizes that an argument of `reshape` means, of an array with `size` elements; None where they do not fit."""
    sizes = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    unknown = [place for place, each in enumerate(sizes) if each == -1]
    total: Any = 1
    for place, each in enumerate(sizes):
        if place not in unknown:
            if each < 0:
                return None
            total = total * each
    if len(unknown) > 1 or unknown and total == 0:
        return None
    if unknown:
        quotient, rest = divmod(size, total)
        if rest != 0:
            return None
        sizes[unknown[0]] = quotient
    elif total != size:
        return None
    return tuple(sizes)


# What NumPy's functions do with a symbolic fake array; NotImplemented where it has to become a real array.
def _reshape(fake: Any, shape: Any, *, copy: bool | None = None) -> Any:
    sizes = resolved_shape(fake.size, shape)
    if sizes is None:
        raise ValueError("cannot reshape array")
    if fake.flags.c_contiguous:
        return fake.seen(sizes, tuple(step * fake.itemsize for step in contiguous_strides(sizes)))
    strides = _strides_of_view(fake, sizes)
    if strides is not None:
        return fake.seen(sizes, strides)
    if copy is False:
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return NotImplemented


def _strides_of_view(fake: SymbolicFakeArray, sizes: Ints) -> Ints | None:
    """The strides of a view in another shape; None where the elements have to be copied.

    Source: _attempt_nocopy_reshape in NumPy's multiarray/shape.c.
    """
    old = [(size, step) for size, step in zip(fake.shape, fake.strides, strict=True) if size != 1]
    strides: list[int] = []
    first = last = 0
    while len(strides) < len(sizes) and first < len(old):
        beginning, count = len(strides), len(strides) + 1
        last = first + 1
        have, want = old[first][0], sizes[beginning]
        while have != want:
            if want < have:
                want, count = want * sizes[count], count + 1
            else:
                have, last = have * old[last][0], last + 1
        if any(old[k][1] != old[k + 1][0] * old[k + 1][1] for k in range(first, last - 1)):
            return None
        step = old[last - 1][1]
        within = []
        for size in reversed(sizes[beginning:count]):
            within.append(step)
            step = step * size
        strides += reversed(within)
        first = last
    return (*strides, *[strides[-1] if strides else fake.itemsize] * (len(sizes) - len(strides)))


def _squeeze(fake: Any, axis: Any = None) -> Any:
    given = range(fake.ndim) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, fake.ndim)
    gone = [each for each in given if fake.shape[each] == 1]
    if axis is not None and len(gone) != len(given):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    kept = tuple(each for each in range(fake.ndim) if each not in gone)
    return fake if axis is None and not gone else fake.transpose(kept)


def _expand_dims(fake: Any, axis: Any) -> Any:
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    new = np.lib.array_utils.normalize_axis_tuple(given, fake.ndim + len(given))
    shape = iter(fake.shape)
    return _reshape(fake, tuple(1 if place in new else next(shape) for place in range(fake.ndim + len(given))))


def _broadcast_to(fake: Any, shape: Any, subok: bool = False) -> Any:
    if not isinstance(fake, SymbolicFakeArray):
        return NotImplemented
    sizes = shape if isinstance(shape, tuple) else (shape,)
    lead = len(sizes) - fake.ndim
    if lead < 0 or broadcast_shapes(fake.shape, sizes) != sizes:
        raise ValueError("operands could not be broadcast together with remapped shapes")
    strides = (0,) * lead + tuple(0 if have == 1 else step for have, step in zip(fake.shape, fake.strides, strict=True))
    made = fake.seen(sizes, strides)
    made.is_writeable = False
    return made


def _diagonal(fake: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    one, two = (np.lib.array_utils.normalize_axis_index(axis, fake.ndim) for axis in (axis1, axis2))
    if one == two or type(offset) is not int:
        return NotImplemented
    down, across = max(-offset, 0), max(offset, 0)
    count = max(min(fake.shape[one] - down, fake.shape[two] - across), 0)
    kept = [axis for axis in range(fake.ndim) if axis not in (one, two)]
    shape = (*(fake.shape[axis] for axis in kept), count)
    strides = (*(fake.strides[axis] for axis in kept), fake.strides[one] + fake.strides[two])
    made = fake.seen(shape, strides, down * fake.strides[one] + across * fake.strides[two] if count else 0)
    made.is_writeable = False
    return made


_RULES: dict[Any, Callable[..., Any]] = {
    np.diagonal: _diagonal,
    np.reshape: _reshape,
    np.squeeze: _squeeze,
    np.expand_dims: _expand_dims,
    np.broadcast_to: _broadcast_to,
}
