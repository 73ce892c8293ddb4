"""Graph breaks: every reason for which tracing stops, as data. Raised only through a `BreakKind`.

Python then runs the breaking instruction itself, or the whole call where the function cannot be split (see `splits`).
The right result comes out in any case; what is lost is speed.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Self

from ..graph.node import Location

KINDS: dict[str, BreakKind] = {}


@dataclass(frozen=True, slots=True)
class BreakKind:
    """One reason for a graph break. `what` may name details in braces."""

    code: str
    what: str
    why: str
    remedy: str

    def __post_init__(self) -> None:
        assert self.code not in KINDS, self.code
        KINDS[self.code] = self

    def stop(self, **details: object) -> GraphBreak:
        """The exception that ends the trace."""
        return GraphBreak(self, tuple(sorted(details.items())))


@dataclass(eq=False, kw_only=True)
class Unwinding(Exception):
    """It leaves the frames of the trace one by one: a `GraphBreak` all of them, a `ProgramRaised` up to a handler."""

    location: Location | None = None
    columns: tuple[int, int] = (-1, -1)
    """Where in the line, in bytes; -1 when not known."""
    inside: bool = False
    """Whether it happened in an inlined call."""
    in_walk: bool = False
    """Whether it happened in a walk back, so that eager mode has to know all of the tape, to each view and stride."""

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
        stop = GraphBreak(RAISES, (("error", text),), inside=self.inside, in_walk=self.in_walk)
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

    @property
    def what(self) -> str:
        return self.kind.what.format(**dict(self.details))

    @property
    def program_raises(self) -> bool:
        """Whether Python raises an exception here, of which the tracer knows too little to hand it to a handler."""
        return self.kind is RAISES

    def as_break(self) -> GraphBreak:
        return self

    def __str__(self) -> str:
        where = f" at {self.location.file}:{self.location.line}" if self.location else ""
        return f"{self.kind.code}{where}: {self.what}. {self.kind.why}. Remedy: {self.kind.remedy}."

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


ARRAY_BRANCH = BreakKind(
    "B101",
    "a branch on the value of an array ({name})",
    "The value is unknown while tracing, so both arms are possible",
    "use np.where(condition, a, b), or move the branch outside the jitted function",
)
ARRAY_VALUE = BreakKind(
    "B102",
    "the value of an array is needed as a Python {wanted}",
    "The value is unknown while tracing",
    "keep it an array, or compute it outside the jitted function",
)
DATA_SHAPE = BreakKind(
    "B103",
    "{name}, whose result's shape depends on the data",
    "Shapes are fixed while tracing",
    "keep the full shape and use where(mask, a, b), or weights that are 0 where the mask is; or find the places with "
    "nonzero() outside the jitted function and pass them in",
)
TENSOR_BRANCH = BreakKind(
    "B104",
    "a branch on the data of a tensor, because of {reason}",
    "Both arms of such a branch are traced as one operation, and must leave the same things behind",
    "let both arms give tensors of one form and do nothing else, use where(condition, a, b), or move the branch "
    "outside the jitted function",
)
TENSOR_VALUES = BreakKind(
    "B105",
    "{name}, which is computed from the values of a tensor",
    "The values are unknown while tracing, and there is no kernel for it",
    "call it outside the jitted function and pass its result in",
)
OTHER_BYTES = BreakKind(
    "B106",
    "a use of the bytes of bools, which may be other ones than 0 and 1",
    "NumPy copies such a byte as it is, and kernels keep of a bool whether it is true",
    "compare with 0, or convert with astype, instead of taking a view of another dtype",
)
UNKNOWN_CALL = BreakKind(
    "B201",
    "a call of {name}",
    "It is neither a Python function nor one that the tracer has a rule for",
    "move the call outside the jitted function, or write it with NumPy functions from the list in the documentation",
)
NUMPY_ARGUMENT = BreakKind(
    "B202",
    "{name} with {argument}",
    "The rule for this function does not cover that argument",
    "leave the argument out, or write the call in another form",
)
DEEP_CALL = BreakKind(
    "B203",
    "calls nested more than {limit} deep at {name}",
    "Calls are inlined only so far",
    "raise gl.config.inline_limit, or make the recursion a loop",
)
GENERATOR = BreakKind(
    "B204",
    "the coroutine {name}",
    "Coroutines are not evaluated by the tracer",
    "put @gl.jit on the functions that it calls",
)
OPEN_GENERATOR = BreakKind(
    "B205",
    "the generator {name}, left at a `yield` inside a try or with statement",
    "Python runs the rest of that statement when it drops the generator, which the tracer does not follow",
    "use the generator up, or call its close()",
)
LIBRARY = BreakKind(
    "B206",
    "a call of {name}, a function of the standard library",
    "Such functions are not followed: they work with files, locks and caches rather than with arrays",
    "move the call outside the jitted function",
)
OPCODE = BreakKind(
    "B301",
    "the instruction {name}",
    "The tracer has no rule for it",
    "move this statement outside the jitted function",
)
SIDE_EFFECT = BreakKind(
    "B302",
    "a change of {name}, which exists outside the call",
    "After its kernels compiled code changes lists, dicts, attributes, variables and names; there is no rule for this",
    "return the new value instead",
)
LONG_LOOP = BreakKind(
    "B303",
    "a loop of more than {limit} iterations",
    "Loops are unrolled so far",
    "put the body in a jitted function and loop outside it, use whole-array operations, "
    "or raise gl.config.unroll_limit",
)
RAISES = BreakKind(
    "B304",
    "the program raises {error}",
    "Python itself raises it when the call runs plainly",
    "nothing to do if the error is meant",
)
LONG_TRACE = BreakKind(
    "B305",
    "more than {limit} instructions evaluated",
    "A loop that runs while a condition on known values holds is unrolled so far",
    "put the body in a jitted function and loop outside it, or raise gl.config.trace_limit",
)
NOTHING = BreakKind(
    "B306",
    "a call without array work",
    "There is nothing to compile: no array is computed or written",
    "leave the decorator off",
)
HANDLED = BreakKind(
    "B307",
    "the program raises {error} where a handler may catch it",
    "Only Python knows the exception with all its arguments",
    "test for the condition instead of catching the exception, or keep the try statement outside the jitted function",
)
TOO_DEEP = BreakKind(
    "B308",
    "a {error} while tracing",
    "The tracer follows what is nested with calls of its own, and Python's recursion limit ended them",
    "nest less deeply, make the call nearer to the start of the program, or raise sys.setrecursionlimit",
)
RUNNING_LOOP = BreakKind(
    "B310",
    "the next element of {name}",
    "The iterator was running before this part of the function began, so what it gives is unknown",
    "nothing to do: Python advances the loop, and its body is compiled; or move what broke the graph out of the loop",
)
MANY_FACTS = BreakKind(
    "B311",
    "more than {limit} facts to be checked at each call",
    "Each element that is read of a list or a dict from outside, and each comparison of a number, is asked about anew",
    "keep many numbers in one array, or raise gl.config.guard_limit",
)
LONG_NUMBER = BreakKind(
    "B312",
    "a number that takes more than {limit} operations",
    "Arithmetic of Python's numbers is written out as one expression; a number that is used twice stands in it twice",
    "nothing to do: Python does this operation, and compiled code goes on with the result; or compute with arrays",
)
LEFT_LOOP = BreakKind(
    "B313",
    "a loop over elements that is left to Python, because of {reason}",
    "A native loop has no form for that or gains nothing, and round by round such a loop is slower compiled than not",
    "take this statement out of the loop, or write it with what native loops know (see the documentation)",
)
CLASS_INSIDE = BreakKind(
    "B320",
    "a class statement with {what}",
    "Code that the tracer does not follow has a say in how such a class is made",
    "define the class outside the jitted function",
)
TYPE_PARAMETERS = BreakKind(
    "B321",
    "a definition with type parameters",
    "The objects that stand for type parameters are not made by the tracer",
    "define the generic function or type alias outside the jitted function",
)
UNKNOWN_VALUE = BreakKind(
    "B401",
    "{operation} on {name}",
    "The tracer has no rule for values of this kind",
    "keep such values outside the jitted function, or pass in arrays and numbers",
)
DTYPE = BreakKind(
    "B402",
    "arrays of dtype {dtype}",
    "Kernels do not compute with this dtype, or not this function of it",
    "convert with astype to a bool, integer or float dtype",
)
OVERLAP = BreakKind(
    "B403",
    "a write into {name}, which shares memory with {other}",
    "The order of reads and writes in shared memory is Python's to decide",
    "pass a copy of one of them",
)
BROADCAST_WRITE = BreakKind(
    "B404",
    "a write through {name}",
    "This form of write has no rule",
    "write into the array itself, or into a slice of it",
)
INPLACE_HISTORY = BreakKind(
    "B405",
    "an in-place write into {name}, whose memory the tape sees under another name or with grad mode off",
    "Whose gradient the write changes is eager mode's to decide",
    "write into a clone(), or out of place",
)
SAVED_CHANGED = BreakKind(
    "B406",
    "a backward() through {name}, saved for it and modified in place since",
    "Eager mode raises, or goes on with the value that was saved, by the version of each saved tensor",
    "do the in-place operation after backward(), or out of place",
)
TENSOR_FEATURE = BreakKind(
    "B407",
    "{feature}",
    "The tracer has no rule for it yet",
    "keep it outside the jitted function",
)
DEVICE = BreakKind(
    "B408",
    "{why}, and the graph is for a device",
    "Kernels for devices do not cover it yet",
    "keep it, or the tensors on the device, outside the jitted function",
)
OUTSIDE_HISTORY = BreakKind(
    "B409",
    "{name} through the history of a tensor that existed before",
    "The tensor was computed before this part of the function, so its history is the engine's to walk; what was "
    "compiled of it runs compiled there",
    "nothing to do where another graph break stands between forward and backward: that one is the cause; else compute "
    "the loss in the jitted function",
)
FLOAT_STATE = BreakKind(
    "B501",
    "NumPy's error state says {mode}",
    "Compiled code does not report single floating-point errors",
    "leave np.errstate at 'warn' or 'ignore' around jitted calls",
)
INTERNAL = BreakKind(
    "B900",
    "an error inside guardlift: {error}",
    "This is a bug in guardlift",
    "report it with the function that shows it; the call ran as plain Python",
)
BACKEND = BreakKind(
    "B901",
    "kernels that could not be built: {error}",
    "The native back end does not work here, or not for this graph",
    "set GUARDLIFT_DISABLE=1 on a machine that is not supported; else report it with the function that shows it",
)
REFUSED = BreakKind(
    "B902",
    "arguments that the guards of entry {entry} accept and its plan does not",
    "What the guards of an entry say and what its plan checks differ, which is a bug in guardlift",
    "report it with the function that shows it; the call ran as plain Python",
)

CONSEQUENCES = (OUTSIDE_HISTORY,)
"""The kinds of break that occur behind another break only because that one made two parts of one computation."""
