"""Generators that outlive the call: the expressions that make real ones which stand where the traced ones stand."""

# Note [Generators that go on outside]
# One that has not started is made as the program made it: by a call of the function, which runs none of the body. One
# that waits at a `yield` is made from a code object of its own: the user's, with a prologue that takes variables and
# value stack out of a cell, empties the cell, and jumps to that `yield`. The first step, which we take, runs no more
# than that, and the generator then stands at the user's own instruction, on the user's line, inside the same handlers.

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING

from bytecode import Instr, Label
from bytecode.instr import FreeVar, InstrLocation

from ...guards.assembler import CodeTables, assemble
from ...guards.disassembler import disassemble
from ...guards.sources import STATE
from ...runtime.iterators import finished_generator, inner_function, waiting_generator
from ..bytecode.versions import current
from ..values.base import Value
from ..values.functions.functions import FunctionValue
from ..values.functions.generators import GeneratorState, GeneratorValue
from .functions import rebuild_cell

if TYPE_CHECKING:
    from .reconstruct import EntryWriter


def rebuilt(writer: EntryWriter, generator: GeneratorValue) -> str:
    """The expression for a generator that stands where this one stands. Errors: a break when it cannot be made."""
    function, pool = generator.function, writer.pool
    if function.wrapped is not None:  # and bears another function's name
        raise generator.unsupported("a return")
    if generator.state is GeneratorState.FINISHED:
        return f"{pool.add(finished_generator)}({pool.add(function.code)}, {_names(writer, function)})"
    if generator.state is GeneratorState.UNSTARTED:
        made = _function(writer, function)
        return f"{made}({', '.join(_arguments(writer, generator))})"
    return _waiting(writer, generator)


def _arguments(writer: EntryWriter, generator: GeneratorValue) -> list[str]:
    """The arguments of the call that made the generator."""
    code, bound = generator.function.code, generator.arguments
    names = list(code.co_varnames)
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    parts = [bound[name].rebuild(writer) for name in names[:count]]
    rest = names[count + keyword_only :]
    if code.co_flags & 0x04:
        parts.append("*" + bound[rest.pop(0)].rebuild(writer))
    parts += [f"{name}={bound[name].rebuild(writer)}" for name in names[count : count + keyword_only]]
    if code.co_flags & 0x08:
        parts.append("**" + bound[rest.pop(0)].rebuild(writer))
    return parts


def _names(writer: EntryWriter, function: FunctionValue) -> str:
    """The function that existed before the call, which its generators are named after; else None."""
    return function.source.text(writer.pool) if function.source is not None else "None"


def _function(writer: EntryWriter, function: FunctionValue) -> str:
    """The expression for a function to be called once."""
    if function.source is not None:
        return function.source.text(writer.pool)
    pool = writer.pool
    parts = pool.add(function.code), pool.add(function.scope.globals()), _closure(writer, function)
    return f"{pool.add(inner_function)}({', '.join(parts)})"


def _closure(writer: EntryWriter, function: FunctionValue) -> str:
    """The expression for the tuple of a function's cells."""
    if not function.code.co_freevars:
        return "()"
    if function.source is not None:
        return f"{function.source.text(writer.pool)}.__closure__"
    cells = [rebuild_cell(writer, function.scope, name) for name in function.code.co_freevars]
    return f"({', '.join(cells)},)"


def _waiting(writer: EntryWriter, generator: GeneratorValue) -> str:
    frame, function = generator.frame, generator.function
    code, stack = function.code, frame.stack[:-1]
    if generator.state is not GeneratorState.SUSPENDED or code.co_cellvars or frame.handling is not None:
        raise generator.unsupported("a return")
    bound = {name: value for name, value in frame.variables.items() if value is not None}
    values: list[Value] = [*bound.values(), *(each for each in stack if each is not None)]
    nulls = tuple(each is None for each in stack)
    pool = writer.pool
    parts = [
        pool.add(waiting_code(code, frame.position - 1, tuple(bound), nulls)),
        pool.add(function.scope.globals()),
        _closure(writer, function),
        f"({', '.join(each.rebuild(writer) for each in values)},)",
        _names(writer, function),
    ]
    return f"{pool.add(waiting_generator)}({', '.join(parts)})"


def waiting_code(code: types.CodeType, place: int, bound: tuple[str, ...], nulls: tuple[bool, ...]) -> types.CodeType:
    """The code of a generator whose first step takes it to its `yield` at instruction `place`.

    A cell behind its free variables holds a tuple: the values of the variables `bound`, then the stack below the
    yielded value, without the entries that are NULL. `nulls` says for each entry of that stack whether it is.
    """
    # Code objects compare equal that differ in these two.
    return _waiting_code(code, (code.co_filename, code.co_qualname), place, bound, nulls)


@functools.lru_cache(maxsize=256)
def _waiting_code(
    code: types.CodeType, names: tuple[str, str], place: int, bound: tuple[str, ...], nulls: tuple[bool, ...]
) -> types.CodeType:
    # The depths of the handlers are those the user's code has; found anew, a jump into a `try` would confuse them.
    target, body = Label(), _with_label(list(disassemble(code)), place)
    body = [target if each is _HERE else each for each in body]
    # What the call does before it makes the object, such as to ask for an iterator since 3.15, has been done.
    kept = body[_place_of("RETURN_GENERATOR", body) :]
    start = _place_of("RESUME", kept) + 1
    location = InstrLocation(code.co_firstlineno, code.co_firstlineno, 0, 0)
    free = (*code.co_freevars, STATE)
    first = Instr("COPY_FREE_VARS", len(free), location=location)
    prologue = _prologue(code, bound, nulls, target)
    for each in prologue:
        each.location = location
    tables = CodeTables.of(code)
    piece = tables.encode([first, *kept[:start], *prologue, *kept[start:]])
    made = assemble(code, tables, [piece], code.co_cellvars, free)
    return made.replace(co_stacksize=code.co_stacksize + _PROLOGUE_STACK)


_PROLOGUE_STACK = 3
"""The stack that the prologue may need above what the user's code needs."""
_HERE = object()


def _place_of(name: str, body: list[object]) -> int:
    return next(k for k, each in enumerate(body) if isinstance(each, Instr) and each.name == name)


def _with_label(body: list[object], place: int) -> list[object]:
    places = [k for k, each in enumerate(body) if isinstance(each, Instr)]
    body.insert(places[place], _HERE)
    return body


def _prologue(code: types.CodeType, bound: tuple[str, ...], nulls: tuple[bool, ...], target: Label) -> list[Instr]:
    state = FreeVar(STATE)
    result: list[Instr] = []
    for k, name in enumerate(bound):
        result += [*_item(state, k), Instr("STORE_FAST", name)]
    taken = len(bound)
    for null in nulls:
        result += [Instr("PUSH_NULL")] if null else _item(state, taken)
        taken += not null
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    result += [Instr("DELETE_FAST", name) for name in code.co_varnames[:count] if name not in bound]
    return [*result, Instr("DELETE_DEREF", state), Instr("LOAD_CONST", None), Instr("JUMP_FORWARD", target)]


def _item(state: FreeVar, index: int) -> list[Instr]:
    name, arg = current().subscript
    subscript = Instr(name) if arg is None else Instr(name, arg)
    return [Instr("LOAD_DEREF", state), Instr("LOAD_CONST", index), subscript]
