"""Writes the code object that a jitted function carries: the entries' guards and calls, then the original body.

The prologue is Python text, compiled by CPython itself, so it is right for every version. The body follows in the same
code object: when no entry fits and nothing can be compiled, execution falls through into the user's own instructions,
in the user's own frame. A traceback therefore shows the user's lines and nothing else.
"""

# Note [No objects in co_consts]
# Code objects are not seen by the garbage collector. Every object that generated code needs (plans, types, functions)
# sits in one tuple in one extra closure cell of the function, and is named there by number.

from __future__ import annotations

import types
from collections.abc import Sequence

from bytecode import Bytecode, Instr, Label
from bytecode.instr import InstrLocation

from .sources import POOL, RESULT, STATE

_SUPER_LIMIT = 13
"""Superinstructions hold two local numbers below 16; the prologue adds locals, so they are split near the limit."""

_PAIRS = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}

ERRORS_SLOT, MISS_SLOT, PLAIN_SLOT, MISSED_SLOT = range(4)
"""What the first objects of the pool are: the errors a guard may raise, the miss handler, its answer for "run the
body", and the plan's answer for "not my arguments"."""

MISSED = f"{POOL}[{MISSED_SLOT}]"
ERRORS = f"{POOL}[{ERRORS_SLOT}]"

_BODY = "__guardlift_body__"
"""Returning this constant in the prologue's text stands for going on with the body."""

TO_BODY = f"del {POOL}; return {_BODY!r}"
TO_PLAIN = f"return {POOL}[{PLAIN_SLOT}]"
"""The two forms of a side exit: into the body, or (in a prologue without body) the answer for it."""


def prologue_text(code: types.CodeType, entries: Sequence[str], *, with_body: bool = True) -> str:
    """The Python text that runs before the body: one block of statements for each entry, then the miss handler.

    Without body it ends by answering that the body should run.
    """
    lines = [f"{POOL} = {STATE}"]
    for block in entries:
        lines += block.splitlines()
    if not with_body:
        return "\n".join([*lines, TO_PLAIN])
    lines += [
        f"{RESULT} = {POOL}[{MISS_SLOT}]({', '.join(local_names(code))})",
        f"if {RESULT} is not {POOL}[{PLAIN_SLOT}]:",
        f"    return {RESULT}",
        f"del {POOL}, {RESULT}",
        f"return {_BODY!r}",
    ]
    return "\n".join(lines)


def local_names(code: types.CodeType) -> tuple[str, ...]:
    """The argument names of `code`, ``*args`` and ``**kwargs`` last, as they lie in its frame."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_varnames[:count]


def signature_text(code: types.CodeType) -> str:
    """The parameter list of `code` as text, without defaults."""
    names = list(local_names(code))
    positional = names[: code.co_argcount]
    keyword_only = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    rest = names[code.co_argcount + code.co_kwonlyargcount :]
    parts = positional[: code.co_posonlyargcount]
    if parts:
        parts.append("/")
    parts += positional[code.co_posonlyargcount :]
    if code.co_flags & 0x04:
        parts.append("*" + rest.pop(0))
    elif keyword_only:
        parts.append("*")
    parts += keyword_only
    if code.co_flags & 0x08:
        parts.append("**" + rest.pop(0))
    return ", ".join(parts)


def _compile_prologue(code: types.CodeType, text: str) -> types.CodeType:
    free = [*code.co_freevars, STATE]
    body = "\n".join("        " + line for line in text.splitlines())
    source = f"def outer():\n    {' = '.join(free)} = None\n    def entry({signature_text(code)}):\n{body}\n"
    namespace = compile(source, "<guards>", "exec")
    outer = next(const for const in namespace.co_consts if isinstance(const, types.CodeType))
    return next(const for const in outer.co_consts if isinstance(const, types.CodeType))


def split_pairs(instructions: list[object], code: types.CodeType) -> list[object]:
    """The instructions of `code`, fit for a code object with some more locals, or with them in another order."""
    if code.co_nlocals <= _SUPER_LIMIT:
        return instructions
    result: list[object] = []
    for each in instructions:
        if isinstance(each, Instr) and each.name in _PAIRS:
            for name, arg in zip(_PAIRS[each.name], each.arg, strict=True):  # type: ignore[arg-type]
                result.append(Instr(name, arg, location=each.location))
        else:
            result.append(each)
    return result


def _without(instructions: list[object], *names: str) -> list[object]:
    return [each for each in instructions if not (isinstance(each, Instr) and each.name in names)]


def _at_line(instructions: Sequence[object], line: int) -> Sequence[object]:
    location = InstrLocation(line, line, 0, 0)
    for each in instructions:
        if isinstance(each, Instr):
            each.location = location
    return instructions


def build(code: types.CodeType, text: str, *, with_body: bool = True) -> types.CodeType:
    """The entry code object: `text` (see `prologue_text`) in front of the instructions of `code`.

    The result has the free variables of `code` and the state cell after them. Without body, the prologue must return.
    """
    head = _without(list(Bytecode.from_code(_compile_prologue(code, text))), "RESUME", "COPY_FREE_VARS")
    line = code.co_firstlineno
    result = Bytecode.from_code(code)
    body: list[object] = []
    if with_body:
        start_of_body = Label()
        head = _jump_instead_of_return(head, start_of_body)
        body = [start_of_body, *split_pairs(_without(list(result), "COPY_FREE_VARS", "RESUME"), code)]
    else:
        result.cellvars = []
    free = [*code.co_freevars, STATE]
    start = [Instr("COPY_FREE_VARS", len(free)), Instr("RESUME", 0)]
    result[:] = [*_at_line(start, line), *_at_line(head, line), *body]  # type: ignore[list-item]
    result.freevars = free
    return result.to_code()


def _jump_instead_of_return(head: list[object], target: Label) -> list[object]:
    """`head` with every return of the body marker made a jump to `target`."""
    result: list[object] = []
    for each in head:
        if isinstance(each, Instr) and each.name == "RETURN_CONST" and each.arg == _BODY:
            result.append(Instr("JUMP_FORWARD", target))
        elif isinstance(each, Instr) and each.name == "RETURN_VALUE" and _loads_marker(result[-1]):
            result[-1] = Instr("JUMP_FORWARD", target)
        else:
            result.append(each)
    return result


def _loads_marker(instruction: object) -> bool:
    return isinstance(instruction, Instr) and instruction.name == "LOAD_CONST" and instruction.arg == _BODY
