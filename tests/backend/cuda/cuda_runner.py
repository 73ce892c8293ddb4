"""Runs compiled graphs as CUDA kernels: in the simulator, or on the GPU where it is off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backend.plain_runner import SIDE_EXIT

from guardlift.backend.compile import CompiledGraph
from guardlift.backend.cuda.call import build


def run_cuda(compiled: CompiledGraph, arguments: Sequence[Any], lifted: Sequence[Any] = ()) -> Any:
    """The list of results, or SIDE_EXIT."""
    result = build(compiled, lifted)(*arguments)
    assert result is not NotImplemented, "the call refused its arguments"
    if result is Ellipsis:
        return SIDE_EXIT
    return [result] if compiled.layout.unwrap else list(result or ())
