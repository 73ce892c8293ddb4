"""Facts about the memory that comes into a call: before the backward pass, and after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...core.records import dataclass, replace
from ..node import Node


@dataclass(frozen=True, slots=True)
class MemoryInfo:
    """One piece of memory from outside. Nothing here is changed: `after_backward` makes a new one.

    in_forward: the call writes it.   in_backward: its backward does; None as long as that was not traced.
    """

    name: str
    requires_grad: bool
    in_forward: bool
    in_backward: bool | None = None

    def __str__(self) -> str:
        places = [("forward", self.in_forward), ("backward", self.in_backward)]
        written = " and ".join(place for place, holds in places if holds)
        grad = " (requires grad)" if self.requires_grad else ""
        return f"{self.name}{grad}: {f'written in {written}' if written else 'not written'}"


def after_backward(known: Iterable[tuple[Node, MemoryInfo]], written: Collection[Node]) -> tuple[MemoryInfo, ...]:
    """The facts of all memory, given by the graph inputs, now that it is known which the backward pass wrote."""
    return tuple(replace(info, in_backward=node in written) for node, info in known)
