"""Graphs as text, one node a line. The text parses back to the same graph: see `parser`.

::

    graph(%x: f32[128, 64], %w: f32[64, 10]) {
      %0 = matmul(%x, %w) : f32[128, 10]
      return %0
    }
"""

from __future__ import annotations

import functools
import math
import re
import struct
from collections.abc import Iterator
from pathlib import PurePath

from ..core.dtypes import DType
from ..core.types import TensorType
from .node import Graph, Location, Node, Write

UNKNOWN = "%?"
"""The text of a value that the graph does not hold; only a graph that `verify` refuses prints it; unparsable."""

_DEFAULT_NAN = struct.pack("<d", math.nan)


def print_graph(graph: Graph, *, locations: bool = False) -> str:
    """The text of `graph`; with `locations`, each node is followed by the file and line of the user's code.

    Any graph prints, broken ones too; values that a broken graph does not hold print as ``%?``.
    """
    names = value_names(graph)
    header = ", ".join(f"{names[node]}: {format_type(node.type)}" for node in graph.inputs)
    lines = [f"graph({header}) {{"]
    lines += (f"  {format_node(node, names, locations=locations)}" for node in graph.nodes)
    lines += (f"  {format_write(write, names)}" for write in graph.writes)
    lines += [f"  {format_return(graph, names)}", "}"]
    return "\n".join(lines) + "\n"


def value_names(graph: Graph) -> dict[Node, str]:
    """The name of each value in print: inputs by their own, made valid and unique; other nodes by their place."""
    names: dict[Node, str] = {}
    taken: set[str] = set()
    for node in graph.inputs:
        names.setdefault(node, _fresh(node.name, taken))
    for number, node in enumerate(graph.nodes):
        names.setdefault(node, f"%{number}")
    return names


def _fresh(wanted: str, taken: set[str]) -> str:
    """A name not in `taken`, entered there; it starts with no digit, so that it never meets a node's number."""
    base = re.sub(r"[^A-Za-z0-9_]", "_", wanted) or "input"
    base = f"_{base}" if base[0].isdigit() else base
    name = base
    count = 0
    while name in taken:
        count += 1
        name = f"{base}_{count}"
    taken.add(name)
    return f"%{name}"


def format_node(node: Node, names: dict[Node, str], *, locations: bool = False) -> str:
    """One line: the value's name, the operation applied to operands and attributes, the type."""
    operands = [names.get(operand, UNKNOWN) for operand in node.inputs]
    operands += (f"{key}={format_attribute(value)}" for key, value in node.attrs)
    text = f"{names.get(node, UNKNOWN)} = {node.op.name}({', '.join(operands)}) : {format_type(node.type)}"
    return f"{text}  {format_location(node.location)}" if locations and node.location else text


def format_write(write: Write, names: dict[Node, str]) -> str:
    """One line for a final write into an input."""
    return f"write {names.get(write.target, UNKNOWN)} <- {names.get(write.value, UNKNOWN)}"


def format_return(graph: Graph, names: dict[Node, str]) -> str:
    """The line that lists the outputs."""
    return " ".join(["return", ", ".join(names.get(node, UNKNOWN) for node in graph.outputs)]).rstrip()


def format_location(location: Location) -> str:
    """The base name of the file and the line, as a comment."""
    return f"# {_file_name(location.file)}:{location.line}"


@functools.cache
def _file_name(file: str) -> str:
    return " ".join(PurePath(file).name.split()) or "?"


def format_type(type: TensorType) -> str:
    """Code, sizes, and the device where it is not the CPU: ``f32[2, 3]``, ``f32[2, 3]@cuda:0``."""
    return str(type) if type.device == "cpu" else f"{type}@{type.device}"


def format_attribute(value: object) -> str:
    """An attribute so that it parses back to the very same value.

    Floats print by `repr`; a NaN that is not the default one shows its bits, as ``nan(0xfff8000000000000)``. A value of
    a kind that no attribute may have (see `is_plain`) prints in ``<>``, which does not parse.
    """
    if isinstance(value, DType):
        return value.code
    if type(value) is tuple:
        return f"({', '.join(map(format_attribute, value))}{',' if len(value) == 1 else ''})"
    if type(value) is float and math.isnan(value):
        bits = struct.pack("<d", value)
        return "nan" if bits == _DEFAULT_NAN else f"nan(0x{int.from_bytes(bits, 'little'):016x})"
    return repr(value) if is_plain(value) else f"<{value!r}>"


def is_plain(value: object) -> bool:
    """Whether `value` is of a kind that attributes may have: dtype, bool, int, float, str, None, tuples of these."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    return value is None or isinstance(value, DType) or type(value) in (bool, int, float, str)


def excerpt(graph: Graph, place: int, around: int = 3) -> str:
    """The printed lines around node number `place`, that node marked; what an error about the node shows.

    Places past the last node mark the writes, then the return line.
    """
    names = value_names(graph)
    lines = list(_body(graph, names))
    shown = range(max(place - around, 0), min(place + around + 1, len(lines)))
    return "\n".join(f"{'->' if number == place else '  '} {lines[number]}" for number in shown)


def _body(graph: Graph, names: dict[Node, str]) -> Iterator[str]:
    for node in graph.nodes:
        yield format_node(node, names, locations=True)
    for write in graph.writes:
        yield format_write(write, names)
    yield format_return(graph, names)
