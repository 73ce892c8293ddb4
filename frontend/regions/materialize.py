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
    """Stores the array expressions that read what the region writes: what follows may run not at all, or many times.

    Those that it leaves. Where an earlier trace found that one of them is stored inside, it leaves none.
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
    """Sees that nothing which `materialize_pending` left was stored in statements that may not run, or run again.

    Errors: `RegionRestart` where it was.
    """
    if any(expression is not None and expression.is_kept for expression in (reference() for reference in left)):
        region.trace.speculation.materialized.add(key)
        raise RegionRestart
