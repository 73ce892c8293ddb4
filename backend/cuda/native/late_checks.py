"""Checks of calls that nobody waited for: which calls have any, and the error once one has failed."""

# Note [Late checks]
# With `gl.config.cuda_checks = "late"` a call whose kernels check indices returns without waiting for the word in which
# they note a failure. The word stays set, so the kernels behind the failed one, which look at it, do nothing in this
# call and in the later ones of the plan. Calls of other plans go on, over memory that nobody wrote. None of that can be
# seen: whatever the host reads, or another library is handed, comes after a look at the words of all calls that nobody
# has looked at; and once one is set every such look is the same error, for the rest of the process. So nothing that was
# computed since is ever read, and no call has to find out what it was computed from.
#
# A check that is no index of a tensor (a loop that ends early, a power of integers) is waited for as ever: there Python
# may go on without an error.

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ....core.errors import LateCheckError
from ....ops.registry import Indexed
from ...schedule.hazards import STEPS, may_fail

if TYPE_CHECKING:
    from ....graph.node import Graph
    from .native_call import NativeCall


class LateChecks:
    """The calls of which nobody knows whether a check has failed."""

    def __init__(self) -> None:
        self._open: dict[NativeCall, int] = {}
        """With the number of the last call."""
        self._count = 0
        self._counting, self._looking = threading.Lock(), threading.Lock()
        self._told = ""

    def note(self, call: NativeCall) -> None:
        """Remembers a call that was launched."""
        with self._counting:
            self._count += 1
            self._open[call] = self._count

    def look(self) -> None:
        """Waits for the checks of all calls that were launched. Errors: LateCheckError, if one has ever failed."""
        if self._open or self._told:
            with self._looking:
                for call, number in list(self._open.items()):
                    self._look_at(call, number)
            if self._told:
                raise LateCheckError(self._told)

    def forget(self, call: NativeCall) -> None:
        """Looks at a call whose memory is about to be given back, without an error."""
        with self._looking:
            if (number := self._open.get(call)) is not None:
                self._look_at(call, number)
                self._open.pop(call, None)

    def _look_at(self, call: NativeCall, number: int) -> None:
        if call.has_failed() and not self._told:
            self._told = (
                f"an index was out of range in a call that the GPU has made since: {call.checks_at}. What the GPU has "
                "computed after it cannot be used; start anew with gl.config.cuda_checks = 'each call' "
                "(GUARDLIFT_CUDA_CHECKS), which waits for each call and raises the error in it"
            )
        with self._counting:
            if self._open.get(call) == number:
                del self._open[call]


def may_be_late(graph: Graph) -> bool:
    """Whether all that kernels of a graph check is indices: those of tensors, not of code that may catch the error."""
    return all(isinstance(node.op.lower, Indexed) for node in graph.nodes if may_fail(node) or node.op in STEPS)


def checks_at(graph: Graph) -> str:
    """The lines of the user at which indices are checked."""
    found: dict[str, None] = {}
    for node in graph.nodes:
        if may_fail(node) and node.location is not None:
            place = node.location
            found[f"{place.file}, line {place.line}, in {place.function}"] = None
    return " or ".join(found) or "its line is not known"
