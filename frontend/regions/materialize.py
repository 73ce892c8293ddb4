"""Array expressions of a native loop that wait to be stored, around statements that may not run, or run again."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from ..tracing.restarts import RegionRestart
from ..tracing.speculation import LoopKey

if TYPE_CHECKING:
    from .arrays.views import ArrayExpression
    from .builder import Region


def materialize_pending(region: Region, key: LoopKey) -> list[weakref.ref[ArrayExpression]]:
    """Stores the array expressions that read memory of the region, and gives those that can stay expressions.

    What follows may run not at all, or many times, so it may not write memory that an expression reads. None can stay
    where an earlier trace found that the loop stores one of them.
    """
    left: list[weakref.ref[ArrayExpression]] = []
    for reference in region.expressions:
        expression = reference()
        if expression is None or expression.is_kept:
            continue
        if key in region.trace.speculation.materialized or any(
            region.memory.owns(view.storage) for view in expression.reads()
        ):
            expression.materialize(region.trace)
        else:
            left.append(reference)
    return left


def require_materialized(region: Region, key: LoopKey, left: list[weakref.ref[ArrayExpression]]) -> None:
    """Checks that no statement that may not run, or may run again, has stored what `materialize_pending` left.

    Errors: `RegionRestart` where one has.
    """
    if any(expression is not None and expression.is_kept for expression in (reference() for reference in left)):
        region.trace.speculation.materialized.add(key)
        raise RegionRestart
