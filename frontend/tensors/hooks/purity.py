"""Whether it matters when a hook is followed: what it reads besides its arguments may change in a call."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from typing import Any

from ....core.dtypes import DType
from ....core.package import PACKAGE
from ....core.user_line import UserLine
from ...bytecode.opcode_table import traits_of
from ...values.base import Value
from ...values.functions.functions import FunctionValue

_tuplegetter = type(vars(UserLine)["file"])


def is_closed(hook: Value) -> bool:
    """Whether a hook reads nothing but its arguments, modules, functions that do the same, and dtypes.

    In doubt it does not: numbers, tensors and containers from outside of it may be others later.
    """
    if not isinstance(hook, FunctionValue) or hook.defaults is not None or hook.keyword_defaults is not None:
        return False
    if hook.real is None and hook.code.co_freevars:
        return False
    cells = () if hook.real is None else hook.real.__closure__ or ()
    return _is_closed(hook.code, hook.scope.globals(), hook.scope.builtins(), cells, set())


def _is_closed(
    code: types.CodeType,
    names: dict[str, Any],
    builtins: dict[str, Any],
    cells: tuple[types.CellType, ...],
    seen: set[types.CodeType],
) -> bool:
    if code in seen:
        return True
    seen.add(code)
    for part in _codes(code):
        uses = [(traits_of(each.opname).global_names, each.argval) for each in dis.get_instructions(part)]
        if any(use == "change" for use, _ in uses):
            return False
        loaded = {name for use, name in uses if use == "read"}
        missing = object()
        values = [names.get(name, builtins.get(name, missing)) for name in loaded]
        if not all(_stays(value, part.co_names, builtins, seen) for value in values):
            return False
    try:
        return all(_stays(cell.cell_contents, code.co_names, builtins, seen) for cell in cells)
    except ValueError:  # an empty one
        return False


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function and of those that it makes."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _codes(each)


def _stays(value: Any, attributes: tuple[str, ...], builtins: dict[str, Any], seen: set[types.CodeType]) -> bool:
    """Whether a value, of which these attributes may be read, is what it is."""
    if isinstance(value, types.ModuleType):
        held = [vars(value)[name] for name in attributes if name in vars(value)]
        return all(isinstance(each, types.ModuleType) or _stays(each, (), builtins, seen) for each in held)
    if isinstance(value, (DType, types.BuiltinFunctionType)):
        return True
    if isinstance(value, type):
        return value.__module__ == "builtins" or _is_ours(value) or _is_record(value, attributes)
    if not isinstance(value, types.FunctionType):
        return False
    if _is_ours(value):
        return True
    if value.__defaults__ or value.__kwdefaults__:
        return False
    return _is_closed(value.__code__, value.__globals__, builtins, value.__closure__ or (), seen)


def _is_record(cls: type, attributes: tuple[str, ...]) -> bool:
    """Whether a class does no more than keep what it is made with, and none of these attributes is its own."""
    table = vars(cls)
    if cls.__bases__ == (tuple,):
        return hasattr(cls, "_fields") and all(isinstance(table.get(name), _tuplegetter) for name in table["_fields"])
    kept = "__dataclass_fields__" in table and "__post_init__" not in table and cls.__bases__ == (object,)
    return kept and type(cls) is type and table.keys().isdisjoint(attributes)


def _is_ours(value: Any) -> bool:
    return str(value.__module__).split(".")[0] == PACKAGE
