"""`warnings.catch_warnings()`, and what changes filters in its block."""

# Note [Filters that nobody asks]
# Compiled code warns of nothing, not of floats either: a call of `warnings.warn` ends a trace. So filters that are set
# in the block and taken back at its end have no effect in a trace but one: whoever warns later finds that filters have
# changed, and what was shown once is shown again. Left to Python are a filter that makes errors of NumPy's warnings
# about floats, what NumPy is called for, which may warn, and filters set outside of such a block, which stay.

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....ops.call_outs import CALL_OUT
from ...breaks import UNKNOWN_CALL
from ...tracing.rules import traces
from ...values.base import Value
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import FALSE, NONE
from ...values.objects.context_managers import Manager

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ...values.objects.exceptions import ExceptionValue

_CHANGED: Any = getattr(warnings, "_filters_mutated", None)
"""The function that `catch_warnings` calls at its beginning and end. CPython 3.14 has none, and no rule."""
_RULED = [warnings.catch_warnings] if _CHANGED is not None else []
_SETTERS = [warnings.simplefilter, warnings.filterwarnings] if _CHANGED is not None else []

_ACTIONS = ("default", "error", "ignore", "always", "module", "once")
_ALL = BuiltinCallable(Warning)


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


@traces(*_SETTERS[:1])
def simplefilter(trace: Trace, action: Value, category: Value = _ALL, *others: Value, **more: Value) -> Value:
    """None, for a filter that is set in a block of `catch_warnings`."""
    if not trace.progress.caught_warnings:
        raise UNKNOWN_CALL.stop(name="a function that sets filters of warnings for good")
    word, kind = action.constant(trace), category.constant(trace)
    if word not in _ACTIONS or not isinstance(kind, type) or word == "error" and issubclass(RuntimeWarning, kind):
        raise UNKNOWN_CALL.stop(name=f"a function that sets the filter {word!r} for NumPy's warnings about floats")
    return NONE


@traces(*_SETTERS[1:])
def filterwarnings(
    trace: Trace, action: Value, message: Value = NONE, category: Value = _ALL, *others: Value, **more: Value
) -> Value:
    """None, for a filter that is set in a block of `catch_warnings`."""
    return simplefilter(trace, action, category)
