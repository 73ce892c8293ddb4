"""Anomaly mode: forward operations remember where they were called, and backward stops at the first NaN."""

# Note [Anomaly mode and the tape]
# Recording an operation is the hot path, so it does not ask whether anomaly mode is on: while it is, another tape
# stands in place of the usual one, which calls that and annotates the node. Nodes that are not of an op annotate
# themselves.

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from ..ops.registry import OpDef
from ..tensor import tape
from ..tensor.tape import Tape, register_tape
from ..tensor.tensor import Tensor
from .error_notes import ANOMALY


class AnnotatingTape:
    """The tape `inner`, with each node annotated."""

    def __init__(self, inner: Tape) -> None:
        self.inner = inner
        self.current_node = inner.current_node
        self.close_write = inner.close_write

    def record(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], result: Tensor) -> None:
        """See `Tape`."""
        self.inner.record(op, operands, attrs, result)
        ANOMALY.annotate(result._node)

    def record_view(self, op: OpDef, base: Tensor, attrs: Mapping[str, Any], view: Tensor) -> None:
        """See `Tape`."""
        self.inner.record_view(op, base, attrs, view)
        ANOMALY.annotate(view._node)

    def open_write(self, op: OpDef, x: Tensor, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """See `Tape`."""
        pending = self.inner.open_write(op, x, operands, attrs)
        if pending is not None:
            ANOMALY.annotate(pending.node)
        return pending

    def open_assignment(self, x: Tensor, value: Any) -> Any:
        """See `Tape`; the node of an assignment annotates itself."""
        return self.inner.open_assignment(x, value)


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return ANOMALY.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether backward looks for NaNs while anomaly mode is on."""
    return ANOMALY.check_nan


def _switch(enabled: bool, check_nan: bool) -> None:
    if enabled and not isinstance(tape.tape, AnnotatingTape):
        register_tape(AnnotatingTape(tape.tape))
    elif not enabled and isinstance(tape.tape, AnnotatingTape):
        register_tape(tape.tape.inner)
    ANOMALY.enabled, ANOMALY.check_nan = enabled, check_nan


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switches anomaly mode on or off, from here on."""
    set_detect_anomaly(enabled, check_nan)


class detect_anomaly:  # noqa: N801
    """A context in which anomaly mode is on, for all threads.

    An operation recorded in it keeps the traceback of its call in ``node.metadata``; a backward that fails in it shows
    that of the failing node. With `check_nan` a NaN in a gradient that a node gives is such a failure.
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = bool(check_nan)
        self.before: list[tuple[bool, bool]] = []
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.before.append((ANOMALY.enabled, ANOMALY.check_nan))
        _switch(True, self.check_nan)

    def __exit__(self, *_error: object) -> None:
        _switch(*self.before.pop())


class set_detect_anomaly:  # noqa: N801
    """Sets anomaly mode at once; as a context it puts the old state back on leaving."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (ANOMALY.enabled, ANOMALY.check_nan)
        _switch(bool(mode), bool(check_nan))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        _switch(*self.before)
