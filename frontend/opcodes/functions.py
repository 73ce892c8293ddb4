"""Functions made inside the traced function, and classes, which end the trace."""

from __future__ import annotations

import types
from collections import ChainMap
from typing import TYPE_CHECKING, Any, NoReturn

from ...guards.class_statements import note_statement
from ..breaks import CLASS_INSIDE, OPCODE
from ..bytecode.opcode_table import opcode
from ..values.base import Value
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import TupleValue
from ..values.functions.functions import FunctionValue
from ..values.functions.scopes import CellValue, InnerScope
from .loads import CodeValue

if TYPE_CHECKING:
    from ..interpreter.frame import Frame

DEFAULTS, KEYWORD_DEFAULTS, ANNOTATIONS, CLOSURE, ANNOTATE = 1, 2, 4, 8, 16


@opcode("MAKE_FUNCTION", stack="*parts[int(arg or 0).bit_count()] code -- function", in_region=True)
def make_function(frame: Frame, arg: int | None) -> None:
    """A function object; before 3.13 with its parts below it on the stack."""
    code = frame.pop()
    assert isinstance(code, CodeValue)
    parts = {bit: frame.pop() for bit in (CLOSURE, ANNOTATIONS, KEYWORD_DEFAULTS, DEFAULTS) if (arg or 0) & bit}
    function = FunctionValue(code.code, name=code.code.co_qualname, scope=InnerScope(frame.scope, (), []))
    for bit, part in parts.items():
        _set_part(frame, function, bit, part)
    frame.push(function)


@opcode("SET_FUNCTION_ATTRIBUTE", stack="part function -- function", resume=False)
def set_function_attribute(frame: Frame, arg: int, part: Value, function: Value) -> Value:
    """Give a new function its defaults or closure."""
    assert isinstance(function, FunctionValue)
    _set_part(frame, function, arg, part)
    return function


def _set_part(frame: Frame, function: FunctionValue, bit: int, part: Value) -> None:
    if bit == DEFAULTS:
        assert isinstance(part, TupleValue)
        function.defaults = part
    elif bit == KEYWORD_DEFAULTS:
        assert isinstance(part, DictValue)
        function.keyword_defaults = part
    elif bit == CLOSURE:
        assert isinstance(part, TupleValue)
        cells = [each.cell for each in part.items if isinstance(each, CellValue)]
        function.scope = InnerScope(frame.scope, function.code.co_freevars, cells)
    elif bit == ANNOTATIONS:
        function.annotations = part
    elif bit == ANNOTATE:
        function.annotate = part
    else:
        raise OPCODE.stop(name=f"SET_FUNCTION_ATTRIBUTE {bit}")


@opcode("LOAD_BUILD_CLASS", stack="-- value", ends=CLASS_INSIDE, begins_call=True)
def load_build_class(frame: Frame, arg: Any) -> NoReturn:
    """Errors: a break. See Note [Classes of calls]."""
    following = (each.arg for each in frame.code.instructions[frame.position :])
    body = next(arg for arg in following if isinstance(arg, types.CodeType))
    scope = ChainMap(frame.scope.globals(), frame.scope.builtins())
    note_statement(scope.get("__name__"), body.co_qualname)
    raise CLASS_INSIDE.stop(name=body.co_qualname)
