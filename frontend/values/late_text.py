"""Texts with numbers in them that only the call knows, as in ``f"step {number}: loss {loss.item():.4f}"``.

Such a text is written behind the plan, where a break or a return hands it to Python. Any other use needs the text while
tracing: it specialises on the numbers that came from outside, and breaks the graph at those that the plan computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .base import Value
from .constant import Constant
from .lazy import slots_used

if TYPE_CHECKING:
    from ..bytecode.decode import Instruction
    from ..bytecode.opcode_table import Opcode
    from ..codegen.reconstruct import EntryWriter
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace

_MOVES = frozenset(
    "BUILD_STRING COPY SWAP POP_TOP STORE_FAST RETURN_VALUE BUILD_LIST BUILD_TUPLE LIST_APPEND LIST_EXTEND "
    "FORMAT_SIMPLE".split()
)
"""Instructions, besides calls, that ask nothing of a text."""


class LateText(Value):
    """Known texts, and numbers with their format specifications, one behind the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[str | tuple[Value, str]]) -> None:
        self.parts = parts

    @property
    def python_type(self) -> type:
        return str

    def describe(self) -> str:
        return "a text with a number"

    def constant(self, trace: Trace) -> str:
        return "".join(each if isinstance(each, str) else _known_text(trace, *each) for each in self.parts)

    def formatted(self, trace: Trace, spec: Value) -> Value:
        if type(spec) is Constant and not spec.value:
            return self
        return Constant(self.constant(trace)).formatted(trace, spec)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: self._text(writer))

    def _text(self, writer: EntryWriter) -> str:
        pool = writer.pool
        parts = [
            repr(each) if isinstance(each, str) else f"{pool.add(format)}({each[0].rebuild(writer)}, {each[1]!r})"
            for each in self.parts
        ]
        return f"''.join(({', '.join(parts)},))"


def _known_text(trace: Trace, number: Value, spec: str) -> str:
    """The text of a number whose value is relied on. Errors: a break where it depends on more, as on the locale."""
    return str(Value.formatted(number, trace, Constant(spec)).constant(trace))


def number_text(trace: Trace, number: Value, spec: Value) -> LateText | None:
    """The text of a number by a specification; None where that is not known, or no specification for such a number."""
    wanted = spec.value if type(spec) is Constant else None
    if trace.region is not None or getattr(trace.builder, "outer", None) is not None:
        return None  # what a loop or a branch makes is not written behind the plan
    if not isinstance(wanted, str) or number.python_type not in (int, float, bool):
        return None
    try:
        format(number.python_type(1), wanted)
    except ValueError:
        return None
    trace.holds_texts = True
    return LateText([(number, wanted)])


def joined(trace: Trace, parts: list[Value]) -> Value:
    """The text that an f-string is made of."""
    if not any(type(each) is LateText for each in parts):
        return Constant("".join(each.constant(trace) for each in parts))
    found: list[str | tuple[Value, str]] = []
    for each in parts:
        found += each.parts if type(each) is LateText else [each.constant(trace)]
    return LateText(found)


def read_texts(frame: Frame, entry: Opcode | None, instruction: Instruction) -> None:
    """Makes known texts of those that an instruction asks something of."""
    if entry is None or entry.calls or entry.prepares_call or instruction.name in _MOVES:
        return
    for slot in slots_used(frame, entry, instruction):
        value = frame.stack[slot]
        if type(value) is LateText:
            frame.stack[slot] = Constant(value.constant(frame.trace))


def texts_for(trace: Trace, args: list[Value], follows: Callable[[], bool]) -> list[Value]:
    """The arguments of a call, its texts known unless `follows` says that nothing asks them anything."""
    if not any(type(each) is LateText for each in args) or follows():
        return args
    return [Constant(each.constant(trace)) if type(each) is LateText else each for each in args]
