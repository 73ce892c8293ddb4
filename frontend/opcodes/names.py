"""Names in the body of a class: read and written in its namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...guards.sources import ConstantSource, Item
from ..breaks import ProgramRaised
from ..bytecode.decode import variable_name
from ..bytecode.opcode_table import opcode
from ..values.base import Value, wrap
from ..values.containers.dicts import DictValue
from .loads import load_deref

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("LOAD_BUILD_CLASS", stack="-- value", defines_class=True)
def load_build_class(frame: Frame, arg: Any) -> Value:
    """The function that a class statement calls."""
    trace, table = frame.trace, frame.scope.builtins()
    assert trace.progress.root is not None
    if trace.statement_began is None:
        trace.statement_began = trace.progress.root.began
    if trace.class_began is None:
        trace.class_began, trace.class_inside = trace.progress.root.began, len(trace.progress.frames) > 1
    return wrap(trace, table["__build_class__"], Item(ConstantSource(table, "builtins"), "__build_class__"))


def _namespace(frame: Frame) -> dict[str, Value]:
    assert frame.names is not None, "only the body of a class has such instructions"
    return frame.names.items


@opcode("LOAD_NAME", stack="-- value", global_names="read")
def load_name(frame: Frame, arg: str) -> Value:
    """A name of the body, else a global or built-in one."""
    found = _namespace(frame).get(arg)
    return frame.scope.global_value(frame.trace, arg) if found is None else found


@opcode("STORE_NAME", stack="value --")
def store_name(frame: Frame, arg: str, value: Value) -> None:
    """Bind a name of the body."""
    _namespace(frame)[arg] = value


@opcode("DELETE_NAME", stack="--")
def delete_name(frame: Frame, arg: str) -> None:
    """Unbind one."""
    if _namespace(frame).pop(arg, None) is None:
        raise ProgramRaised(NameError(f"name {arg!r} is not defined"))


@opcode("SETUP_ANNOTATIONS", stack="--")
def setup_annotations(frame: Frame, arg: Any) -> None:
    """A dict for the annotations of the body."""
    _namespace(frame).setdefault("__annotations__", DictValue({}))


@opcode("LOAD_LOCALS", stack="-- names")
def load_locals(frame: Frame, arg: Any) -> Value:
    """The namespace itself, for the instruction that follows."""
    assert frame.names is not None
    return frame.names


@opcode("LOAD_CLASSDEREF", stack="-- value")
def load_class_deref(frame: Frame, arg: Any) -> Value:
    """A name of the body, else what the cell of that name holds."""
    found = _namespace(frame).get(variable_name(arg))
    return load_deref(frame, arg) if found is None else found


@opcode("LOAD_FROM_DICT_OR_DEREF", stack="names -- value")
def load_from_dict_or_deref(frame: Frame, arg: Any, names: Value) -> Value:
    """A name of the namespace on the stack, else what the cell of that name holds."""
    if not isinstance(names, DictValue):
        raise names.unsupported("a look-up of names")
    found = names.items.get(variable_name(arg))
    return load_deref(frame, arg) if found is None else found
