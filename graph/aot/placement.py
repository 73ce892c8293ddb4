"""The places of packing in a graph: right behind what it packs, so that the wide value need not live any longer.

::

    %0 = tanh(%x)                          %0 = tanh(%x)
    %1 = matmul(%0, %w)          =>        %2 = cast(%0, dtype=f16)       the kernel that makes %0 stores it as well
    %2 = cast(%0, dtype=f16)               %1 = matmul(%0, %w)

Unpacking needs no such step: a backward graph is made so that it stands just before what reads it first.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from ..node import Node


def raised(nodes: Sequence[Node], early: Container[Node]) -> list[Node]:
    """`nodes` in an order in which each of those in `early` stands right behind the last of its operands."""
    moving = [node for node in nodes if node in early]
    if not moving:
        return list(nodes)
    among = set(nodes)
    waits: dict[Node, int] = {}
    readers: dict[Node, list[Node]] = {}
    for node in moving:
        operands = {each for each in node.inputs if each in among}
        waits[node] = len(operands)
        for each in operands:
            readers.setdefault(each, []).append(node)
    placed: list[Node] = []
    _place((node for node in moving if not waits[node]), placed, waits, readers)
    for node in nodes:
        if node not in waits:
            _place([node], placed, waits, readers)
    return placed


def _place(ready: Iterable[Node], placed: list[Node], waits: dict[Node, int], readers: dict[Node, list[Node]]) -> None:
    """Append what is ready, and whatever waited for it alone."""
    waiting = list(ready)[::-1]
    while waiting:
        node = waiting.pop()
        placed.append(node)
        for reader in reversed(readers.get(node, [])):
            waits[reader] -= 1
            if not waits[reader]:
                waiting.append(reader)
