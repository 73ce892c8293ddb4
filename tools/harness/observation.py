"""One look at jitted functions: what compiles, what breaks, and whether any of them is called."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ...core.config import config
from ...core.events import Event, listening
from .compile_log import CompileLog
from .threads import ThreadFamily

if TYPE_CHECKING:
    from ...frontend.dispatch.state import FunctionState

ALL, OWN = "all", "own"
"""The threads whose events count: every one, or that of the expectation and those started inside it."""


class Observation:
    """Events of some functions, or of all, from `open` to `close`.

    states: the functions' states; None for all functions, those included that are jitted meanwhile.
    """

    def __init__(self, states: Sequence[FunctionState] | None = None, threads: str = OWN) -> None:
        self.log = CompileLog()
        self._states = states
        self._numbers = None if states is None else frozenset(state.serial for state in states)
        self._family = ThreadFamily() if threads == OWN else None
        self._stack = ExitStack()
        self._seen_before: dict[int, int] = {}
        self._events_of: set[int] = set()

    def open(self) -> None:
        """Look from now on."""
        from ...frontend.dispatch.registry import live_states
        from ...frontend.dispatch.seen_calls import seeing_calls

        states = live_states() if self._states is None else self._states
        # A call of a function without entries is seen anyway.
        self._stack.enter_context(seeing_calls([state for state in states if state.entries]))
        self._seen_before = {state.serial: state.calls_seen for state in states}
        if self._family is not None:
            self._stack.enter_context(self._family.open())
        self._stack.enter_context(listening(self._heard))

    def close(self) -> None:
        """Look no more."""
        self._stack.close()

    def called(self) -> list[FunctionState]:
        """The functions that were called, of those that still exist."""
        from ...frontend.dispatch.registry import live_states

        states = live_states() if self._states is None else self._states
        return [state for state in states if state.calls_seen > self._seen_before.get(state.serial, 0)]

    def functions(self) -> list[FunctionState]:
        """The functions that were named; where none was, those that were called."""
        return self.called() if self._states is None else list(self._states)

    @property
    def saw_a_call(self) -> bool:
        """Whether any of the functions was called, those included that are gone."""
        return bool(self._events_of or self.called())

    def _heard(self, event: Event) -> None:
        if self._numbers is not None and event.state not in self._numbers:
            return
        self._events_of.add(event.state)
        if self._family is None or threading.current_thread() in self._family:
            self.log.record(event)


def why_blind() -> str:
    """Why nothing can be compiled now, whatever is called; empty when it can."""
    from ...backend.platform_support import why_unsupported

    if config.disable:
        return "guardlift is switched off (gl.config.disable, or GUARDLIFT_DISABLE=1), so nothing is compiled"
    if config.under_tracing == "plain" and sys.gettrace() is not None:
        return (
            "a debugger or coverage is active (sys.settrace), so nothing is compiled; "
            'set gl.config.under_tracing = "jit" (GUARDLIFT_UNDER_TRACING=jit) to compile all the same'
        )
    return why_unsupported()
