"""A graph that has been compiled, and is interpreted for values that do not lie in memory as its plan expects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..backend.layout import CallLayout, InputLayout, OutputLayout
from ..core.errors import GuardliftError
from ..graph.interpreter import run_reference
from ..graph.node import Graph
from ..graph.passes import run_passes

Array = np.ndarray[Any, Any]


class UnpackedValueError(GuardliftError, RuntimeError):
    """A saved-tensor hook gave back another shape or dtype than was saved, which compiled code cannot take."""


@dataclass(frozen=True, slots=True, eq=False)
class GraphCall:
    """Gives the outputs of a graph, each in a fresh array. single: there is but one, which the plan gives bare."""

    run: Callable[..., Any]
    graph: Graph
    single: bool

    def __call__(self, arguments: Sequence[Any]) -> Sequence[Array]:
        """Errors: UnpackedValueError for an argument of another shape or dtype."""
        found = self.run(*arguments)
        if found is NotImplemented or found is Ellipsis:
            arrays = [np.asarray(each) for each in arguments]
            _check_types(self.graph, arrays)
            return run_reference(self.graph, arrays)
        return (found,) if self.single else found  # type: ignore[no-any-return]


def compiled(graph: Graph, inputs: Sequence[InputLayout], strides: Sequence[tuple[int, ...]]) -> GraphCall:
    """The compiled form of a graph whose inputs lie as told, and its outputs with `strides`."""
    from ..backend.compile import compile_graph

    graph = run_passes(graph)
    single = len(strides) == 1
    outputs = tuple(OutputLayout("fresh", place, each) for place, each in enumerate(strides))
    return GraphCall(compile_graph(graph, CallLayout(tuple(inputs), outputs, unwrap=single)).build(), graph, single)


def _check_types(graph: Graph, arrays: Sequence[Array]) -> None:
    """Errors: UnpackedValueError for an array that is not of its input's type."""
    for node, array in zip(graph.inputs, arrays, strict=True):
        if array.shape != node.shape or array.dtype != node.type.dtype.numpy:
            raise UnpackedValueError(
                f"backward through a jitted function got {array.dtype}{list(array.shape)} for a saved value that was "
                f"{node.type.dtype}{list(node.shape)}: a hook of saved_tensors_hooks unpacked another shape or dtype. "
                "Let unpack_hook give back what pack_hook was given, or call the function without gl.jit "
                "(function.__wrapped__)"
            )
