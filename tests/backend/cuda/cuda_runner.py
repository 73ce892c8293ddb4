"""Runs compiled graphs as CUDA kernels: in the simulator, or on the GPU where it is off."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from backend.plain_runner import SIDE_EXIT

from guardlift.backend.compile import CompiledGraph
from guardlift.backend.cuda.call import build
from guardlift.core.config import config

BOTH = "GUARDLIFT_TEST_BOTH_COMPILERS" in os.environ
"""Whether every graph also runs by the kernels that Numba compiles, whose results have to be the same bits."""


def run_cuda(compiled: CompiledGraph, arguments: Sequence[Any], lifted: Sequence[Any] = ()) -> Any:
    """The list of results, or SIDE_EXIT."""
    if not BOTH:
        return _run(compiled, arguments, lifted)
    arrays = [each for each in (*arguments, *lifted) if isinstance(each, np.ndarray)]
    before = [array.copy() for array in arrays]
    with config.patch(kernel_compiler="numba"):
        wanted = _bits(_run(compiled, arguments, lifted), arrays)
    for array, values in zip(arrays, before, strict=True):
        if array.flags.writeable:
            array[...] = values
    found = _run(compiled, arguments, lifted)
    assert _bits(found, arrays) == wanted, "guardlift's own compiler and Numba's give other bits"
    return found


def _bits(found: Any, arrays: Sequence[Any]) -> list[bytes]:
    results = [] if found is SIDE_EXIT else found
    return [np.asarray(each).tobytes() for each in (*results, *arrays)]


def _run(compiled: CompiledGraph, arguments: Sequence[Any], lifted: Sequence[Any]) -> Any:
    result = build(compiled, lifted)(*arguments)
    assert result is not NotImplemented, "the call refused its arguments"
    if result is Ellipsis:
        return SIDE_EXIT
    return [result] if compiled.layout.unwrap else list(result or ())
