"""Checks that a graph keeps its own rules. Cheap enough to run after every pass, in tests and with `verify_graphs`."""

from __future__ import annotations

from typing import NoReturn

from ..core.errors import GraphError, OpError
from ..ops.registry import OPS
from .node import Graph, Node
from .printer import excerpt, format_attribute, format_type, is_plain, value_names


def verify(graph: Graph) -> None:
    """Nothing, for a graph that keeps the rules.

    The rules: inputs are placeholders, each once; every other node is listed once, after the nodes it uses; its type is
    what its op's meta rule gives; its attributes are plain values in order of name; a write goes to an input of the
    value's type, once for each input; outputs and written values are values of the graph.
    Errors: GraphError that names the node and the rule, and shows the lines around it.
    """
    known: set[Node] = set()
    for number, node in enumerate(graph.inputs):
        _check_input(graph, number, node, known)
        known.add(node)
    for number, node in enumerate(graph.nodes):
        _check_place(graph, number, node, known)
        _check_attributes(graph, number, node)
        _check_type(graph, number, node)
        known.add(node)
    _check_writes(graph, known)
    for position, node in enumerate(graph.outputs):
        if node not in known:
            place = len(graph.nodes) + len(graph.writes)
            _fail(graph, place, f"output {position}, a {node.op.name}, is not a value of the graph")


def _fail(graph: Graph, place: int, problem: str) -> NoReturn:
    raise GraphError(f"the graph is not valid: {problem}\n{excerpt(graph, place)}")


def _check_input(graph: Graph, number: int, node: Node, known: set[Node]) -> None:
    if not node.is_input or node.inputs or node.attrs:
        raise GraphError(f"the graph is not valid: input {number} is a {node.op.name}; an input is a bare placeholder")
    if node in known:
        raise GraphError(f"the graph is not valid: input {number}, {value_names(graph)[node]}, is listed twice")


def _check_place(graph: Graph, number: int, node: Node, known: set[Node]) -> None:
    name = value_names(graph)[node] if node in known else f"%{number}"
    if node.is_input:
        _fail(graph, number, f"node {number} is a placeholder; placeholders stand among the inputs")
    if node in known:
        _fail(graph, number, f"node {number} is {name} again; a node is listed once")
    if OPS.get(node.op.name) is not node.op:
        _fail(graph, number, f"{name} uses an op named {node.op.name!r} that is not the one in the table of ops")
    for position, operand in enumerate(node.inputs):
        if operand not in known:
            told = value_names(graph).get(operand)
            where = f"{told}, which comes later" if told else f"a {operand.op.name} that the graph does not hold"
            _fail(graph, number, f"operand {position} of {name} is {where}; an operand is an input or an earlier node")


def _check_attributes(graph: Graph, number: int, node: Node) -> None:
    keys = [key for key, _ in node.attrs]
    if keys != sorted(set(keys)):
        _fail(graph, number, f"the attributes of %{number} are {', '.join(keys)}; each stands once, in order of name")
    for key, value in node.attrs:
        if not is_plain(value):
            problem = f"the attribute {key}={format_attribute(value)} of %{number} is of type {type(value).__name__}"
            _fail(graph, number, f"{problem}; it takes a dtype, bool, int, float, str, None or a tuple of these")


def _check_type(graph: Graph, number: int, node: Node) -> None:
    try:
        expected = node.op.meta(*(operand.type for operand in node.inputs), **node.kwargs)
    except OpError as error:
        _fail(graph, number, f"{node.op.name} refuses the operands of %{number}: {error}")
    except Exception as error:  # a meta rule may stumble over operands it never meant to take, in any way
        told = f"{type(error).__name__}: {error}"
        _fail(graph, number, f"the meta rule of {node.op.name} failed on the operands of %{number}: {told}")
    if expected != node.type:
        _fail(
            graph,
            number,
            f"%{number} has type {format_type(node.type)}, but {node.op.name} gives {format_type(expected)} here",
        )


def _check_writes(graph: Graph, known: set[Node]) -> None:
    names = value_names(graph)
    written: set[Node] = set()
    for position, write in enumerate(graph.writes):
        place = len(graph.nodes) + position
        target = names.get(write.target, "an unknown value")
        if write.target not in graph.inputs:
            _fail(graph, place, f"write {position} goes to {target}, which is no input")
        if write.value not in known:
            _fail(graph, place, f"the value of write {position}, a {write.value.op.name}, is not a value of the graph")
        if write.target.type != write.value.type:
            types = f"{format_type(write.value.type)} into {format_type(write.target.type)}"
            _fail(graph, place, f"write {position} puts {types}; the types must be equal")
        if write.target in written:
            _fail(graph, place, f"write {position} goes to {target}, which has been written already")
        written.add(write.target)
