"""Events of jitted functions, as data: compiles, graph breaks, calls that fell to plain Python.

Each function keeps its own history; whoever wants all of them (the explainer, a test harness) listens here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .records import dataclass

COMPILE, RECOMPILE, RELINK, LOAD, DROP = "compile", "recompile", "relink", "load", "drop"
BREAK, LIMIT, PLAIN = "break", "limit", "plain"
KINDS = (COMPILE, RECOMPILE, RELINK, LOAD, DROP, BREAK, LIMIT, PLAIN)
MADE = (COMPILE, RECOMPILE, RELINK, LOAD)
"""The kinds of events that tell of a new entry."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one existing entry did not fit a call.

    entry: number of the entry.   guard: kind of the fact that failed.   expression: the user's expression it is about.
    text:  what was expected, what was found, what would avoid it.   where: the user's line that made the fact matter.
    was, now: the old and the new value, in words.   edit: the change of the program that would avoid it.
    """

    entry: int
    guard: str
    expression: str
    text: str
    where: str
    was: str = ""
    now: str = ""
    edit: str = ""
    at: tuple[str, int, str] = ("", 0, "")
    """`where` in parts: file, line, text of the line."""
    done_at: tuple[str, int, str] = ("", 0, "")
    """The user's line that made the fact false, in the same parts, where that is known: for assumptions."""
    no_edit: str = ""
    """Why no edit is known, where `edit` is empty."""

    def change(self) -> str:
        """The expression with its old and its new value, without advice."""
        return f"{self.expression} was {self.was}, now {self.now}" if self.was else self.text


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one function.

    kind: ``compile`` (a first entry), ``recompile``, ``relink`` (one more entry, for which nothing was compiled: its
    trace gave a graph that the function has code for; or, where `shared` is empty, an entry whose objects were replaced
    by others like them, and that works on these now), ``load`` (an entry of another process, found on disk: nothing was
    traced), ``drop`` (an entry was, to free memory), ``break``, ``limit`` (a
    call that fits no entry, at the limit), or ``plain`` (calls are not compiled, `text` says why). Units: seconds, of
    wall time.
    file, line: of the function; of the breaking line when a graph broke.
    """

    kind: str
    function: str
    file: str
    line: int
    entry: int = -1
    seconds: float = 0.0
    reasons: tuple[Reason, ...] = ()
    """For each entry the guard that failed first."""
    break_code: str = ""
    text: str = ""
    state: int = 0
    """Tells one jitted function from another of the same name; it has no other meaning."""
    failures: tuple[Reason, ...] = ()
    """Every guard that failed, of every entry."""
    what: str = ""
    """The cause of the graph break, with names filled in."""
    whole: bool = True
    """Whether the whole call runs as plain Python after a break, not only the instruction that broke the graph."""
    follows: str = ""
    """The text of another break of the function that has led to this one."""
    columns: tuple[int, int] = (-1, -1)
    """The characters of the breaking line that are to blame, end excluded; -1 when not known."""
    defined: tuple[str, int] = ("", 0)
    """File and first line of the function."""
    shared: str = ""
    """The function whose code a new entry runs; empty when code was made for it."""
    advice: str = ""
    """The code of the kind whose remedy helps at a graph break, where that is not the break's own."""
    unlike: str = ""
    """The difference between the graph of a recompile and the one compiled before, where they could be compared."""
    called_from: tuple[tuple[str, int, str], ...] = ()
    """The user's lines that made the call, innermost first, at most 5: file, line, text of the line."""

    def nearest(self) -> tuple[Reason, ...]:
        """The failures of the entry that came closest to fitting the call; of two as close, of the newer one."""
        by_entry: dict[int, list[Reason]] = {}
        for reason in self.failures or self.reasons:
            by_entry.setdefault(reason.entry, []).append(reason)
        if not by_entry:
            return ()
        return tuple(by_entry[min(by_entry, key=lambda entry: (len(by_entry[entry]), -entry))])


Listener = Callable[[Event], None]
_listeners: tuple[Listener, ...] = ()
_lock = threading.Lock()


def emit(event: Event) -> None:
    """Tell every listener, in the thread in which it happened."""
    for listener in _listeners:
        listener(event)


def listened_to() -> bool:
    """Whether anybody listens now."""
    return bool(_listeners)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """A context in which `listener` is told of every event of the process, whichever thread it happens in."""
    global _listeners
    with _lock:
        _listeners = (*_listeners, listener)
    try:
        yield
    finally:
        with _lock:
            kept = list(_listeners)
            # The newest one: the same listener may have been registered by an outer context as well.
            del kept[len(kept) - 1 - kept[::-1].index(listener)]
            _listeners = tuple(kept)


def plural(count: int, word: str, many: str = "") -> str:
    """The count with its word: 1 compile, 2 compiles."""
    return f"{count} {word if count == 1 else many or word + 's'}"
