"""Graph breaks: every reason for which tracing stops, as data. Raised only through a `BreakKind`.

Python then runs the breaking instruction itself, or the whole call where the function cannot be split (see
`codegen.graph_break_split`). The right result comes out in any case; what is lost is speed.
"""

from __future__ import annotations

import linecache
from typing import Self

from ...core.records import dataclass
from ...core.user_line import line_text
from ...graph.node import Location

KINDS: dict[str, BreakKind] = {}


@dataclass(frozen=True, slots=True)
class BreakKind:
    """One reason for a graph break. `what` may name details in braces.

    in_part: whether it says why a loop or a branch is not compiled as one; what is told of that has this remedy then.
    """

    code: str
    what: str
    why: str
    remedy: str
    in_part: bool = False

    def __post_init__(self) -> None:
        assert self.code not in KINDS, self.code
        KINDS[self.code] = self

    def stop(self, **details: object) -> GraphBreak:
        """The exception that ends the trace."""
        return GraphBreak(self, tuple(sorted(details.items())))

    def because(self, reason: GraphBreak, **details: object) -> GraphBreak:
        """The exception that ends the trace at a loop or a branch that another break keeps from being compiled as one.

        `what` names it as {reason}.
        """
        stop = self.stop(reason=f"{reason.what} ({reason.kind.code})", **details)
        stop.because = reason
        return stop


@dataclass(eq=False, kw_only=True)
class Unwinding(Exception):
    """An exception that leaves frames of the trace one by one: a break all, a `ProgramRaised` up to a handler."""

    location: Location | None = None
    columns: tuple[int, int] = (-1, -1)
    """The place in the line, in bytes; -1 when not known."""
    inside: bool = False
    """Whether it happened in an inlined call."""
    in_backward: bool = False
    """Whether it happened in a backward pass, so that eager mode has to know the whole tape, each view and stride."""

    def at(self, other: Unwinding) -> Self:
        """This one, placed where the other one happened."""
        self.location, self.columns = other.location, other.columns
        return self

    @property
    def program_raises(self) -> bool:
        """Whether Python raises an exception here."""
        raise NotImplementedError

    def as_break(self) -> GraphBreak:
        """The break that ends the trace if nothing in it stops this."""
        raise NotImplementedError


@dataclass(eq=False)
class ProgramRaised(Unwinding):
    """The traced program raised an exception, which its own handlers may catch while the trace goes on.

    error: an exception of the type and with the arguments that Python gives, see Note [Shadows].
    text:  the exception in words, where its own are not the program's.
    """

    error: BaseException
    text: str = ""

    @property
    def program_raises(self) -> bool:
        return True

    def as_break(self) -> GraphBreak:
        text = self.text or f"{type(self.error).__name__}: {self.error}"
        stop = GraphBreak(RAISES, (("error", text),), inside=self.inside, in_backward=self.in_backward)
        return stop.at(self)


@dataclass(eq=False)
class GraphBreak(Unwinding):
    """Tracing stopped: which kind, with what details, at which line of the user."""

    kind: BreakKind
    details: tuple[tuple[str, object], ...] = ()
    loop: int | None = None
    """The head of a loop that is left to Python as a whole."""
    around: int | None = None
    """The head of a loop around that one, of which this is known only now."""
    operations: int = 0
    """The number of operations of the graph that were traced before it, where the whole call is left to Python."""
    because: GraphBreak | None = None
    """The break that keeps the loop or the branch, at which this one is, from being compiled as one."""
    in_hook: bool = False
    """Whether it is that of a hook, which the engine calls on the tensor that has it, whoever made the history."""

    @property
    def what(self) -> str:
        return self.kind.what.format(**dict(self.details))

    @property
    def advice(self) -> BreakKind:
        """The kind whose remedy helps."""
        reason = self.because
        return reason.kind if reason is not None and reason.kind.in_part else self.kind

    @property
    def program_raises(self) -> bool:
        """Whether Python raises an exception here, of which the tracer knows too little to hand it to a handler."""
        return self.kind is RAISES

    def as_break(self) -> GraphBreak:
        return self

    def __str__(self) -> str:
        where = f" at {line_text(self.location.file, self.location.line)}" if self.location else ""
        return f"{self.kind.code}{where}: {self.what}. {self.kind.why}. Remedy: {self.advice.remedy}."

    def with_line(self) -> str:
        """The message, then the user's line with the part to blame underlined, as a traceback shows it."""
        line = linecache.getline(self.location.file, self.location.line).rstrip() if self.location else ""
        if not line:
            return str(self)
        text, indent = line.encode(), len(line) - len(line.lstrip())
        start, end = self.columns
        lines = [str(self), "    " + line.strip()]
        if start >= 0:
            before, width = len(text[:start].decode()) - indent, len(text[start:end].decode())
            lines.append("    " + " " * before + "^" * max(width, 1))
        return "\n".join(lines)


RAISES = BreakKind(
    "B304",
    "the program raises {error}",
    "Python itself raises it when the call runs plainly",
    "nothing to do if the error is meant",
)
