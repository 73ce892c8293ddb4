"""The text of entry code: the prologue that a jitted function has before its body, with the entries' guards and calls.

It is Python text, compiled by CPython itself, each part by itself, so it is right for every version. The
body follows in the same code object: when no entry fits and nothing can be compiled, execution falls through into the
user's own instructions, in the user's own frame. A traceback therefore shows the user's lines and nothing else.

Where a trace broke off, CPython runs the body; a *resume section* of the same kind as the prologue lies behind the body
for each position at which compiled code takes over again. The body jumps to it and it falls back into the body. So
local variables, iterators, `with` blocks and handlers stay where they are: in the one frame of the call.
"""

# Note [No objects in co_consts]
# Code objects are not seen by the garbage collector. Every object that generated code needs (plans, types, functions)
# sits in one tuple in one extra closure cell of the function, and is named there by number.

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence

from ..core.records import dataclass
from .names import name_text
from .pool import POOL
from .sources import RESULT, STATE

ERRORS_SLOT, MISS_SLOT, PLAIN_SLOT, MISSED_SLOT, RAISED_SLOT, TYPE_SLOT, FAILED_SLOT, LEFT_SLOT = range(8)
"""The first objects of the pool: the errors a guard may raise, the miss handler, the answer for "run the body", the
plan's answer for "not my arguments", the class of answers that carry an error, `type` (a variable of the user may have
any name), the function that says what a guard that raised an error stands for, and the answer of an entry that fits and
leaves the call to the body."""

MISSED = f"{POOL}[{MISSED_SLOT}]"
ERRORS = f"{POOL}[{ERRORS_SLOT}]"
FAILED = f"{POOL}[{FAILED_SLOT}]()"
"""`MISSED`, unless the error that is being handled is no guard's."""

NEXT = "__guardlift_next__"
"""Returning this constant, as every part of entry code but the last does, stands for going on with the next part."""

BODY = "__guardlift_body__"
"""Returning this constant in the prologue's text stands for going on with the body."""

RESUME_BODY = "__guardlift_go__"
"""Returning a constant that begins so stands for a `ResumeBody`."""
CALL_CONTINUATION = "__guardlift_on__"
"""Returning this constant stands for a call of the continuation in the result variable, which runs newer code."""

CALL_HIDDEN = "__guardlift_hide__"
"""Returning this constant stands for that call where no frame of its own may be seen. See Note [One frame a call]."""

RAISE = "__guardlift_raise__"
"""Returning this constant stands for raising again the exception in the result variable, as if not from here."""

DROP = "__guardlift_drop__"
"""Assigning this constant stands for putting None into every slot of the value stack. The handlers of the body do not
apply from there on."""

STACK = "__guardlift_stack_{}__"
"""The variable of a section that holds a slot of the value stack."""


BOUND = "b"
"""The kind of the NULL beside a method that the body has bound while it waits for its arguments."""
NULLS = "n" + BOUND
"""The kinds of slots that hold NULL."""


def slots_with_objects(kinds: str) -> list[int]:
    """The slots of a section's stack that hold objects: all that are not NULL. See `ResumeSection`."""
    return [slot for slot, kind in enumerate(kinds) if kind not in NULLS]


def slot_variables(kinds: str) -> list[str]:
    """The variables that hold the objects on the stack."""
    return [STACK.format(slot) for slot in slots_with_objects(kinds)]


# Note [One frame a call]
# A call that goes on in newer code does so in a frame upon its own. Both would be seen by whoever looks at the stack:
# the user's `warnings.warn(stacklevel=2)`, `inspect.stack()`, `sys._getframe(1)`. CPython takes no notice of a frame
# that is not behind its first `RESUME` yet. So the call of newer code lies before that, and the code between the two
# frames (frontend/dispatch/continuation.py) has its `RESUME` behind its end. A tracer or profiler is told of calls at
# `RESUME` and of returns by the instructions behind it; under one, the frames stay in sight, so that it can match them.

CALL_TEXT = (f"if not {RESULT}.seen: return {CALL_HIDDEN!r}\n{RESULT} = {RESULT}()\nreturn {NEXT!r}",)
HIDDEN_CALL_TEXT = (f"{RESULT} = {RESULT}.unseen()\nreturn {NEXT!r}",)
RESULT_TEXT = (
    "\n".join(
        [
            f"if {RESULT} is {POOL}[{PLAIN_SLOT}]:",
            f"    del {POOL}, {RESULT}",
            f"    return {BODY!r}",
            f"if {POOL}[{TYPE_SLOT}]({RESULT}) is {POOL}[{RAISED_SLOT}]:",
            f"    {RESULT} = {RESULT}.error",
            f"    return {RAISE!r}",
            f"return {RESULT}",
        ]
    ),
)
"""The texts of the call of newer code in sight, of that out of sight, and of what is done with the result of either."""

TO_BODY = f"del {POOL}; return {BODY!r}"
"""The end of entry code that leaves the call to the body that follows."""
TO_PLAIN = f"return {POOL}[{PLAIN_SLOT}]"
"""The end of entry code that does not fit, in a prologue without body: the answer for it."""
LEFT_TEXT = (f"return {STATE}[{LEFT_SLOT}]",)
"""The text in the body's place behind a prologue without it: an entry that fits leaves the call to Python."""


SEE_CALL = f"{POOL}[{MISS_SLOT}].see_call()"
"""A block before those of the entries: it tells the function's state of the call."""


def counted_exit(number: int) -> str:
    """The statements by which entry number `number` leaves a call that it fits to the body: the state counts them."""
    return f"{POOL}[{MISS_SLOT}].calls.left[{number}] += 1; {TO_BODY}"


def with_clock(block: str, number: int) -> str:
    """The block of an entry that ends at a graph break, with a statement before it leaves: Python's time begins."""
    resuming = f"return {RESUME_BODY!r}"[:-1]
    leaving = resuming if resuming in block else counted_exit(number)  # this one where the break comes first of all
    return block.replace(leaving, f"{POOL}[{MISS_SLOT}].calls.clock.leaves({number}); {leaving}")


STOP_CLOCK = f"{POOL}[{MISS_SLOT}].calls.clock.arrives()"
"""A block before those of the entries of a resume point: Python's time at a graph break ends."""


Parts = tuple[str, ...]
"""Entry code in parts, one behind the other. Each is compiled by itself, and once: a new entry is one part more."""


def prologue(code: types.CodeType, entries: Sequence[str], *, with_body: bool = True) -> Parts:
    """The Python text that runs before the body: one block of statements for each entry, then the miss handler.

    with_body: whether the body follows; otherwise the text ends by answering that the body should run.
    """
    names = [*map(name_text, local_names(code))]
    miss = _missing(f"{POOL}[{MISS_SLOT}]({', '.join(names)})", names) if with_body else [TO_PLAIN]
    return _parts(entries, miss)


def resume_section(code: types.CodeType, position: int, kinds: str, entries: Sequence[str]) -> ResumeSection:
    """The resume section at `position`, where the stack's slots hold `kinds`."""
    slots = slot_variables(kinds)
    stack = "".join(f"{slot}, " for slot in slots)
    cells = f"lambda: ({', '.join(map(name_text, code.co_cellvars))})" if code.co_cellvars else "None"
    held = [name_text(name) for name in code.co_varnames if name not in code.co_cellvars]
    call = f"{POOL}[{MISS_SLOT}].resume({position}, ({stack}), {cells})"
    return ResumeSection(_parts(entries, _missing(call, held, slots)), kinds)


def _parts(entries: Sequence[str], last: Sequence[str]) -> Parts:
    """A part for each entry, and the last. Of entries of one text the first alone is tried."""
    going_on = [f"{block}\nreturn {NEXT!r}" for block in dict.fromkeys(entries)]
    return (f"{POOL} = {STATE}\nreturn {NEXT!r}", *going_on, "\n".join(last))


def _missing(call: str, held: Sequence[str], slots: Sequence[str] = ()) -> list[str]:
    """The statements that ask the miss handler, and do what it says.

    While the whole rest of the call takes place elsewhere, this frame keeps none of the objects that its variables
    `held`, nor those of the stack, which are in the variables `slots` as well.
    """
    forgetting = [*held, *slots]
    return [
        f"{RESULT} = {call}",
        f"if {RESULT} is not {POOL}[{PLAIN_SLOT}]:",
        *([f"    {slots[0]} = {DROP!r}"] if slots else []),
        *([f"    if {RESULT}.ends_in_break: {' = '.join(forgetting)} = None"] if forgetting else []),
        f"    return {CALL_CONTINUATION!r}",
        f"del {POOL}, {RESULT}",
        f"return {BODY!r}",
    ]


@dataclass(frozen=True)
class ResumeBody:
    """The state in which an entry whose trace broke off resumes the body: a position, variables and the stack.

    variables: by name of a local variable, the variable of the entry code that holds its new value; None unbinds it.
    keep:      how many slots of the stack stay as they are; `stack` names those above, None for NULL.
    """

    position: int
    variables: Mapping[str, str | None]
    keep: int
    stack: tuple[str | None, ...]

    def statement(self) -> str:
        """The statement that stands for it in the entry code's text."""
        return f"return {RESUME_BODY + json.dumps([self.position, dict(self.variables), self.keep, self.stack])!r}"


def read_resume_body(constant: str) -> ResumeBody:
    """The state that a constant of the entry code stands for."""
    position, variables, keep, stack = json.loads(constant.removeprefix(RESUME_BODY))
    return ResumeBody(position, variables, keep, tuple(stack))


@dataclass(frozen=True)
class ResumeSection:
    """Entry code in the middle of a body. `kinds` are those of the stack's slots: "v" for an object, "n" and "b" for
    NULL, and "r" for an object that may be missing: then the section goes on in the body."""

    parts: Parts
    kinds: str


def local_names(code: types.CodeType) -> tuple[str, ...]:
    """The argument names of `code`, ``*args`` and ``**kwargs`` last, as they lie in its frame."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_varnames[:count]
