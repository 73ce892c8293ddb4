"""Kept values as inlined saved-tensor hooks pack and unpack them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...core.records import dataclass
from ...core.sizes import Size
from ..node import Node


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """One kept value, as a pair of hooks packs and unpacks it.

    nodes:   what unpack does, over what pack made and over other values of the forward trace.
    value:   what unpack gave, of the type of the kept value.
    pack:    the nodes that pack made.
    parts:   what pack gave, taken apart: values, symbolic sizes, and None for all else.
    """

    nodes: tuple[Node, ...]
    value: Node
    pack: tuple[Node, ...] = ()
    parts: tuple[Node | Size | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Packed:
    """A value as the pair of hooks of this number keeps it.

    kept: what unpack reads, of pack's nodes or others.   value: what it gives.
    """

    node: Node
    number: int
    pack: tuple[Node, ...]
    kept: tuple[Node, ...]
    unpack: tuple[Node, ...]
    value: Node
    parts: tuple[Node | Size | None, ...] = ()


Pack = Callable[[Node, int], Packing | None]
"""Packs a kept value with the pair of hooks of this number; gives None where the value is kept as it is."""


def packed_as_before(packings: Iterable[Packed]) -> Pack:
    """A function that packs for another backward pass over the same forward graph as `packings` say."""
    known = {(each.node, each.number): each for each in packings}

    def pack(node: Node, number: int) -> Packing | None:
        found = known.get((node, number))
        return None if found is None else Packing(found.unpack, found.value, found.pack, found.parts)

    return pack
