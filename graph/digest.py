"""Whether two graphs are the same, for sharing what was compiled of one with the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from ..core.dtypes import DType
from ..core.types import TensorType
from .node import Graph, Node
from .passes.cse import attribute_key


class NotComparable(Exception):
    """An attribute of a node is of a type whose values cannot be told apart by what they print."""


_EXACT = (int, float, str, bytes, bool, type(None), DType)
"""Types of attributes whose keys print differently when they differ."""

Line = tuple[object, ...]


def _as_they_are(value: Any) -> Any:
    return value


def lines(graph: Graph, *, places: bool = True, numbers_of: Callable[[Any], Any] = _as_they_are) -> list[Line]:
    """The graph as data without identities: a line for each input, each node, each write, and the outputs.

    Names of values are left out. The user's lines are in unless `places` is off: warnings and reports speak of them.
    numbers_of: what shapes and attributes are read through, where sizes in them may be symbolic.
    Errors: `NotComparable`.
    """
    numbers: dict[Node, int] = {node: k for k, node in enumerate(graph.inputs)}
    found: list[Line] = [("input", _type(node.type, numbers_of)) for node in graph.inputs]
    for node in graph.nodes:
        numbers[node] = len(numbers)
        attrs = tuple((key, _exactly(numbers_of(value))) for key, value in node.attrs)
        place = (node.location.file, node.location.line) if places and node.location is not None else ()
        found.append(
            (node.op.name, tuple(numbers[each] for each in node.inputs), _type(node.type, numbers_of), attrs, place)
        )
    found += [("write", numbers[write.target], numbers[write.value]) for write in graph.writes]
    found.append(("return", tuple(numbers[node] for node in graph.outputs)))
    return found


def digest(parts: Sequence[Line]) -> bytes:
    """A key for these lines: equal for two graphs just when their lines are."""
    state = blake2b(digest_size=20)
    for part in parts:
        state.update(repr(part).encode())
        state.update(b"\n")
    return state.digest()


def _type(type: TensorType, numbers_of: Callable[[Any], Any]) -> tuple[object, ...]:
    return numbers_of(type.shape), type.dtype.code, type.device


def _exactly(value: object) -> object:
    for each in _leaves(value):
        if type(each) not in _EXACT:
            raise NotComparable(type(each).__qualname__)
    return attribute_key(value)


def _leaves(value: object) -> list[object]:
    return [leaf for each in value for leaf in _leaves(each)] if type(value) is tuple else [value]
