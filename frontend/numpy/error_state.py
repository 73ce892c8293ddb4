"""`np.errstate` around a part of a function. See Note [Error states]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..breaks import NUMPY_ARGUMENT
from ..tracing.rules import traces
from ..values.base import Value
from ..values.constant import NONE, is_none
from ..values.objects.context_managers import Manager
from ..values.objects.exceptions import ExceptionValue

if TYPE_CHECKING:
    from ..tracing.trace import Trace

# Note [Error states]
# Kernels tell nothing of floating-point errors, so whether they are to be ignored or warned of makes no difference to
# them. A function of NumPy's that is called out does tell: it is called in the error state that the program has made
# around it. A state in which NumPy raises or calls somebody is left to Python.

KINDS = ("divide", "over", "under", "invalid")


class ErrorState(Manager):
    """The context manager that `np.errstate` gives; it can be entered once."""

    kind = np.errstate

    def __init__(self, given: dict[str, str]) -> None:
        self.given = given
        self.entries = 0

    def entered(self, trace: Trace) -> Value:
        if self.entries or trace.region is not None or trace.iterations:
            raise self.unsupported("a with statement")
        self.entries += 1
        trace.error_states.append(self.given)
        return NONE

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        if not trace.error_states or trace.error_states[-1] is not self.given:
            raise self.unsupported("the end of a with statement before that of another inside")
        trace.error_states.pop()
        return False


@traces(np.errstate)
def errstate(trace: Trace, *, call: Value = NONE, all: Value = NONE, **kinds: Value) -> Value:  # noqa: A002
    """`np.errstate(**kinds)`."""
    given = dict.fromkeys(KINDS, all) if not is_none(all) else {}
    known = {name: each.constant(trace) for name, each in {**given, **kinds}.items() if not is_none(each)}
    if not is_none(call) or not known.keys() <= {*KINDS} or not {*known.values()} <= {"ignore", "warn"}:
        raise NUMPY_ARGUMENT.stop(name="np.errstate", argument="a mode that raises, calls or prints")
    return ErrorState(known)
