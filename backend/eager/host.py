"""The kernels of eager mode on the CPU: composites and derivative rules that NumPy computes in several passes.

Which of the two computes depends on the op, and on what its operands are, never on earlier calls: bits do not change in
the midst of a training. What no kernel does is answered by NotImplemented, with nothing written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compile import CompiledGraph
from .calls import EagerCalls
from .programs import Call, stepped


class HostCalls(EagerCalls):
    """The operations on arrays of the CPU. See Note [Kernels of eager mode] in `calls.py`."""

    array = np.ndarray

    def built(self, compiled: CompiledGraph) -> Callable[[tuple[Any, ...]], Any]:
        """See `EagerCalls.built`."""
        plan = compiled.build()
        return lambda operands: plan(*operands)

    def step_row(
        self, body: tuple[Call, ...], row: Sequence[Any], numbers: Sequence[float], written: tuple[int, ...]
    ) -> bool:
        """Does the calls of a step in a row of arrays of one axis, in place; see `programs.stepped`. False, and nothing
        is done, where no kernel does them: as for arrays that share memory."""
        given = (*row, *map(float, numbers))
        what = ("step", body, written)
        key = (what, *map(self.layout, given))
        columns = len(row)
        call = self.found(key, what, given, lambda found, _: stepped(body, found, 1, columns, written))
        return call is not None and call(given) is not NotImplemented


CALLS = HostCalls()
