"""Results that a plan in Python makes of the values of its graph: arrays with memory of their own, views, writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.types import contiguous_strides
from ...graph.module import is_token
from ...graph.node import Graph
from ..call_layout import CallLayout, OutputLayout
from .check_arguments import Operands

Array = np.ndarray[Any, Any]


class ResultBuilder:
    """The way from the values of one graph, the outputs and then what is written, to the results of a call."""

    def __init__(self, graph: Graph, layout: CallLayout) -> None:
        self._outputs = sum(not is_token(node) for node in graph.outputs)
        self._targets = [graph.inputs.index(write.target) for write in graph.writes]
        self._makers = [_own(each, graph) for each in layout.outputs]
        self._layouts = layout.outputs
        self._unwrap = layout.unwrap

    def of(self, operands: Operands, values: Sequence[Array]) -> Any:
        """The results, after the writes. Values may be arguments, or views of them, or of each other."""
        written = values[self._outputs :]
        if len(written) > 1:
            written = [value.copy() for value in written]
        results: list[Any] = [None if make is None else make(values) for make in self._makers]
        for target, value in zip(self._targets, written, strict=True):
            np.copyto(operands.arrays[target], value)
        for number, output in enumerate(self._layouts):
            if output.kind == "input":
                results[number] = operands.starts[output.input]
            elif output.base is not None:
                place, base = output.base
                results[number] = view_of(operands.arrays[base] if place == "input" else results[base], output)
        if self._unwrap:
            return results[0]
        return tuple(results) if results else None


def _own(output: OutputLayout, graph: Graph) -> Callable[[Sequence[Array]], Any] | None:
    """The maker of a result that is no argument and no view: a new array with the strides it should have, or a scalar.

    None for an argument or a view.
    """
    if output.node is None:
        return None
    if is_token(graph.outputs[output.node]):
        return lambda values: None  # kept because it may raise, and dropped by the caller
    place = output.node - sum(map(is_token, graph.outputs[: output.node]))
    if output.kind == "scalar":
        return lambda values: values[place][()]
    shape, strides = graph.outputs[output.node].shape, output.strides
    if 0 in shape or strides == contiguous_strides(shape):
        return lambda values: np.array(values[place], order="C", copy=True)
    if strides == contiguous_strides(shape[::-1])[::-1]:
        return lambda values: np.array(values[place], order="F", copy=True)
    order = sorted(range(len(shape)), key=lambda axis: (-strides[axis], axis))
    back = sorted(range(len(shape)), key=order.__getitem__)

    def made(values: Sequence[Array]) -> Array:
        value = values[place]
        like = np.empty([shape[axis] for axis in order], value.dtype).transpose(back)
        own = np.empty_like(like, order="K")  # which owns its memory, as `like` does not
        own[...] = value
        return own

    return made


def view_of(base: Array, output: OutputLayout) -> Array:
    """A view of an array, with the owner and the flags that NumPy's own slicing would give it."""
    size, owner = base.itemsize, base
    while type(owner.base) is np.ndarray:
        owner = owner.base
    steps = tuple(step * size for step in output.strides)
    flat = memory_of(owner)
    if flat is None:
        return _view_of_gaps(base, output, steps)
    start = 0
    if base.size and 0 not in output.shape:
        start = _address(base) + output.offset * size - _address(flat)
    made = np.ndarray(output.shape, base.dtype, flat, start, steps)
    made.flags.writeable = base.flags.writeable
    return made


def memory_of(owner: Array) -> Array | None:
    """The bytes of an array as a flat view of it; None where they do not lie next to each other, forwards."""
    axes = sorted(range(owner.ndim), key=lambda axis: -owner.strides[axis])
    ordered = owner.transpose(axes)
    return ordered.reshape(-1).view(np.uint8) if ordered.flags.c_contiguous else None


class _ResultMemory:
    """An object that NumPy takes for memory at an address; it keeps the memory's owner alive."""

    def __init__(self, owner: Array, interface: dict[str, Any]) -> None:
        self.owner, self.__array_interface__ = owner, interface


def _view_of_gaps(base: Array, output: OutputLayout, steps: tuple[int, ...]) -> Array:
    """A view of an array over memory of somebody else's that has gaps; its `base` is no array."""
    data = _address(base) + output.offset * base.itemsize, not base.flags.writeable
    known = {"version": 3, "typestr": base.dtype.str, "shape": output.shape, "strides": steps, "data": data}
    return np.asarray(_ResultMemory(base, known))


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])
