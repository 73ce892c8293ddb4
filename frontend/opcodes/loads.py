"""Constants, names, attributes, and the stack itself."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from bytecode.instr import FreeVar

from ...guards.describe import describe
from ...guards.sources import ConstantSource
from ..breaks import SIDE_EFFECT, UNKNOWN_VALUE, ProgramRaised
from ..bytecode.decode import variable_name
from ..bytecode.opcode_table import opcode
from ..bytecode.versions import current
from ..python.object_builtins import attribute_of
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import LITERALS
from ..values.containers.element_protocol import constant_value
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import TupleValue
from ..values.functions.scopes import Cell, CellValue
from ..values.objects.objects import Instance

if TYPE_CHECKING:
    from bytecode.instr import CommonConstant

    from ..interpreter.frame import Frame
    from ..values.effects.side_effects import EffectTable


class CodeValue(Value):
    """A code object on its way into a function."""

    def __init__(self, code: types.CodeType) -> None:
        self.code = code

    @property
    def python_type(self) -> type:
        return types.CodeType


@opcode("PRECALL", stack="--", in_region=True, prepares_call=True)
@opcode("RESUME", "NOP", "NOT_TAKEN", "COPY_FREE_VARS", stack="--", in_region=True, resume=False)
def no_operation(frame: Frame, arg: Any) -> None:
    """Nothing that matters to a trace."""


@opcode("PUSH_NULL", stack="-- null", in_region=True)
def push_null(frame: Frame, arg: Any) -> None:
    """Push NULL."""


@opcode("POP_TOP", stack="value --", in_region=True, moves=True, resume=False)
def pop_top(frame: Frame, arg: Any, value: Value) -> None:
    """Drop the top."""


def _repeat(slots: list[Any], arg: int) -> None:
    slots.append(slots[-arg])


@opcode("COPY", stack="*-- value", in_region=True, moves=True, rearranges=_repeat)
def copy(frame: Frame, arg: int) -> None:
    """Push the value `arg` from the top again."""
    _repeat(frame.stack, arg)


def _exchange(slots: list[Any], arg: int) -> None:
    slots[-arg], slots[-1] = slots[-1], slots[-arg]


@opcode("SWAP", stack="*--", in_region=True, moves=True, rearranges=_exchange)
def swap(frame: Frame, arg: int) -> None:
    """Exchange the top with the value `arg` from the top."""
    _exchange(frame.stack, arg)


@opcode("LOAD_CONST", stack="-- value", in_region=True, loads=True)
def load_const(frame: Frame, arg: Any) -> Value:
    """A constant of the code object."""
    if isinstance(arg, types.CodeType):
        return CodeValue(arg)
    if type(arg) in (tuple, frozenset, slice) or type(arg) in LITERALS:
        value = constant_value(arg)
        if isinstance(value, (TupleValue, SliceValue)):
            value.source = ConstantSource(arg, describe(arg))  # the object that the code has is the same at each call
        return value
    raise UNKNOWN_VALUE.stop(operation="a constant", name=describe(arg))


@opcode("LOAD_SMALL_INT", stack="-- value", in_region=True, loads=True)
def load_small_int(frame: Frame, arg: int) -> Value:
    """A small constant of the instruction itself."""
    return constant_value(arg)


class _Original(Value):
    """A function as the interpreter made it, which CPython compares with what the name of a call stands for.

    It is found to be another: then the program calls what the name stands for, with the same result.
    """

    is_one_object = True

    @property
    def python_type(self) -> type:
        return types.BuiltinFunctionType


_COMMON = {
    "CONSTANT_NONE": None, "CONSTANT_EMPTY_STR": "", "CONSTANT_TRUE": True, "CONSTANT_FALSE": False,
    "CONSTANT_MINUS_ONE": -1,
}  # fmt: skip
"""The frequent constants that CPython 3.15 has numbers for."""


@opcode("LOAD_COMMON_CONSTANT", stack="-- value", in_region=True, loads=True)
def load_common_constant(frame: Frame, arg: CommonConstant) -> Value:
    """A frequent constant, the class of an error, or a function whose call may be written out (`all(...)`)."""
    if arg.name in _COMMON:
        return constant_value(_COMMON[arg.name])
    errors = {"ASSERTION_ERROR": AssertionError, "NOT_IMPLEMENTED_ERROR": NotImplementedError}
    return BuiltinCallable(errors[arg.name]) if arg.name in errors else _Original()


@opcode("LOAD_FAST", "LOAD_FAST_BORROW", stack="-- value", in_region=True, variables=("read",), loads=True)
@opcode("LOAD_FAST_CHECK", stack="-- value", in_region=True, variables=("read",))
def load_fast(frame: Frame, arg: Any) -> Value:
    """A local variable; the cell itself where the variable is one."""
    if isinstance(arg, FreeVar):
        return CellValue(frame.cell(arg.name))
    return frame.load(variable_name(arg))


@opcode("LOAD_FAST_AND_CLEAR", stack="-- maybe", variables=("take",))
def load_fast_and_clear(frame: Frame, arg: Any) -> Value | None:
    """A local variable or NULL, left unbound."""
    return frame.variables.pop(variable_name(arg), None)


@opcode(
    *("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"),
    stack="-- first second", in_region=True, variables=("read", "read"),
)  # fmt: skip
def load_fast_load_fast(frame: Frame, arg: Any) -> tuple[Value, Value]:
    """Two local variables."""
    return load_fast(frame, arg[0]), load_fast(frame, arg[1])


@opcode("STORE_FAST", stack="value --", in_region=True, moves=True, variables=("bind",), resume=False)
def store_fast(frame: Frame, arg: Any, value: Value | None) -> None:
    """Bind a local variable (NULL unbinds it)."""
    frame.variables[variable_name(arg)] = value


@opcode("STORE_FAST_LOAD_FAST", stack="value -- loaded", in_region=True, moves=True, variables=("bind", "read"))
def store_fast_load_fast(frame: Frame, arg: Any, value: Value | None) -> Value:
    """Bind one local variable, read another."""
    store_fast(frame, arg[0], value)
    return load_fast(frame, arg[1])


@opcode("STORE_FAST_STORE_FAST", stack="second first --", in_region=True, moves=True, variables=("bind", "bind"))
def store_fast_store_fast(frame: Frame, arg: Any, second: Value, first: Value) -> None:
    """Bind two local variables; the top goes to the first."""
    store_fast(frame, arg[0], first)
    store_fast(frame, arg[1], second)


@opcode("DELETE_FAST", stack="--", variables=("delete",))
def delete_fast(frame: Frame, arg: Any) -> None:
    """Unbind a local variable."""
    name = variable_name(arg)
    frame.load(name)
    frame.variables.pop(name)


def callable_slots(other: str) -> str:
    """The slots of a call's callable and of `other`, which lies beside it, in the order of the version."""
    return f"value {other}" if current().null_after_callable else f"{other} value"


@opcode("LOAD_GLOBAL", stack="*-- " + callable_slots("null[arg[0]]"), in_region=True, global_names="read")
def load_global(frame: Frame, arg: Any) -> None:
    """A global or built-in name, and NULL in the order of the version when a call follows."""
    with_null, name = arg
    value = frame.scope.global_value(frame.trace, name)
    push_callable(frame, value, None) if with_null else frame.push(value)


def push_callable(frame: Frame, callable: Value, receiver: Value | None) -> None:
    """Push what a call expects below its arguments; `receiver` is the bound object, or None."""
    if receiver is not None or current().null_after_callable:
        frame.stack += [callable, receiver]
    else:
        frame.stack += [None, callable]


@opcode("STORE_GLOBAL", stack="value --", global_names="change")
def store_global(frame: Frame, arg: str, value: Value) -> None:
    """A write of a global name; the object that it names already is no change."""
    held = frame.scope.globals().get(arg)
    if isinstance(value, ArrayValue) and frame.trace.inputs.arrays.get(id(held)) is value:
        if frame.scope.global_value(frame.trace, arg) is value:
            return
    _names(frame, arg).put(frame.trace, arg, value)


@opcode("DELETE_GLOBAL", stack="--", global_names="change")
def delete_global(frame: Frame, arg: str) -> None:
    """Take a global name away."""
    if not _names(frame, arg).remove(frame.trace, arg):
        raise ProgramRaised(NameError(f"name {arg!r} is not defined"))


def _names(frame: Frame, name: str) -> EffectTable:
    if frame.ours:
        raise SIDE_EFFECT.stop(name=f"the global {name!r}")
    return frame.trace.effects.external.names(frame.scope.globals())


@opcode("MAKE_CELL", stack="--")
def make_cell(frame: Frame, arg: Any) -> None:
    """Turn a local variable into a cell."""
    name = variable_name(arg)
    frame.variables[name] = CellValue(Cell(frame.variables.get(name)))


@opcode("LOAD_CLOSURE", stack="-- inner")
def load_closure(frame: Frame, arg: Any) -> Value:
    """A cell, on its way into a closure."""
    return CellValue(frame.cell(variable_name(arg)))


def unbound(arg: Any) -> ProgramRaised:
    """The error for a variable of a cell that is empty."""
    name = variable_name(arg)
    if isinstance(arg, FreeVar):
        text = f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope"
        return ProgramRaised(NameError(text))
    return ProgramRaised(
        UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
    )


@opcode("LOAD_DEREF", stack="-- value", in_region=True, variables=("cell",))
def load_deref(frame: Frame, arg: Any) -> Value:
    """The value that a cell holds."""
    cell = frame.cell(variable_name(arg))
    if cell.value is None:
        raise unbound(arg)
    return cell.value


@opcode("STORE_DEREF", stack="value --")
def store_deref(frame: Frame, arg: Any, value: Value) -> None:
    """Write a cell."""
    cell = frame.cell(variable_name(arg))
    _refuse_outer_cell(frame, cell)
    cell.value = value


def _refuse_outer_cell(frame: Frame, cell: Cell) -> None:
    """Errors: a break for a cell that is not of a call which a loop's round makes, while one stands for all of them."""
    rounds = frame.trace.iterations
    if rounds and not (len(frame.trace.progress.frames) > rounds[-1].depth and frame.owns(cell)):
        frame.trace.refuse_in_iterations("a write to a variable of an enclosing function")


@opcode("DELETE_DEREF", stack="--")
def delete_deref(frame: Frame, arg: Any) -> None:
    """Empty a cell."""
    cell = frame.cell(variable_name(arg))
    if cell.value is None:
        raise unbound(arg)
    _refuse_outer_cell(frame, cell)
    cell.value = None


@opcode("LOAD_ATTR", stack="*owner -- " + callable_slots("maybe[arg[0]]"), in_region=True, attribute=True)
def load_attr(frame: Frame, arg: Any) -> None:
    """`value.name`; in method form also the NULL that a call expects."""
    as_method, name = arg
    value = attribute_of(frame.trace, frame.pop(), name)
    if as_method:
        # The method form leaves (callable, receiver) or (callable, NULL) in the version's order; ours is already bound.
        push_callable(frame, value, None)
    else:
        frame.push(value)


@opcode("LOAD_METHOD", stack="*owner -- maybe value", in_region=True, attribute=True)
def load_method(frame: Frame, arg: str) -> None:
    """`value.name`, about to be called."""
    push_callable(frame, frame.pop().attribute(frame.trace, arg), None)


@opcode("STORE_ATTR", stack="value owner --")
def store_attr(frame: Frame, arg: str, value: Value, owner: Value) -> None:
    """`owner.name = value`; the object that is there already (as after `self.w += g`) is no change."""
    frame.trace.refuse_in_iterations(f"a write to the attribute {arg!r}")
    if isinstance(owner, Instance) and owner.holds(frame.trace, arg, value):
        return
    owner.set_attribute(frame.trace, arg, value)
