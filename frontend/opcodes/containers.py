"""Building and taking apart containers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..breaks import RAISES, ProgramRaised
from ..bytecode.opcode_table import opcode
from ..python.container_operators import stand_in
from ..python.iteration import iterator_of
from ..python.mappings import merge_mapping
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.containers.dicts import DictValue
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import ListValue, TupleValue
from ..values.functions.functions import FunctionValue
from ..values.numbers.input_scalar import InputNumber
from ..values.objects.user_object import UserObject
from ..values.objects.wrong_answers import error_of

if TYPE_CHECKING:
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace


@opcode("BUILD_TUPLE", stack="items[arg] -- tuple", in_region=True, moves=True, gathers=True)
def build_tuple(frame: Frame, arg: int, items: list[Value]) -> Value:
    """A tuple of the top items."""
    return TupleValue(items)


@opcode("BUILD_LIST", stack="items[arg] -- list", in_region=True)
def build_list(frame: Frame, arg: int, items: list[Value]) -> Value:
    """A list of the top items."""
    return ListValue(items)


@opcode("BUILD_MAP", stack="*pairs[2 * arg] -- dict")
def build_map(frame: Frame, arg: int) -> None:
    """A dict of the top pairs."""
    flat = frame.stack[len(frame.stack) - 2 * arg :]
    del frame.stack[len(frame.stack) - 2 * arg :]
    built = DictValue({})
    for key, value in zip(flat[::2], flat[1::2], strict=True):
        assert key is not None and value is not None
        built.set_item(frame.trace, key, value)
    frame.push(built)


@opcode("BUILD_CONST_KEY_MAP", stack="items[arg] keys -- dict")
def build_const_key_map(frame: Frame, arg: int, items: list[Value], keys: Value) -> Value:
    """A dict of the top items under known keys."""
    return DictValue(dict(zip(keys.constant(frame.trace), items, strict=True)))


@opcode("BUILD_SLICE", stack="parts[arg] -- slice", in_region=True)
def build_slice(frame: Frame, arg: int, parts: list[Value]) -> Value:
    """A slice object."""
    return SliceValue(parts[0], parts[1], parts[2] if arg == 3 else NONE)


@opcode("LIST_TO_TUPLE", stack="list -- tuple")
def list_to_tuple(frame: Frame, arg: Any, value: Value) -> Value:
    """The list's items as a tuple."""
    return TupleValue(value.elements(frame.trace))


@opcode("LIST_APPEND", stack="*item --", reaches=True)
def list_append(frame: Frame, arg: int) -> None:
    """Append to the list `arg` below."""
    item = frame.pop()
    target = frame.stack[-arg]
    assert isinstance(target, ListValue)
    target.append(item)  # behind a split it is one from outside


@opcode("LIST_EXTEND", stack="*items --", reaches=True)
def list_extend(frame: Frame, arg: int) -> None:
    """Extend the list `arg` below."""
    items = frame.pop().elements(frame.trace)
    target = frame.stack[-arg]
    assert isinstance(target, ListValue)
    for each in items:
        target.append(each)


@opcode("MAP_ADD", stack="*key value --", reaches=True)
def map_add(frame: Frame, arg: int) -> None:
    """Set an item of the dict `arg` below."""
    value, key = frame.pop(), frame.pop()
    target = frame.stack[-arg]
    assert isinstance(target, DictValue)
    target.set_item(frame.trace, key, value)


@opcode("DICT_MERGE", stack="*mapping --", reaches=True)
def dict_merge(frame: Frame, arg: int) -> None:
    """Merge the keywords of a call into the dict `arg` below; each may come once."""
    mapping, target = frame.stack[-1], frame.stack[-1 - arg]
    if isinstance(mapping, UserObject) and isinstance(target, DictValue) and target.items:
        raise mapping.unsupported("** unpacking")
    if isinstance(mapping, DictValue) and isinstance(target, DictValue):
        twice = next((key for key in mapping.items if key in target.items), None)
        if twice is not None:
            raise _given_twice(frame, arg, twice)
    dict_update(frame, arg)


def _given_twice(frame: Frame, arg: int, name: object) -> Exception:
    """The break for a keyword that a call gets twice. Below the dict lie the positional arguments and the callable."""
    called = next((each for each in frame.stack[-3 - arg : -5 - arg : -1] if each is not None), None)
    if not isinstance(called, FunctionValue):
        return RAISES.stop(error=f"TypeError: multiple values for keyword argument {name!r}")
    module = called.scope.globals().get("__name__")
    where = f"{module}.{called.name}()" if type(module) is str else f"{called.name}()"
    return ProgramRaised(TypeError(f"{where} got multiple values for keyword argument {name!r}"))


@opcode("DICT_UPDATE", stack="*mapping --", reaches=True)
def dict_update(frame: Frame, arg: int) -> None:
    """Merge a mapping into the dict `arg` below."""
    mapping = frame.pop()
    target = frame.stack[-arg]
    assert isinstance(target, DictValue)
    if isinstance(mapping, UserObject) and merge_mapping(frame.trace, target.set_item, mapping):
        return
    if not isinstance(mapping, DictValue):
        stand_in(frame.trace, mapping)  # an object of another class may be a mapping
        raise ProgramRaised(TypeError(f"{mapping.python_type.__name__!r} object is not a mapping"))
    target.changing().update(mapping.items)


@opcode("UNPACK_SEQUENCE", stack="*sequence -- items[arg]", in_region=True, unpacks=True, needs_value=True)
def unpack_sequence(frame: Frame, arg: int) -> None:
    """Push the items of a sequence of exactly `arg`; of an iterator, no more than one further is asked for."""
    value = frame.pop()
    items = _unpacked(frame.trace, value, arg + 1)
    if len(items) != arg:
        raise ProgramRaised(_unpacking_error(frame.trace, value, arg, len(items)))
    frame.stack += reversed(items)


def _unpacking_error(trace: Trace, value: Value, wanted: int, found: int) -> Exception:
    """The error of Python, which says how many items a tuple, list or dict has that has too many."""
    stand_in: Iterable[object] = iter(range(found))
    if value.python_type in (tuple, list, dict):
        stand_in = value.python_type(dict.fromkeys(range(value.length(trace))))
    targets = "(" + "_, " * wanted + ")"
    return error_of(lambda: exec(f"{targets} = found", {"found": stand_in}))


@opcode("UNPACK_EX", stack="*sequence -- last[arg >> 8] starred first[arg & 0xFF]")
def unpack_ex(frame: Frame, arg: int) -> None:
    """Push the items of a sequence around a starred one."""
    before, after = arg & 0xFF, arg >> 8
    items = _unpacked(frame.trace, frame.pop(), None)
    if len(items) < before + after:
        wanted = f"expected at least {before + after}, got {len(items)}"
        raise ProgramRaised(ValueError(f"not enough values to unpack ({wanted})"))
    end = len(items) - after
    frame.stack += reversed([*items[:before], ListValue(items[before:end]), *items[end:]])


def _unpacked(trace: Trace, value: Value, most: int | None) -> list[Value]:
    if isinstance(value, (Constant, InputNumber)) and value.python_type in (int, float, bool, type(None)):
        raise ProgramRaised(TypeError(f"cannot unpack non-iterable {value.python_type.__name__} object"))
    return list(itertools.islice(iterator_of(trace, value), most))
