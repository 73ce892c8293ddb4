"""Breaks at the data of arrays, with the reason why the branch or the loop that asks for it is not compiled as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..breaks import ARRAY_BRANCH, ARRAY_LOOP, ARRAY_VALUE, TENSOR_BRANCH, GraphBreak

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


def with_reason(frame: Frame, at: int, stop: GraphBreak) -> GraphBreak:
    """A break at an instruction with the reason why what begins there is not compiled as one, where that is known."""
    if stop.kind not in (ARRAY_BRANCH, ARRAY_VALUE):
        return stop
    known, code = frame.trace.speculation, frame.code.raw
    reason = known.not_cond.get((code, at), known.no_conds)
    if reason is not None:
        return TENSOR_BRANCH.because(reason).at(stop)
    for place, reason in known.not_region.items():
        if stop.kind is ARRAY_BRANCH and place[0] is code and at in (place[1], frame.tests.get(place[1])):
            return ARRAY_LOOP.because(reason, **dict(stop.details)).at(stop)
    return stop
