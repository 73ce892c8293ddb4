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
ALTERNATIVES = 2
"""The most causes that are told of one miss."""
MADE = (COMPILE, RECOMPILE, RELINK, LOAD)
"""The kinds of events that tell of a new entry."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a program: in this line of the file `old` becomes `new`; a line left empty is taken out."""

    file: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} becomes {self.new}"


@dataclass(frozen=True, slots=True)
class Remedy:
    """The change of a program after which a fact does not fail any more, or why none is known.

    text: the change, in words; empty where none is known, and `why` says why.
    name, form: the variable whose value is to be another one where it is passed or assigned, and the expression for
    that, with ``{}`` in place of the present one.
    kinds: the types or dtypes that it had, of which the form follows.   option: an argument to give `gl.jit`.
    setting: a name of `gl.config` to be raised.
    uses: what the function may do with the variable, so that the form keeps its results; all of it where empty.
    aside: whether an edit that is known for other values holds all the same, and only does not help with this one.
    """

    text: str = ""
    why: str = ""
    name: str = ""
    form: str = ""
    kinds: tuple[str, ...] = ()
    option: str = ""
    setting: str = ""
    uses: frozenset[str] = frozenset()
    aside: bool = False

    @property
    def advice(self) -> str:
        """The words to print: the change, or that none is known and why."""
        return self.text or f"no edit known: {self.why}"


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
    remedy: Remedy = Remedy()
    """The remedy that `edit` gives in words, or the reason why none is known."""
    parts: int = 1
    """The size of the difference: the number of single things that differ, where another type counts as two."""
    fact: str = ""
    """The fact that failed, in the words in which a report lists it; empty for what is no guard."""

    @property
    def no_edit(self) -> str:
        """Why no edit is known, where `edit` is empty."""
        return self.remedy.why if not self.edit else ""

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
    times: int = 1
    """The number of alike things that it stands for, in a record, where `seconds` are those of all of them."""

    def nearest(self) -> tuple[Reason, ...]:
        """The failures of the entry that came closest to fitting the call; see `alternatives` for two as close."""
        return tuple(reason for failures in self.alternatives() for reason in failures)

    def alternatives(self) -> tuple[tuple[Reason, ...], ...]:
        """The failures of each entry that came closest, by the size of the difference.

        Of entries as close, those count that share what differs with most of the others, and the newest stands for
        them; where as many differ in another thing, the newest of these is there too. To mend either would do.
        """
        by_entry: dict[int, list[Reason]] = {}
        for reason in self.failures or self.reasons:
            by_entry.setdefault(reason.entry, []).append(reason)
        if not by_entry:
            return ()
        sizes = {entry: sum(reason.parts for reason in listed) for entry, listed in by_entry.items()}
        least = min(sizes.values())
        by_cause: dict[frozenset[str], list[int]] = {}
        for entry in sorted(by_entry, reverse=True):
            if sizes[entry] == least:
                about = frozenset(reason.expression for reason in by_entry[entry])
                by_cause.setdefault(about, []).append(entry)
        most = max(map(len, by_cause.values()))
        newest = [entries[0] for entries in by_cause.values() if len(entries) == most]
        return tuple(tuple(by_entry[entry]) for entry in newest[:ALTERNATIVES])


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


def start_listening(listener: Listener) -> None:
    """Have `listener` told of every event of the process, whichever thread it happens in."""
    global _listeners
    with _lock:
        _listeners = (*_listeners, listener)


def stop_listening(listener: Listener) -> None:
    """Undo the newest `start_listening`: an outer context may have registered the same listener as well."""
    global _listeners
    with _lock:
        kept = list(_listeners)
        del kept[len(kept) - 1 - kept[::-1].index(listener)]
        _listeners = tuple(kept)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """A context in which `listener` is told of every event of the process, whichever thread it happens in."""
    start_listening(listener)
    try:
        yield
    finally:
        stop_listening(listener)


def plural(count: int, word: str, many: str = "") -> str:
    """The count with its word: 1 compile, 2 compiles."""
    return f"{count} {word if count == 1 else many or word + 's'}"
