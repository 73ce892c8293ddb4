"""Stands in for the back end: a graph's plan as a Python function that runs the reference interpreter.

It is the plan of other people's backends (`backend.foreign`): it checks its arguments as a native plan does, answers
NotImplemented and Ellipsis where that would, and lays its results out as told. Nothing is compiled, so the oracle can
try thousands of calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from guardlift.backend.call_layout import CallLayout
from guardlift.backend.plugins import builtin_backends
from guardlift.backend.plugins.build_results import memory_of
from guardlift.backend.plugins.python_plan import PluginGraph
from guardlift.graph.node import Graph

Array = np.ndarray[Any, Any]


def compile_to_reference(graph: Graph, layout: CallLayout) -> PluginGraph:
    """The graph with its layout, to be interpreted at each call."""
    return PluginGraph(graph, layout, "reference", builtin_backends.reference)


def bytes_of(owner: Array) -> Array:
    """The bytes of an array that owns dense memory, as a flat view of it."""
    flat = memory_of(owner)
    assert flat is not None, "the owner's memory has gaps"
    return flat
