"""`warnings.catch_warnings()`, and what changes filters in its block."""

# Note [Filters that nobody asks]
# Compiled code warns of nothing: a call that would warn is left to Python before it has written anything, under the
# filters of its own. So filters that are set in the block and taken back at its end have no effect in a trace but one:
# whoever warns later finds that filters have changed, and what was shown once is shown again. What NumPy is called for
# may warn, so it is left to Python there. Filters set outside of such a block stay, and are Python's matter.

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....ops.call_outs import CALL_OUT
from ...breaks import UNKNOWN_CALL
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import FALSE, NONE
from ...values.objects.context_managers import Manager

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ...values.objects.exceptions import ExceptionValue

_CHANGED: Any = getattr(warnings, "_filters_mutated", None)
"""What `catch_warnings` calls at its beginning and end. CPython 3.14 has another way: there is no rule for it."""
_RULED = [warnings.catch_warnings] if _CHANGED is not None else []
_SETTERS = [warnings.simplefilter, warnings.filterwarnings] if _CHANGED is not None else []


@dataclass(eq=False)
class FiltersChanged:
    """Filters were changed, and are again as they were."""

    def replay(self, writer: EntryWriter) -> list[str]:
        """The statement that says so."""
        return [f"{writer.pool.add(_CHANGED)}()"]


class CatchWarnings(Manager):
    """`catch_warnings()`. See Note [Filters that nobody asks]."""

    kind = warnings.catch_warnings

    def __init__(self) -> None:
        self._nodes = 0

    def entered(self, trace: Trace) -> Value:
        trace.progress.caught_warnings += 1
        self._nodes = len(trace.builder.nodes)
        return NONE

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        trace.progress.caught_warnings -= 1
        if any(node.op is CALL_OUT for node in trace.builder.nodes[self._nodes :]):
            raise UNKNOWN_CALL.stop(name="NumPy, which may warn, in a block of warnings.catch_warnings")
        trace.effects.pending[(id(_CHANGED), "filters of warnings")] = FiltersChanged()
        return False


@traces(*_RULED)
def catch_warnings(trace: Trace, *, record: Value = FALSE) -> Value:
    """`warnings.catch_warnings()` with nothing recorded, outside of loops that are evaluated once."""
    if record.truth(trace) or trace.region is not None or trace.iterations:
        raise UNKNOWN_CALL.stop(name="warnings.catch_warnings(record=True), or in a compiled loop")
    return CatchWarnings()


@traces(*_SETTERS)
def set_filter(trace: Trace, *args: Value, **kwargs: Value) -> Value:
    """None, for a filter that is set in a block of `catch_warnings`."""
    if not trace.progress.caught_warnings:
        raise UNKNOWN_CALL.stop(name="a function that sets filters of warnings for good")
    return NONE
