"""Runs a graph in NumPy, a node at a time: slow, obviously right, and so the oracle for every back end.

All of it lies on the host: on devices values are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ..core import dtypes
from ..core.devices.host_or_device import on_host
from ..core.errors import GraphError
from ..core.floors import REGION_RUNNER, asked
from ..ops.call_outs import CALL_OUT, AnotherForm
from ..ops.call_outs import evaluate as call
from ..ops.conds import COND
from ..ops.loops import LOOP
from ..ops.regions import REGION
from ..ops.several import RESULTS_IN_NUMPY
from .bodies import body_of, branches_of, count
from .node import Graph, Node
from .printer import format_type, value_names

Array = np.ndarray[Any, Any]
RegionRunner = Callable[[Node, Sequence[Array]], list[Array]]


class LeftRegion(ValueError):
    """A region or a call-out has found that Python has to run the call."""


def region_runner() -> RegionRunner:
    """The function that runs the program of a region. The floor above offers it: programs are written in its words."""
    runner: RegionRunner = asked(REGION_RUNNER)
    return runner


def run_reference(graph: Graph, inputs: Sequence[Array]) -> list[Array]:
    """The outputs for these inputs, each a fresh array; afterwards the graph's writes have been made into `inputs`.

    Every node sees the inputs as they were on entry, whatever is written and whichever inputs share memory. Every
    value is made dense before it is used, so that a result depends on the values alone: NumPy sums a transposed view
    in another order than its copy. Floating-point warnings are off.
    Errors: `LeftRegion` where a region leaves the call to Python; GraphError when the inputs do not fit the graph, or
    an op's value does not fit its meta rule; otherwise what NumPy raises.
    """
    _check_inputs(graph, inputs)
    regions: dict[Node, list[Array]] = {}
    values = {node: _dense(array) for node, array in zip(graph.inputs, inputs, strict=True)}
    with np.errstate(all="ignore"):
        for node in graph.nodes:
            operands = [values[operand] for operand in node.inputs]
            if node.op is REGION:
                regions[node] = region_runner()(node, operands)
                values[node] = np.zeros((), np.int64)
            elif node.op is CALL_OUT:
                regions[node] = called(node, operands)
                values[node] = np.zeros((), np.int64)
            elif node.op is LOOP:
                regions[node] = looped(node, operands)
                values[node] = np.zeros((), np.int64)
            elif node.op is COND:
                regions[node] = branched(node, operands)
                values[node] = np.zeros((), np.int64)
            elif node.op.name in RESULTS_IN_NUMPY:
                regions[node] = list(RESULTS_IN_NUMPY[node.op.name](*operands, **node.kwargs))
                values[node] = np.zeros((), np.int64)
            else:
                values[node] = _evaluate(graph, node, operands, regions)
    outputs = [_dense(values[node]) for node in graph.outputs]
    arrays = dict(zip(graph.inputs, inputs, strict=True))
    for write in graph.writes:
        arrays[write.target][...] = values[write.value]
    return outputs


def _dense(array: Array) -> Array:
    """A row-major copy."""
    return np.array(array, order="C", copy=True)


def _evaluate(graph: Graph, node: Node, operands: list[Array], regions: dict[Node, list[Array]]) -> Array:
    if node.inputs and node.inputs[0] in regions:
        return regions[node.inputs[0]][int(node.attr("index"))]  # type: ignore[call-overload]
    result = np.asarray(on_host(node.op.eager(*operands, **node.kwargs)))
    if not _fits(node, result):
        _refuse(node, result, f"{value_names(graph)[node]} = {node.op.name}(...) gave")
    # A movement gives a view of its operand; nothing writes to values, so only those out of order need a copy.
    return np.asarray(result, order="C")


def looped(node: Node, operands: Sequence[Array]) -> list[Array]:
    """The results of a loop."""
    body, trips = body_of(node), count(node, "trips")
    carried, scanned = count(node, "carried"), count(node, "scanned")
    held, rows, same = list(operands[:carried]), operands[carried : carried + scanned], operands[carried + scanned :]
    given: list[list[Array]] = []
    rounds = range(trips)
    for number in reversed(rounds) if node.attr("reverse") else rounds:
        results = run_reference(body, [*held, *(np.asarray(each[number]) for each in rows), *same])
        held = results[:carried]
        given.append(results[carried:])
    if node.attr("reverse"):
        given.reverse()
    return [*held, *(np.stack(each) for each in zip(*given, strict=True))]


def branched(node: Node, operands: Sequence[Array]) -> list[Array]:
    """The results of a cond: of its branches, one is run."""
    true, false = branches_of(node)
    return run_reference(true if operands[0] else false, operands[1:])


def called(node: Node, operands: Sequence[Array]) -> list[Array]:
    """The results of a call-out. Errors: `LeftRegion` where they are of another form than was described."""
    try:
        return call(operands, node.kwargs, node.location)
    except AnotherForm:
        raise LeftRegion from None


def _check_inputs(graph: Graph, inputs: Sequence[Array]) -> None:
    if len(inputs) != len(graph.inputs):
        raise GraphError(f"the graph takes {len(graph.inputs)} inputs, got {len(inputs)}")
    names = value_names(graph)
    for node, array in zip(graph.inputs, inputs, strict=True):
        if not isinstance(array, np.ndarray):
            raise GraphError(f"the input {names[node]} takes a NumPy array, got a {type(array).__name__}")
        if not _fits(node, array):
            _refuse(node, array, f"the input {names[node]} got")


def _fits(node: Node, array: Array) -> bool:
    return dtypes.held(array.dtype) is node.type.dtype and array.shape == node.shape


def _refuse(node: Node, array: Array, told: str) -> NoReturn:
    raise GraphError(f"{told} an array of {array.dtype}{list(array.shape)}, expected {format_type(node.type)}")
