"""The symbolic sizes that a graph names: what it needs to be given beside tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...core.size_facts import Facts, Terms
from ...core.sizes import FloatOf, Size
from ..node import Graph


def symbols_of(graph: Graph) -> list[str]:
    """The names of the symbols on which sizes in the graph depend, in the order in which the trace met them."""
    found: dict[int, str] = {}
    for node in (*graph.inputs, *graph.nodes):
        for size in _sizes((node.type.shape, *(value for _, value in node.attrs))):
            for atom in _symbols(size.facts, size.terms):
                found[atom] = size.facts.atoms[atom].name
    return [found[atom] for atom in sorted(found)]


def _sizes(value: Any) -> Iterator[Size]:
    if isinstance(value, Size):
        yield value
    elif isinstance(value, FloatOf):
        yield value.size
    elif type(value) is tuple:
        for each in value:
            yield from _sizes(each)


def _symbols(facts: Facts, terms: Terms) -> Iterable[int]:
    for monomial, _ in terms:
        for atom in monomial:
            derived = facts.atoms[atom].derived
            if derived is None:
                yield atom
            else:
                yield from _symbols(facts, derived[1])
                yield from _symbols(facts, derived[2])


__all__ = ["symbols_of"]
