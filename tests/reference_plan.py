"""Stands in for the back end: a graph's plan as a Python function that runs the reference interpreter.

It checks its arguments as a native plan does, answers NotImplemented and Ellipsis where that would, and lays its
results out as told. Nothing is compiled, so the oracle can try thousands of calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from guardlift.backend.cpu import errstate
from guardlift.backend.layout import CallLayout, Chase, InputLayout, OutputLayout
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class ReferenceGraph:
    """What `compile_to_reference` gives; `build` makes the plan."""

    graph: Graph
    layout: CallLayout

    def over(self, layout: CallLayout) -> ReferenceGraph:
        return ReferenceGraph(self.graph, layout)

    def build(
        self,
        lifted: Sequence[Array] = (),
        owners: Sequence[object] = (),
        subscribe: Any = None,
        known: Sequence[Array] = (),
    ) -> Callable[..., Any]:
        return lambda *arguments: _run(self.graph, self.layout, arguments, lifted, owners)


def compile_to_reference(graph: Graph, layout: CallLayout) -> ReferenceGraph:
    """The graph with its layout, to be interpreted at each call."""
    return ReferenceGraph(graph, layout)


def _starts(
    layout: CallLayout, arguments: tuple[Any, ...], lifted: Sequence[Array], owners: Sequence[object]
) -> tuple[list[Any], bool]:
    """What each input starts from, and whether the other arguments and owners are as the layout says."""
    given, known, owner = iter(arguments), iter(lifted), iter(owners)
    starts = [
        next(known if entry.kind == "lifted" else owner if entry.chase and entry.chase.owner else given)
        for entry in layout.inputs
    ]
    same = all(found is wanted for found, wanted in zip(given, layout.objects, strict=True))
    return starts, same & all(
        followed(chase, thing) is not None for chase, thing in zip(layout.checks, owner, strict=True)
    )


def followed(chase: Chase, thing: Any) -> Any:
    """What stands at the end of the way; None where it breaks off."""
    for link in chase.links:
        if type(thing) is not link.kind:
            return None
        if any(getattr(thing, name, _unset) is not wanted for name, wanted in link.same):
            return None
        thing = getattr(thing, link.slot, None) if link.slot else thing
    return thing


_unset = object()


def _run(
    graph: Graph, layout: CallLayout, passed: tuple[Any, ...], lifted: Sequence[Array], owners: Sequence[object]
) -> Any:
    starts, holds = _starts(layout, passed, lifted, owners)
    if not holds:
        return NotImplemented
    arguments = tuple(
        followed(entry.chase, start) if entry.chase else start
        for entry, start in zip(layout.inputs, starts, strict=True)
    )
    fits = all(_accepts(entry, argument) for entry, argument in zip(layout.inputs, arguments, strict=True))
    apart = fits and not any(np.may_share_memory(arguments[a], arguments[b]) for a, b in layout.disjoint)
    if not fits or not apart or errstate.accepted() is not errstate.variable.get():
        return NotImplemented
    operands = [np.asarray(each, entry.type.dtype.numpy) for entry, each in zip(layout.inputs, arguments, strict=True)]
    try:
        values = run_reference(graph, operands)
    except (IndexError, ValueError):
        return ...
    results: list[Any] = []
    for output in layout.outputs:
        results.append(starts[output.input] if output.kind == "input" else _result(output, arguments, values, results))
    return results[0] if layout.unwrap else results


def _accepts(entry: InputLayout, argument: Any) -> bool:
    match entry.kind:
        case "float":
            return type(argument) is float
        case "int":
            return type(argument) is int and -(2**63) <= argument < 2**63
        case "bool":
            return type(argument) is bool
        case "numpy_scalar":
            return type(argument) is entry.type.dtype.numpy.type
    if (
        type(argument) is not np.ndarray
        or argument.dtype != entry.type.dtype.numpy
        or argument.shape != entry.type.shape
    ):
        return False
    if not argument.flags.aligned or (entry.writeable and not argument.flags.writeable):
        return False
    steps = zip(argument.strides, entry.strides, argument.shape, strict=True)
    return argument.size == 0 or all(size == 1 or have == want * argument.itemsize for have, want, size in steps)


def _result(output: OutputLayout, arguments: tuple[Any, ...], values: list[Array], results: list[Any]) -> Any:
    if output.kind == "scalar":
        return values[output.node][()]  # type: ignore[index]
    if output.kind == "fresh":
        return _laid_out(values[output.node], output.strides)  # type: ignore[index]
    assert output.kind == "view" and output.base is not None, output
    place, number = output.base
    base: Array = arguments[number] if place == "input" else results[number]
    return _view(base, output)


def _laid_out(value: Array, strides: tuple[int, ...]) -> Array:
    """A new array that owns its memory, with these strides where they count."""
    order = sorted(range(value.ndim), key=lambda axis: (-strides[axis], axis))
    assert value.size == 0 or _is_dense(value.shape, strides), f"{value.shape} with strides {strides} leaves gaps"
    template = (
        np.empty([value.shape[axis] for axis in order], value.dtype).transpose(np.argsort(order)) if order else value
    )
    made = np.empty_like(template, order="K")
    made[...] = value
    return made


def _is_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    expected = 1
    for stride, size in sorted((stride, size) for stride, size in zip(strides, shape, strict=True) if size > 1):
        if stride != expected:
            return False
        expected *= size
    return True


def _view(base: Array, output: OutputLayout) -> Array:
    """The view whose owner is what NumPy's own slicing would say."""
    size = base.dtype.itemsize
    owner = base if base.base is None or not isinstance(base.base, np.ndarray) else base.base
    start = 0
    if base.size and 0 not in output.shape:
        start = base.__array_interface__["data"][0] + output.offset * size - np.lib.array_utils.byte_bounds(owner)[0]
    made = np.ndarray(output.shape, base.dtype, bytes_of(owner), start, tuple(step * size for step in output.strides))
    made.flags.writeable = base.flags.writeable
    return made


def bytes_of(owner: Array) -> Array:
    """The bytes of an array that owns dense memory, as a flat view of it."""
    axes = sorted(range(owner.ndim), key=lambda axis: -owner.strides[axis])
    flat = owner.transpose(axes).reshape(-1)
    assert not owner.size or np.may_share_memory(flat, owner), "the owner's memory has gaps"
    return flat.view(np.uint8)
