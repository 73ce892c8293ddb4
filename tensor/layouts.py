"""The layouts of a tensor's elements: all of them at strides, or only some, each with its coordinates."""

from __future__ import annotations

from typing import Any

from .surface import attribute


class Layout:
    """A way to keep elements; there is one object of each, so compare with `is`."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"gl.{self.name}"

    def __reduce__(self) -> str:
        return self.name


strided = Layout("strided")
sparse_coo = Layout("sparse_coo")


@attribute("layout")
def _layout(self: Any) -> Layout:
    """`gl.strided`, or `gl.sparse_coo` for a sparse tensor."""
    return strided


@attribute("is_sparse")
def _is_sparse(self: Any) -> bool:
    """Whether only some of its elements are kept, each with its coordinates."""
    return False


class MemoryFormat(Layout):
    """An order of the axes in memory, of tensors whose elements are all kept; there is one object of each."""

    __slots__ = ("order",)

    def __init__(self, name: str, order: tuple[int, ...] = ()) -> None:
        super().__init__(name)
        self.order = order
        """The axes as they lie in memory, the outermost first; none where any will do, or their own order."""


contiguous_format = MemoryFormat("contiguous_format")
preserve_format = MemoryFormat("preserve_format")
channels_last = MemoryFormat("channels_last", (0, 2, 3, 1))
channels_last_3d = MemoryFormat("channels_last_3d", (0, 2, 3, 4, 1))


def checked_format(function: str, memory_format: Any) -> MemoryFormat:
    """The format itself. Errors: TypeError for anything else."""
    if not isinstance(memory_format, MemoryFormat):
        raise TypeError(
            f"{function}(): argument 'memory_format' must be gl.memory_format, not {type(memory_format).__name__}"
        )
    return memory_format


def back(order: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation that undoes one."""
    return tuple(order.index(axis) for axis in range(len(order)))


layout, memory_format = Layout, MemoryFormat
"""The names that PyTorch has for the two types."""
