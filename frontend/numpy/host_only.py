"""The argument `device` of NumPy's functions that make arrays: there is but one device."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

from ..breaks import RAISES
from ..tracing.rules import Rule
from ..values.base import Value
from ..values.constant import NONE

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def on_host(rule: Rule) -> Rule:
    """The rule of a function, which takes `device` as well: "cpu" or None."""

    @functools.wraps(rule)
    def with_device(trace: Trace, *args: Value, device: Value = NONE, **kwargs: Value) -> Value:
        named = device.constant(trace)
        if named not in (None, "cpu"):
            raise RAISES.stop(error=f'ValueError: Device not understood. Only "cpu" is allowed, but received: {named}')
        return rule(trace, *args, **kwargs)

    known = inspect.signature(rule)
    added = inspect.Parameter("device", inspect.Parameter.KEYWORD_ONLY, default=NONE)
    with_device.__signature__ = known.replace(  # type: ignore[attr-defined]
        parameters=[*known.parameters.values(), added]
    )
    return with_device
