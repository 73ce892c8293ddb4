"""`explain(f)`: what was compiled for a function, under which guards, what compiled again and why."""

from __future__ import annotations

import functools
import json
import types
from collections.abc import Mapping
from dataclasses import field, fields, is_dataclass
from typing import Any

from ..core.config import config
from ..core.errors import NotAFunctionError
from ..core.events import COMPILE, LIMIT, MADE, PLAIN, RECOMPILE, RELINK, Event, Reason, plural
from ..core.records import dataclass
from ..core.user_line import line_text

SCHEMA = 1
"""Version of the data that `Report.to_dict` and ``guard-explain --json`` give; `report_schema.json` describes it."""


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """A line of the user's program."""

    file: str
    line: int
    source: str = ""

    def __str__(self) -> str:
        return line_text(self.file, self.line) + (f": {self.source}" if self.source else "")


@dataclass(frozen=True, slots=True)
class GuardReport:
    """One fact that an entry relies on: the statement that must hold, and the line that made it matter.

    native: the compiled plan checks it itself; otherwise the function's entry code does, in bytecode.
    nanoseconds: about how long the check takes, as in `EntryReport.guard_microseconds`.
    """

    fact: str
    kind: str
    native: bool
    where: ReportPlace | None
    nanoseconds: int = 0


@dataclass(frozen=True, slots=True)
class AssumptionReport:
    """Facts of one kind that an entry relies on without asking at its calls: whoever changes one tells.

    count: how many there are; `facts` are the first few of them.   where: the line that first relied on one.
    """

    kind: str
    count: int
    facts: tuple[str, ...]
    where: ReportPlace | None


@dataclass(frozen=True, slots=True)
class KernelReport:
    """One distinct kernel of an entry, and how many of its steps run it."""

    name: str
    uses: int
    text: str


@dataclass(frozen=True, slots=True)
class CallsReport:
    """The calls of a function: `hits`, which an entry served; `misses`, for which one was made or found, or that raised
    an error meanwhile; and those that ran as plain Python."""

    hits: int
    misses: int
    plain: int

    @property
    def total(self) -> int:
        """All calls."""
        return self.hits + self.misses + self.plain

    def __str__(self) -> str:
        counts = f"{plural(self.hits, 'hit')}, {plural(self.misses, 'miss', 'misses')}, {self.plain} in plain Python"
        return f"{plural(self.total, 'call')}: {counts}"


@dataclass(frozen=True, slots=True)
class EntryReport:
    """One variant of a function. A plain one only says that such calls run as plain Python, after a graph break.

    Units: seconds of wall time by phase (trace, passes, lower, kernels, total); microseconds for each instruction of
    the user's bytecode that was traced; bytes of memory for intermediates in one call.
    stale: why no call fits it any more, or for the time being: which assumption broke; empty while all hold.
    kernels_compiled, kernels_loaded: native code made while this entry was built, of the whole process.
    """

    number: int
    plain: bool
    guards: tuple[GuardReport, ...] = ()
    inputs: tuple[str, ...] = ()
    graph: str = ""
    kernels: tuple[KernelReport, ...] = ()
    steps: int = 0
    arena_bytes: int = 0
    kernels_compiled: int = 0
    kernels_loaded: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    instructions: int = 0
    microseconds_per_instruction: float = 0.0
    code: str = ""
    assumptions: tuple[AssumptionReport, ...] = ()
    stale: str = ""
    guard_microseconds: float = 0.0
    """About how long one call takes to check the guards: an estimate from their kinds, the same on every machine."""
    bindings: tuple[str, ...] = ()
    """The sizes for which there are plans, where they are symbolic: shapes of arrays, and ints, the last at the end."""
    backward: tuple[BackwardReport, ...] = ()
    """One for each history that the results have."""
    position: int = 0
    """The place in the function's bytecode at which it begins: 0, or behind a graph break."""
    loaded: bool = False
    """Whether another process has traced it, so that nothing was done here but to link it."""
    served: int | None = None
    """Calls that it has served, or rests of calls behind a graph break; of a plain one, those that it left to Python.
    None where nobody counts."""


@dataclass(frozen=True, slots=True)
class BackwardReport:
    """The memory that a compiled forward leaves to a backward after the call. Units: bytes.

    kept: for backward, memory that is there anyway left out.   peak: about what backward holds at once, as if each
    value were stored.   The others: kept and peak without saved-tensor hooks.
    """

    kept: int
    kept_without_hooks: int
    peak: int
    peak_without_hooks: int


@dataclass(frozen=True, slots=True)
class BreakReport:
    """One graph break: what stopped the trace, why it does, what to do instead, and the line.

    columns: the characters of `source` that are to blame, end excluded; (-1, -1) when not known.
    """

    code: str
    what: str
    why: str
    remedy: str
    file: str
    line: int
    source: str
    columns: tuple[int, int]
    whole: bool = True
    """Whether the whole call runs as plain Python; else Python runs the instruction, and compiled code what follows."""
    led_to: tuple[str, ...] = ()
    """Other things that are left to Python only because of this break, each with its place."""
    passed: int | None = None
    """The number of times that calls came by it; None where nobody counts."""
    microseconds: float | None = None
    """The time that Python took there, the mean of at most 100 passes; None where nobody took it."""

    def __str__(self) -> str:
        return f"{self.code} at {line_text(self.file, self.line)}: {self.what}. {self.why}. Remedy: {self.remedy}."


@dataclass(frozen=True, slots=True)
class Report:
    """Facts about one jitted function. `str` of it is for people, `to_dict` and `to_json` are for programs.

    events: all that happened, in order.   left_alone: why `jit` gave back plain Python, or empty.
    misses_over_limit: calls that fit no entry after the limit was reached; they ran as plain Python.
    calls: None where nobody counts them, as on a device.
    """

    name: str
    file: str
    line: int
    entries: tuple[EntryReport, ...] = ()
    breaks: tuple[BreakReport, ...] = ()
    events: tuple[Event, ...] = ()
    left_alone: str = ""
    misses_over_limit: int = 0
    calls: CallsReport | None = None

    @property
    def compiles(self) -> int:
        """Entries that were compiled."""
        return sum(event.times for event in self.events if event.kind in (COMPILE, RECOMPILE))

    @property
    def recompiles(self) -> int:
        """Compiles beyond the first."""
        return sum(event.times for event in self.events if event.kind == RECOMPILE)

    @property
    def relinks(self) -> int:
        """Entries for which nothing was compiled: their traces gave a graph that the function has code for."""
        return sum(event.times for event in self.events if event.kind == RELINK)

    @property
    def compile_seconds(self) -> float:
        """Wall time of all compiles, and of entries for which nothing was compiled."""
        return sum(event.seconds for event in self.events if event.kind in MADE)

    @property
    def limit_reached(self) -> bool:
        """Whether calls ran as plain Python because the function had as many entries as it may have."""
        return any(event.kind == LIMIT for event in self.events)

    @property
    def state(self) -> str:
        """One line that says what calls of the function do."""
        if self.left_alone:
            return f"left alone, runs as plain Python: {self.left_alone}"
        compiled = sum(not entry.plain and not entry.stale for entry in self.entries)
        stale = sum(not entry.plain and bool(entry.stale) for entry in self.entries)
        if self.limit_reached:
            missed = f"{self.misses_over_limit} call{'s' * (self.misses_over_limit != 1)}"
            return f"limit reached: {len(self.entries)} entries, {missed} that fit none of them ran as plain Python"
        if compiled:
            also = f", {stale} more stale" if stale else ""
            splits = sum(not found.whole for found in self.breaks)
            also += f", split at {plural(splits, 'graph break')}" if splits else ""
            also += ", some calls run as plain Python" if any(found.whole for found in self.breaks) else ""
            return f"compiled: {plural(compiled, 'entry', 'entries')}{also}"
        if stale:
            return f"stale: {plural(stale, 'entry', 'entries')}, see below; a call compiles anew"
        if self.breaks:
            return "plain: the graph broke, see below"
        plain = [event.text for event in self.events if event.kind == PLAIN]
        if config.disable:
            plain = ["gl.config.disable is on"]
        return f"plain: {plain[0]}" if plain else "not compiled: not called yet, or each call raised an error"

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON data, of version `SCHEMA`."""
        names = ("compiles", "recompiles", "relinks", "compile_seconds", "limit_reached", "state")
        return {
            **_data(self),
            "events": [event_data(event) for event in self.events],
            **{name: getattr(self, name) for name in names},
        }

    def to_json(self) -> str:
        """`to_dict` as text, with the version of the schema in front."""
        return json.dumps({"schema": SCHEMA, **self.to_dict()}, indent=2)

    def __str__(self) -> str:
        from .render import report_lines

        return "\n".join(text for _, text in report_lines(self))

    def __repr__(self) -> str:
        from .show.places import short_name

        entries = plural(sum(not entry.plain for entry in self.entries), "entry", "entries")
        counts = f"{entries}, {plural(self.recompiles, 'recompile')}, {plural(len(self.breaks), 'break')}"
        return f"<jit {short_name(self.name)}: {counts}>"

    def _repr_html_(self) -> str:
        from .show.notebook import html_of

        return html_of(self)


def event_data(event: Event) -> dict[str, Any]:
    """An event as JSON data. `reasons` are those of the entry that came closest; `failures` are all."""
    return {
        "kind": event.kind,
        "function": event.function,
        "file": event.file,
        "line": event.line,
        "entry": event.entry,
        "seconds": event.seconds,
        "break_code": event.break_code,
        "text": event.text,
        "shared": event.shared,
        "unlike": event.unlike,
        "reasons": [_reason_data(reason) for reason in event.nearest()],
        "failures": [_reason_data(reason) for reason in event.failures or event.reasons],
    }


def _reason_data(reason: Reason) -> dict[str, Any]:
    names = ("entry", "guard", "expression", "was", "now", "text", "edit")
    file, line, source = reason.at
    done = dict(zip(("file", "line", "source"), reason.done_at, strict=True)) if reason.done_at[1] else None
    place = {"file": file, "line": line, "source": source, "done_at": done}
    return {**{name: getattr(reason, name) for name in names}, **place}


def _data(value: Any) -> Any:
    """`value` as JSON data: records become objects, tuples lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _data(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, (tuple, list)):
        return [_data(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _data(each) for key, each in value.items()}
    return value


def explain(function: Any) -> Report:
    """A report on a jitted function: what was compiled, under which guards, what compiled again and why.

    A bound method, a partial application or a decorated form of a jitted function will do, and a jitted module.
    Errors: `NotAFunctionError` for anything that `jit` did not make.
    """
    from ..frontend import state_of
    from ..frontend.dispatch.registry import why_left_alone

    for each in unwrapped(function):
        state = state_of(each)
        if state is not None:
            from .collect import report_of

            return report_of(state)
        why = why_left_alone(each)
        if why:
            code = each.__code__
            return Report(each.__qualname__, code.co_filename, code.co_firstlineno, left_alone=why)
    raise NotAFunctionError(not_jitted(function))


def unwrapped(function: Any) -> list[Any]:
    """The function and what it is made from, outermost first."""
    found: list[Any] = []
    while function is not None and not any(function is each for each in found):
        found.append(function)
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, (types.MethodType, staticmethod, classmethod)):
            function = function.__func__
        elif isinstance(function, types.FunctionType):
            function = function.__dict__.get("__wrapped__")
        elif hasattr(type(function), "_compiled_call"):  # a module that was jitted
            function = function._compiled_call.function()
        else:
            function = None
    return found


def not_jitted(function: Any, call: str = "gl.explain(f)") -> str:
    """The words of the error for a thing that `jit` did not make; `call` is the call as it should be."""
    name = getattr(function, "__qualname__", None)
    found = (
        f"the {type(function).__name__} {name}"
        if isinstance(name, str)
        else f"a value of type {type(function).__name__}"
    )
    if isinstance(function, types.FunctionType):
        made = f"the result of gl.jit({function.__name__})"
        advice = f"put @gl.jit above it, or pass {made}: the original knows of no compiles"
    elif isinstance(function, type):
        advice = "pass one of its methods that has @gl.jit"
    else:
        advice = f"pass the function itself, as in {call}, without calling it"
    return f"a function made by gl.jit is needed, not {found}; {advice}"
