"""Sizes and axes as PyTorch takes them: negative axes, -1 for a size, broadcasting, with PyTorch's errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

Shape = tuple[int, ...]


def broadcast_shapes(*shapes: Sequence[int]) -> Shape:
    """The shape that all of `shapes` broadcast to. Errors: RuntimeError that names the axis that does not fit."""
    result: list[int] = []
    for shape in shapes:
        lead = len(shape) - len(result)
        if lead > 0:
            result = [1] * lead + result
        offset = len(result) - len(shape)
        for axis, size in enumerate(shape, start=offset):
            have = result[axis]
            if have == 1:
                result[axis] = size
            elif size not in (1, have):
                raise RuntimeError(
                    f"The size of tensor a ({have}) must match the size of tensor b ({size}) at non-singleton "
                    f"dimension {axis}"
                )
    return tuple(result)


def missing_argument(function: str, **arguments: Any) -> TypeError:
    """The error for a call without some of the arguments, by their names, that it cannot do without."""
    names = ", ".join(f'"{name}"' for name, value in arguments.items() if value is None)
    return TypeError(f"{function}() missing required arguments: {names}")


def wrap_axis(axis: Any, ndim: int) -> int:
    """`axis` counted from the front. Errors: IndexError out of range, TypeError for what is no integer."""
    try:
        number = axis.__index__()
    except AttributeError:
        raise TypeError(f"an axis is an integer, got {type(axis).__name__}") from None
    extent = max(ndim, 1)
    if not -extent <= number < extent:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-extent}, {extent - 1}], but got {axis})"
        )
    return number + extent if number < 0 else number


def wrap_axes(axes: Any, ndim: int) -> Shape:
    """`axes` (None for all, one, or several) ascending, counted from the front. Errors: RuntimeError for repeats."""
    if axes is None:
        return tuple(range(ndim))
    listed = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    found = sorted(wrap_axis(axis, ndim) for axis in listed)
    for left, right in zip(found, found[1:]):
        if left == right:
            raise RuntimeError(f"dim {left} appears multiple times in the list of dims")
    if not ndim:
        return ()
    return tuple(found) if found else tuple(range(ndim))


def sizes(arguments: tuple[Any, ...]) -> Shape:
    """The shape meant by ``f(2, 3)`` or ``f((2, 3))``."""
    if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
        arguments = tuple(arguments[0])
    return tuple(size if type(size) is int else _whole(size) for size in arguments)


def given_sizes(function: str, listed: tuple[Any, ...], named: Any, name: str = "size") -> Shape:
    """The sizes (or axes) of a call such as ``f(2, 3)``, ``f((2, 3))`` or ``f(size=(2, 3))``.

    Errors: TypeError for none of these.
    """
    if listed:
        return sizes(listed)
    if named is None:
        raise missing_argument(function, **{name: named})
    return sizes((named,))


def _whole(size: Any) -> Any:
    if hasattr(type(size), "__guardlift_number__"):
        return size
    try:
        return size.__index__()
    except AttributeError:
        raise TypeError(f"a size is an integer, got {type(size).__name__}") from None


def infer_size(shape: Shape, count: int) -> Shape:
    """`shape` with its -1 replaced by what makes `count` elements. Errors: RuntimeError where nothing does."""
    if -1 not in shape:
        if math.prod(shape) != count or any(size < 0 for size in shape):
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
        return shape
    place = shape.index(-1)
    others = [size for axis, size in enumerate(shape) if axis != place]
    if -1 in others:
        raise RuntimeError("only one dimension can be inferred")
    rest = math.prod(others)
    if not rest and not count:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        )
    if not rest or count % rest or any(size < 0 for size in others):
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return (*shape[:place], count // rest, *shape[place + 1 :])


def reduced(shape: Shape, axes: Iterable[int]) -> Shape:
    """`shape` with size 1 along `axes`: what `keepdim=True` keeps."""
    gone = set(axes)
    return tuple(1 if axis in gone else size for axis, size in enumerate(shape))
