"""One frame under evaluation: locals, value stack, position; and the loop that runs its instructions."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

from ...core.config import config
from ...core.package import PACKAGE, is_ours
from ..breaks import LONG_TRACE, GraphBreak, ProgramRaised, Unwinding
from ..bytecode.cfg import loop_heads, tests_in
from ..bytecode.decode import Instruction, decode
from ..bytecode.opcode_table import traits_of
from ..bytecode.versions import current
from ..control_flow.elements.enter import enter_region
from ..control_flow.reasons import with_reason
from ..opcodes import TABLE, run_handler
from ..opcodes.generators import end_delegation
from ..regions.numbers.optional import prepare
from ..tracing.inline_policy import is_users
from ..tracing.restarts import SplitReached
from ..values.base import Value
from ..values.functions.scopes import Cell, CellValue, VariableScope
from ..values.late_text import read_texts
from ..values.lazy import LazyValue, read_lazy
from ..values.objects.exceptions import ExceptionValue
from ..values.objects.user_object import UserObject
from .unwind import throw, unwind

if TYPE_CHECKING:
    from ..tracing.trace import Trace


class Frame:
    """The evaluation of one call. `stack` entries may be None, which stands for CPython's NULL.

    A variable that closures share holds a `CellValue` in `variables`, as its slot does in CPython's frame.
    """

    def __init__(self, trace: Trace, code: types.CodeType, variables: dict[str, Value], scope: VariableScope) -> None:
        self.trace: Trace = trace
        self.code = decode(code)
        trace.progress.evaluated.add(code)
        self.tests = tests_in(code)
        """The positions at which a branch on data may begin."""
        self.variables: dict[str, Value | None] = dict(variables)
        self.scope = scope
        self.stack: list[Value | None] = []
        self.position = 0
        self.ours = is_ours(scope.globals())
        self.users = is_users(scope.globals())
        """Whether reports are about its lines."""
        self.line = code.co_firstlineno
        self.keyword_names: tuple[str, ...] = ()
        self.returned: Value | None = None
        self.yielded: Value | None = None
        self.handling: ExceptionValue | None = None
        """The exception whose handler is being evaluated."""
        self.thrown: Unwinding | None = None
        self.began = 0
        """The number of instructions that the trace had evaluated when this frame's present one began."""
        self.resumed = False
        """Whether the frame goes on from a running one, so that some variables and slots are yet to be looked at."""
        self.heads_reached: dict[int, int] = {}
        """The number of instructions that the trace had evaluated when it came to each loop that it is in."""
        self.originals: dict[str, Value | None] = {}
        self.original_stack: list[Value | None] = []
        """The variables and the stack as they were when the evaluation began, in the first frame of a trace."""

    def keep_originals(self) -> None:
        """Remember the state, so that a split can tell what has changed."""
        self.originals, self.original_stack = dict(self.variables), list(self.stack)

    def run(self) -> Value:
        """The frame's return value. Errors: `Unwinding`, located at the instruction that could not be evaluated."""
        while self.returned is None:
            self._go_on()
            assert self.yielded is None, "only generators yield"
        return self.returned

    # Generators.
    def begin_generator(self, arguments: dict[str, Value]) -> dict[str, Value]:
        """Evaluate what the call of a generator function does itself, before there is a generator object.

        Gives the arguments of a call that would do nothing else: since CPython 3.15 that of a generator expression asks
        its argument for an iterator, which the class of an object may answer with a side effect; an iterator does not.
        """
        self.trace.progress.frames.append(self)
        try:
            while not traits_of(self.code.instructions[self.position].name).makes_generator:
                self._evaluate_one(self.trace)
        finally:
            self.trace.progress.frames.pop()
        iterator = self.loop_iterator if self.stack else None
        if iterator is None or not any(isinstance(each, UserObject) for each in arguments.values()):
            return arguments
        return dict.fromkeys(arguments, iterator)

    def resume(self, sent: Value | None, thrown: Unwinding | None = None) -> Value | None:
        """The value that a generator's frame yields next; None when it returned.

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
        delegates = self.position > 1 and traits_of(self.code.instructions[self.position - 2].name).delegates
        return self.stack[-1 - current().iterator_slots] if delegates else None

    def leave_delegate(self, value: Value) -> None:
        """Make `value` the result of the `yield from` that the frame waits at."""
        end_delegation(self, self.code.instructions[self.position - 2].arg, value)

    def _go_on(self) -> None:
        """Evaluate until the frame returns or yields."""
        trace = self.trace
        trace.progress.frames.append(self)
        try:
            if self.thrown is not None:
                instruction, thrown, self.thrown = self.present, self.thrown, None
                throw(self, instruction, thrown)
            heads = loop_heads(self.code.raw)
            while self.returned is None and self.yielded is None:
                if not (heads and enter_region(self, heads) or trace.inputs.storages and self._enter_cond()):
                    self._evaluate_one(trace)
        finally:
            self.trace.progress.frames.pop()

    def step(self) -> None:
        """Evaluate the next instruction, or the loop that begins at it."""
        if not (enter_region(self, loop_heads(self.code.raw)) or self._enter_cond()):
            self._evaluate_one(self.trace)

    def _enter_cond(self) -> bool:
        """Evaluate the branch on the data of a tensor that the frame is at, if it is at one, as one node."""
        if self.position not in self.tests or f"{PACKAGE}.tensor" not in sys.modules:
            return False
        from ..control_flow.tensors.branches import enter_cond

        return enter_cond(self)

    def _evaluate_one(self, trace: Trace) -> None:
        instruction = self.code.instructions[self.position]
        self.line = instruction.line
        if trace.progress.instructions >= trace.progress.limit:
            self._stop(instruction)
        at = self.position
        self.position += 1
        self.began = trace.progress.instructions
        trace.progress.instructions += 1
        entry = TABLE.get(instruction.name)
        try:
            if self.resumed and entry is not None:
                read_lazy(self, entry, instruction)
            if trace.holds_optionals:
                prepare(self, entry, instruction)
            if trace.holds_texts:
                read_texts(self, entry, instruction)
            run_handler(self, entry, instruction)
        except ProgramRaised as raised:
            unwind(self, instruction, raised)
        except GraphBreak as stop:
            unwind(self, instruction, with_reason(self, at, stop))
        if trace.progress.provenance is not None and len(trace.progress.frames) == 1:
            trace.progress.provenance.note(self, instruction)

    def _stop(self, instruction: Instruction) -> None:
        """Ends the trace: at the instruction where it is to be split, or at the limit."""
        if self.trace.progress.split_at is not None:
            raise SplitReached(self)
        unwind(self, instruction, LONG_TRACE.stop(limit=config.trace_limit))

    def jump(self, position: int) -> None:
        """Go on at another instruction."""
        self.position = position

    def load(self, name: str) -> Value:
        """A local variable. Errors: a break when it is unbound."""
        value = self.variables.get(name)
        if type(value) is LazyValue:
            value = self.variables[name] = value.read()
        if value is None:
            text = f"cannot access local variable {name!r} where it is not associated with a value"
            raise ProgramRaised(UnboundLocalError(text))
        return value

    def cell(self, name: str) -> Cell:
        """The cell of one of the frame's own or free variables."""
        slot = self.variables.get(name)
        if isinstance(slot, CellValue):
            return slot.cell
        return self.scope.free_cell(self.trace, name)

    def owns(self, cell: Cell) -> bool:
        """Whether the cell is one of a variable of this frame."""
        return any(isinstance(each, CellValue) and each.cell is cell for each in self.variables.values())

    def push(self, value: Value | None) -> None:
        self.stack.append(value)

    def push_iterator(self, iterator: Value) -> None:
        """Push what the head of a loop, or a `yield from`, takes elements from."""
        self.stack += [iterator, *[None] * (current().iterator_slots - 1)]

    @property
    def loop_iterator(self) -> Value | None:
        """The iterator of the loop whose head the frame is at."""
        return self.stack[-current().iterator_slots]

    def without_loop_iterator(self) -> list[Value | None]:
        """The stack below the iterator of the loop whose head the frame is at."""
        return self.stack[: -current().iterator_slots]

    def pop(self) -> Value:
        value = self.stack.pop()
        assert value is not None, "NULL popped as a value"
        return value
