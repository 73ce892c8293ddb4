"""Bodies of loops and conds: graphs as plain nested tuples, so that they stand among a node's attributes.

::

    ((((3,), f64),),  (("exp", (0,), ()), ("add", (0, 1), ())),  (2,))

is a body of one input of three numbers, in which value 1 is the exponential of value 0, the input, and value 2, the
result, is the sum of both. Like all attributes it prints, parses, and is compared as the data it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from ..core.devices import CPU
from ..core.errors import GraphError
from ..core.sizes import is_whole
from ..core.types import TensorType
from ..ops.conds import COND, COND_RESULT
from ..ops.loops import LOOP, LOOP_RESULT, Body
from ..ops.registry import OpDef, get
from .builder import GraphBuilder
from .node import Graph, Location, Node

WITH_BODIES = (LOOP, COND)
"""The ops whose nodes hold graphs."""
BRANCHES = ("true", "false")


def encode(graph: Graph) -> Body:
    """The body that a graph is; its lines are left out, and it has no writes."""
    assert not graph.writes, "a body gives values, and writes nothing"
    numbers = {node: k for k, node in enumerate((*graph.inputs, *graph.nodes))}
    inputs = tuple((node.shape, node.type.dtype) for node in graph.inputs)
    nodes = tuple((node.op.name, tuple(numbers[each] for each in node.inputs), node.attrs) for node in graph.nodes)
    return inputs, nodes, tuple(numbers[node] for node in graph.outputs)


def decode(body: Body, location: Location | None = None) -> Graph:
    """The graph of a body. location: the line that its nodes get."""
    inputs, nodes, results = body
    builder = GraphBuilder()
    values = [builder.input(TensorType(shape, dtype), f"input_{k}") for k, (shape, dtype) in enumerate(inputs)]
    for name, operands, attrs in nodes:
        values.append(builder.add(get(name), *(values[k] for k in operands), location=location, **dict(attrs)))
    return builder.finish(values[k] for k in results)


def body_of(loop: Node) -> Graph:
    """The graph of a loop's body."""
    return decode(cast("Body", loop.attr("body")), loop.location)


def branches_of(cond: Node) -> tuple[Graph, Graph]:
    """The graphs of a cond's branches: that for true, and that for false."""
    true, false = (decode(cast("Body", cond.attr(name)), cond.location) for name in BRANCHES)
    return true, false


def count(loop: Node, name: str) -> int:
    """One of the loop's attributes that count."""
    value = loop.attr(name)
    assert is_whole(value)
    return value


def result_types(loop: Node, body: Graph) -> list[TensorType]:
    """The types of all that a loop gives."""
    carried, trips = count(loop, "carried"), count(loop, "trips")
    types = [node.type for node in body.outputs]
    return [*types[:carried], *(TensorType((trips, *each.shape), each.dtype) for each in types[carried:])]


def add_loop(
    builder: GraphBuilder,
    body: Graph,
    operands: Sequence[Node],
    *,
    trips: int,
    carried: int,
    scanned: int,
    reverse: bool = False,
    location: Location | None = None,
    wanted: Iterable[int] | None = None,
) -> dict[int, Node]:
    """The results of a new loop, by index. wanted: which of them there are nodes for; all by default.

    Errors: OpError where operands do not fit the body.
    """
    attrs: dict[str, Any] = {"trips": trips, "carried": carried, "scanned": scanned, "reverse": reverse}
    loop = builder.add(LOOP, *operands, location=location, body=encode(body), **attrs)
    types = result_types(loop, body)
    return {
        index: builder.add(
            LOOP_RESULT, loop, location=location, index=index, shape=types[index].shape, dtype=types[index].dtype
        )
        for index in (range(len(types)) if wanted is None else wanted)
    }


def add_cond(
    builder: GraphBuilder,
    branches: tuple[Graph, Graph],
    operands: Sequence[Node],
    *,
    kept: int = 0,
    location: Location | None = None,
    wanted: Iterable[int] | None = None,
) -> dict[int, Node]:
    """The results of a new cond, by index. operands: the bool, then what the branches take. wanted: see `add_loop`.

    kept: how many of the last results are for backward alone.

    Errors: OpError where operands do not fit the branches; GraphError where one branch gives other types than the
    other.
    """
    types, others = ([node.type for node in branch.outputs] for branch in branches)
    if types != others:
        raise GraphError(f"the arms of a cond give values of the types {types} and {others}")
    true, false = map(encode, branches)
    cond = builder.add(COND, *operands, location=location, true=true, false=false, kept=kept)
    return {
        index: builder.add(
            COND_RESULT, cond, location=location, index=index, shape=types[index].shape, dtype=types[index].dtype
        )
        for index in (range(len(types)) if wanted is None else wanted)
    }


def lies_elsewhere(operands: Iterable[Node], body: Graph) -> bool:
    """Whether a result of a body is on another device than a node over these operands says of its results."""
    device = next((node.type.device for node in operands if node.type.device != CPU), CPU)
    return any(node.type.device != device for node in body.outputs)


def results_of(nodes: Iterable[Node], op: OpDef) -> dict[Node, dict[int, Node]]:
    """The loops or conds among nodes (`op` says which), with the nodes of their results by index."""
    found: dict[Node, dict[int, Node]] = {}
    result = LOOP_RESULT if op is LOOP else COND_RESULT
    for node in nodes:
        if node.op is op:
            found[node] = {}
        elif node.op is result:
            index = node.attr("index")
            assert isinstance(index, int)
            found.setdefault(node.inputs[0], {})[index] = node
    return found


def check_whole(graph: Graph) -> None:
    """Errors: GraphError where a graph reads a value that it does not hold, such as one of a loop's body."""
    held = {*graph.inputs, *graph.nodes}
    for node in graph.nodes:
        if not held.issuperset(node.inputs):
            raise GraphError(f"{node!r} reads a value that is no part of its graph")
    if not held.issuperset(graph.results):
        raise GraphError("a result is no part of its graph")
