"""Variables and stack slots of a frame that was running already: each becomes a traced value when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...guards.sources import Source
from .base import Value, wrap

if TYPE_CHECKING:
    from ..bytecode.decode import Instruction
    from ..bytecode.opcode_table import Opcode
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace


class LazyValue(Value):
    """A variable or a stack slot of a frame that was running already; guarded once it is used."""

    __slots__ = ("known", "real", "source", "trace")

    def __init__(self, trace: Trace, real: Any, source: Source) -> None:
        self.trace = trace
        self.real = real
        self.source: Source = source
        self.known: Value | None = None

    @property
    def python_type(self) -> type:
        return self.read().python_type

    def read(self) -> Value:
        """The traced value."""
        if self.known is None:
            self.known = wrap(self.trace, self.real, self.source)
        return self.known


def slots_used(frame: Frame, entry: Opcode, instruction: Instruction) -> range:
    """The stack's slots that an instruction uses."""
    count = entry.pops(instruction.arg) + (instruction.arg if entry.reaches else 0)
    return range(max(len(frame.stack) - count, 0), len(frame.stack))


def read_lazy(frame: Frame, entry: Opcode, instruction: Instruction) -> None:
    """Looks at the stack's slots that an instruction uses."""
    for slot in slots_used(frame, entry, instruction):
        value = frame.stack[slot]
        if type(value) is LazyValue:
            frame.stack[slot] = value.read()
