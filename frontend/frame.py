"""One frame under evaluation: locals, value stack, position; and the loop that runs its instructions."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ..core.config import config
from ..core.package import is_ours
from .breaks import LONG_TRACE, GraphBreak, raised
from .code import Instruction, decode
from .opcodes import TABLE, run_handler
from .opcodes.generators import end_delegation
from .unwinding import throw, unwind
from .values.base import Value
from .values.exceptions import ExceptionValue
from .values.functions import Cell, CellValue, Scope

if TYPE_CHECKING:
    from .trace import Trace


class Frame:
    """The evaluation of one call. `stack` entries may be None, which stands for CPython's NULL.

    A variable that closures share holds a `CellValue` in `variables`, as its slot does in CPython's frame.
    """

    def __init__(self, trace: Trace, code: types.CodeType, variables: dict[str, Value], scope: Scope) -> None:
        self.trace: Trace = trace
        self.code = decode(code)
        self.variables: dict[str, Value | None] = dict(variables)
        self.scope = scope
        self.stack: list[Value | None] = []
        self.position = 0
        self.ours = is_ours(scope.globals())
        self.line = code.co_firstlineno
        self.keyword_names: tuple[str, ...] = ()
        self.returned: Value | None = None
        self.yielded: Value | None = None
        self.handling: ExceptionValue | None = None
        """The exception whose handler is being evaluated."""
        self.thrown: GraphBreak | None = None

    def run(self) -> Value:
        """The frame's return value. Errors: `GraphBreak`, located at the instruction that could not be evaluated."""
        while self.returned is None:
            self._go_on()
            assert self.yielded is None, "only generators yield"
        return self.returned

    # Generators.
    def resume(self, sent: Value | None, thrown: GraphBreak | None = None) -> Value | None:
        """What a generator's frame yields next; None when it returned.

        sent:   what the `yield` it stands at gives; None where there is no such yield.
        thrown: what that `yield` raises instead.
        """
        if sent is not None:
            self.stack[-1] = sent
        self.thrown = thrown
        self._go_on()
        element, self.yielded = self.yielded, None
        return element

    @property
    def present(self) -> Instruction:
        """The instruction evaluated last; of a generator that waits, its `yield`."""
        return self.code.instructions[max(self.position - 1, 0)]

    def delegate(self) -> Value | None:
        """The iterator that a waiting frame's `yield from` is at; None at an ordinary `yield`."""
        sends = self.position > 1 and self.code.instructions[self.position - 2].name == "SEND"
        return self.stack[-2] if sends else None

    def leave_delegate(self, value: Value) -> None:
        """Make `value` the result of the `yield from` that the frame waits at."""
        end_delegation(self, self.code.instructions[self.position - 2].arg, value)

    def _go_on(self) -> None:
        """Evaluate until the frame returns or yields."""
        self.trace.frames.append(self)
        instructions = self.code.instructions
        try:
            if self.thrown is not None:
                instruction, thrown, self.thrown = self.present, self.thrown, None
                throw(self, instruction, thrown)
            while self.returned is None and self.yielded is None:
                instruction = instructions[self.position]
                self.position += 1
                self.line = instruction.line
                self.trace.instructions += 1
                try:
                    if self.trace.instructions > config.trace_limit:
                        raise LONG_TRACE.stop(limit=config.trace_limit)
                    run_handler(self, TABLE.get(instruction.name), instruction)
                except GraphBreak as stop:
                    unwind(self, instruction, stop)
        finally:
            self.trace.frames.pop()

    def jump(self, position: int) -> None:
        """Go on at another instruction."""
        self.position = position

    def load(self, name: str) -> Value:
        """A local variable. Errors: a break when it is unbound."""
        value = self.variables.get(name)
        if value is None:
            text = f"cannot access local variable {name!r} where it is not associated with a value"
            raise raised(UnboundLocalError(text))
        return value

    def cell(self, name: str) -> Cell:
        """The cell of one of the frame's own or free variables."""
        slot = self.variables.get(name)
        if isinstance(slot, CellValue):
            return slot.cell
        return self.scope.free_cell(self.trace, name)

    def push(self, value: Value | None) -> None:
        self.stack.append(value)

    def pop(self) -> Value:
        value = self.stack.pop()
        assert value is not None, "NULL popped as a value"
        return value
