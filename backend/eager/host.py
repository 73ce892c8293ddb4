"""The kernels of eager mode on the CPU: composites and derivative rules that NumPy computes in several passes.

Which of the two computes depends on the op, and on what its operands are, never on earlier calls: bits do not change in
the midst of a training. What no kernel does is answered by NotImplemented, with nothing written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..compile import CompiledGraph
from .calls import EagerCalls


class HostCalls(EagerCalls):
    """The operations on arrays of the CPU. See Note [Kernels of eager mode] in `calls.py`."""

    array = np.ndarray

    def built(self, compiled: CompiledGraph) -> Callable[[tuple[Any, ...]], Any]:
        """See `EagerCalls.built`."""
        plan = compiled.build()
        return lambda operands: plan(*operands)


CALLS = HostCalls()
