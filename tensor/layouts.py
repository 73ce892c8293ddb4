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
