"""Numbers that may not be there: a variable that starts as None, or that only some iterations of a loop bind."""

# Note [Optional numbers]
# ``best = None`` and then ``if best is None or s > best: best = s``: a bool of the region beside the number says
# whether it is there. Instructions that only move a value move both, `is None` asks the bool, and everything else
# takes the number: where it is not there, the region is left, and CPython comes to the error (see Note [Leaving a
# region]). So no rule of an operation or a function ever meets such a value. Behind the region none does either: there
# the value can be moved, returned and left to CPython, and the graph breaks where anything else is done with it.

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....core import dtypes
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_OPTIONAL, GraphBreak
from ...bytecode.opcode_table import TABLE, traits_of
from ...tracing.nodes import constant_node
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.constant import NONE, Constant, is_none
from ...values.containers.sequences import TupleValue
from ...values.functions.functions import FunctionValue
from ...values.lazy import slots_used
from ...values.numbers.computed import ComputedNumber
from ...values.python_operators import OperatorRank
from .python_or_numpy import PythonOrNumpyNumber

if TYPE_CHECKING:
    from ...bytecode.decode import Instruction
    from ...bytecode.opcode_table import Opcode
    from ...codegen.reconstruct import EntryWriter
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace
    from ..builder import Region


class Optional(Value):
    """A number, or a tuple of numbers, that a variable may not hold.

    present: a bool that says whether it does. unbound: otherwise the variable has no value, else it is None.
    """

    __slots__ = ("number", "present", "unbound")
    operator_rank = OperatorRank.OPTIONAL

    def __init__(self, number: Value, present: ComputedNumber, *, unbound: bool = False) -> None:
        self.number = number
        self.present = present
        self.unbound = unbound

    @property
    def python_type(self) -> type:
        raise LOOP_OPTIONAL.stop(what="the type of a variable that may be None")

    def describe(self) -> str:
        return "a number that may be None"

    def unsupported(self, operation: str) -> GraphBreak:
        return LOOP_OPTIONAL.stop(what=f"{operation} of a variable that may be None")

    def compare(self, trace: Trace, name: str, left: Value, right: Value) -> Value:
        raise self.unsupported(f"the operator `{name}`")

    def rebuild(self, writer: EntryWriter) -> str:
        return f"({self.number.rebuild(writer)} if {writer.array(self.present.array)} else None)"


def is_unbound(value: Value | None) -> bool:
    """Whether a variable may have no value."""
    return value is None or isinstance(value, Optional) and value.unbound


def required(trace: Trace, value: Value) -> Value:
    """The number; the region is left where it is not there. Other values as they are."""
    region = trace.region
    if not isinstance(value, Optional) or region is None:
        return value
    present = value.present.node(trace)
    if region.facts.truth(present) is not True:
        region.leave_if(trace.add(p.INVERT, region.let_of(present)))
        region.facts.assume(present, True)
    return value.number


def holds_optional(value: Value | None) -> bool:
    """Whether a value is an optional number, or a tuple that holds one."""
    if type(value) is TupleValue:
        return any(map(holds_optional, value.items))
    return isinstance(value, Optional)


def prepare(frame: Frame, entry: Opcode | None, instruction: Instruction) -> None:
    """Lets the stack's slots that an instruction uses hold what it knows: numbers, where it does not only move them.

    Errors: behind a region, a break where it does anything else.
    """
    if entry is None:
        return
    trace, stack = frame.trace, frame.stack
    slots = slots_used(frame, entry, instruction)
    for slot in slots:
        value = stack[slot]
        if value is None or not holds_optional(value):
            continue
        if isinstance(value, Optional):
            stack[slot] = value = _known(trace, value)
        if entry.moves or _picks(frame, entry, value):
            continue
        if trace.region is None and entry.needs_value and isinstance(value, Optional):
            stack[slot] = _required_apart(trace, value)
            continue
        if trace.region is None:
            raise LOOP_OPTIONAL.stop(what="an operation on a number of a native loop, which may be None")
        if not (_is_asked(frame, entry, value) or _enters_function(entry, stack[slots[0] :])):
            stack[slot] = _without(trace, value)


def _required_apart(trace: Trace, value: Optional) -> Value:
    """The number behind the region that left it: a region of its own leaves the call where the number is not there."""
    from ..standalone import computed

    parts = _numbers(value.number)

    def check(region: Region) -> list[Node]:
        region.leave_if(trace.add(p.INVERT, region.let_of(value.present.node(trace))))
        return [region.let_of(each) for each in parts]

    made = iter(computed(trace, check))
    return _with_numbers(trace, value.number, made)


def _numbers(value: Value) -> list[Node]:
    if type(value) is TupleValue:
        return [node for each in value.items for node in _numbers(each)]
    if isinstance(value, Optional):
        return [*_numbers(value.number), value.present.array.storage.node]
    if isinstance(value, PythonOrNumpyNumber):
        return [value.array.storage.node, value.numpy]
    array = value.array if isinstance(value, ComputedNumber) else value
    return [array.storage.node] if isinstance(array, ArrayValue) else []


def _with_numbers(trace: Trace, value: Value, made: Iterator[Node]) -> Value:
    """The value with other nodes for its numbers, in the order of `_numbers`."""
    if type(value) is TupleValue:
        return TupleValue([_with_numbers(trace, each, made) for each in value.items])
    if isinstance(value, Optional):
        number = _with_numbers(trace, value.number, made)
        return Optional(number, ComputedNumber(result(trace, next(made), is_numpy_scalar=True)), unbound=value.unbound)
    if isinstance(value, PythonOrNumpyNumber):
        return PythonOrNumpyNumber(result(trace, next(made), is_numpy_scalar=True), value.python, next(made))
    if isinstance(value, ComputedNumber):
        return ComputedNumber(result(trace, next(made), is_numpy_scalar=True), value.bounds)
    return result(trace, next(made), is_numpy_scalar=True) if isinstance(value, ArrayValue) else value


def _enters_function(entry: Opcode, used: list[Value | None]) -> bool:
    """Whether an instruction calls a function that is evaluated in the region, and binds its variables."""
    called = [each for each in used[:2] if type(each) is FunctionValue]
    if not entry.calls or len(called) != 1:
        return False
    return not called[0].code.co_flags & inspect.CO_VARKEYWORDS


def _known(trace: Trace, value: Optional) -> Value:
    """The number or None, where a branch or a check before says which; else the value."""
    truth = None if trace.region is None else trace.region.facts.truth(value.present.node(trace))
    return value if truth is None else value.number if truth else NONE


def _is_asked(frame: Frame, entry: Opcode, value: Value) -> bool:
    """Whether an instruction asks of an optional number what the bool beside it answers."""
    if not isinstance(value, Optional):
        return False
    if entry.asks == "identity":
        return any(each is not None and is_none(each) for each in frame.stack[-2:])
    return bool(entry.asks)


def _picks(frame: Frame, entry: Opcode, value: Value) -> bool:
    """Whether an instruction takes elements out of a tuple."""
    if type(value) is not TupleValue:
        return False
    key = frame.stack[-1]
    return entry.unpacks or entry.picks and isinstance(key, Constant) and key.python_type is int


def _without(trace: Trace, value: Value) -> Value:
    """The value with numbers in place of optional ones."""
    if type(value) is TupleValue and holds_optional(value):
        return TupleValue([_without(trace, each) for each in value.items])
    return required(trace, value)


def answer(frame: Frame, instruction: Instruction) -> bool:
    """Evaluates `is None`, `not` or `bool()` of an optional number, in a region; False for other instructions."""
    from .arithmetic import host_number

    entry = TABLE.get(instruction.name)
    if entry is None or not entry.asks or entry.may_jump:
        return False
    trace, count = frame.trace, entry.pops(instruction.arg)
    asked = [each for each in frame.stack[-count:] if isinstance(each, Optional)]
    if not asked:
        return False
    del frame.stack[-count:]
    identity = entry.asks == "identity"
    made = asked[0].present.node(trace) if identity else truth_of(trace, asked[0])
    negated = not instruction.arg if identity else entry.negates
    frame.push(host_number(trace, opposite_of(trace, made) if negated else made))
    return True


def opposite_of(trace: Trace, test: Node) -> Node:
    """`not test` of a bool of the region."""
    region = trace.region
    assert region is not None
    made = trace.add(p.INVERT, region.let_of(test))
    for truth in (True, False):
        region.facts.note_implied(made, truth, test, not truth)
    return made


def truth_of(trace: Trace, value: Optional) -> Node:
    """`bool(value)`: None is false."""
    from .arithmetic import condition

    region = trace.region
    assert region is not None
    present = value.present.node(trace)
    if isinstance(value.number, TupleValue):
        return present if value.number.items else constant_node(trace, False, (), dtypes.bool_)
    made = trace.add(p.BITWISE_AND, region.let_of(present), condition(trace, value.number))
    region.facts.note_implied(made, True, present, True)
    return made


def uses_first_none(frame: Frame, entry: Opcode | None, instruction: Instruction) -> bool:
    """Whether an instruction uses what is None in a loop's first iteration, and nobody knows yet what it is in
    others.
    """
    region = frame.trace.region
    if entry is None or region is None or not region.first_nones or entry.moves:
        return False
    used = [frame.stack[slot] for slot in slots_used(frame, entry, instruction)]
    return any(known is each for value in used for each in _parts(value) for known in region.first_nones)


def _parts(value: Value | None) -> list[Value | None]:
    return [part for each in value.items for part in _parts(each)] if type(value) is TupleValue else [value]


def variables_read(instruction: Instruction) -> tuple[str, ...]:
    """The local variables that an instruction reads."""
    return tuple(each for each in traits_of(instruction.name).reads(instruction.arg) if isinstance(each, str))


def load_bound(frame: Frame, instruction: Instruction) -> None:
    """Leaves the region where a variable is not bound that an instruction has just loaded: Python raises its error."""
    for slot in range(len(frame.stack) - len(variables_read(instruction)), len(frame.stack)):
        value = frame.stack[slot]
        if isinstance(value, Optional) and value.unbound:
            frame.stack[slot] = required(frame.trace, value)


def bind_all(frame: Frame, live: frozenset[str]) -> None:
    """Leaves the region at its end where a variable has no value that is read behind it."""
    for name, value in frame.variables.items():
        if isinstance(value, Optional) and value.unbound:
            frame.variables[name] = required(frame.trace, value) if name in live else None
