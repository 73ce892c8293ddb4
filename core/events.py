"""What happened to jitted functions, as data: compiles, graph breaks, calls that fell to plain Python.

Each function keeps its own history; whoever wants all of them (the explainer, a test harness) listens here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one existing entry did not fit a call.

    entry: number of the entry.   guard: kind of the fact that failed.   expression: the user's expression it is about.
    text:  what was expected, what was found, what would avoid it.   where: the user's line that made the fact matter.
    """

    entry: int
    guard: str
    expression: str
    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one function.

    kind: ``compile`` (a first entry), ``recompile``, ``break`` or ``limit``. Units: seconds, of wall time.
    """

    kind: str
    function: str
    file: str
    line: int
    entry: int = -1
    seconds: float = 0.0
    reasons: tuple[Reason, ...] = ()
    break_code: str = ""
    text: str = ""
    state: int = 0
    """Tells one jitted function from another of the same name; it has no other meaning."""

    def headline(self) -> str:
        """One line: what, to which function, where."""
        return f"{self.kind} of {self.function} ({self.file}:{self.line})"


Listener = Callable[[Event], None]
_listeners: list[Listener] = []


def emit(event: Event) -> None:
    """Tell every listener."""
    for listener in tuple(_listeners):
        listener(event)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """A context in which `listener` is told of every event of the process."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
