"""The instructions of one part of entry code: CPython compiles its text, and its exits become jumps into the body.

A part is compiled as a function of its own; here it becomes code that stands in the jitted function, at one place.
"""

from __future__ import annotations

import dis
import functools
import re
import types
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any

from bytecode import Instr, Label
from bytecode.instr import CellVar, FreeVar, TryBegin, TryEnd

from ..core.records import dataclass
from .assembler import PAIRS
from .disassembler import disassemble
from .entry_code import (
    BODY,
    CALL_CONTINUATION,
    CALL_HIDDEN,
    DROP,
    NEXT,
    NULLS,
    RAISE,
    RESUME_BODY,
    ResumeBody,
    local_names,
    read_resume_body,
    slot_variables,
    slots_with_objects,
)
from .names import compile_text, name_text
from .pool import POOL
from .sources import RESULT, STATE

_LOAD = ("LOAD_FAST", "LOAD_FAST_BORROW")
"""Instructions that load one local variable and do not look whether it is bound."""
_LOADS = (*_LOAD, *(pair for pair, (_, last) in PAIRS.items() if last in _LOAD))
"""Those, and the ones on two variables that load the second."""
BACK = "JUMP_BACKWARD_NO_INTERRUPT"
_OURS = "__guardlift_"
_IDENTIFIER = re.compile(r"\w+")


@dataclass
class JumpTargets:
    """The labels in the code objects of one jitted function."""

    body: Label = field(default_factory=Label)
    """The start of the body."""
    call: Label = field(default_factory=Label)
    """The call of newer code, in a frame that everybody sees."""
    hidden_call: Label = field(default_factory=Label)
    """The call of newer code out of sight."""
    result: Label = field(default_factory=Label)
    """The code that takes the result of either call."""
    sections: dict[int, Label] = field(default_factory=dict)
    """By position, the start of the resume section."""
    instructions: dict[int, Label] = field(default_factory=dict)
    """By position, the body's own instruction, behind the jump to its section."""

    def section(self, position: int) -> Label:
        """The label at the start of the resume section for a position."""
        return self.sections.setdefault(position, Label())

    def instruction(self, position: int) -> Label:
        """The label before the body's own instruction at a position."""
        return self.instructions.setdefault(position, Label())


@dataclass(frozen=True)
class PartCompiler:
    """Compiles the parts of the prologue (`position` is None), or of the resume section at a position of the body.

    kinds: those of the stack's slots there.
    """

    code: types.CodeType
    targets: JumpTargets
    position: int | None
    kinds: str

    def compile(self, text: str) -> tuple[Iterator[Any], int]:
        """The instructions of a part, and the stack that it needs. See `OUTSIDE` for what stands between them."""
        template = _template(self._source(text))
        lines = self._without_last_jump(template)
        return lines if self.position is None else self._checked(lines), template.stack + len(self.kinds)

    def _source(self, text: str) -> str:
        """The text as a function in a function, whose variables are those of the body that it names.

        So a part that names none of the body's is the same text in every function, and compiled once.
        """
        code, named = self.code, set(_IDENTIFIER.findall(text))
        cells = [*map(name_text, code.co_cellvars)] if self.position is not None else []
        free = [*cells, *map(name_text, code.co_freevars), STATE]
        own = [*local_names(code), POOL, RESULT]
        if self.position is not None:
            own += [*code.co_varnames, *slot_variables(self.kinds)]
        named |= {POOL, RESULT}
        cells, free, own = ([name for name in names if name in named] for names in (cells, free, map(name_text, own)))
        parameters = ", ".join(dict.fromkeys(name for name in own if name not in cells))
        body = "\n".join("        " + line for line in text.splitlines())
        outer = f"    {' = '.join(free)} = None\n" if free else ""
        nonlocal_ = f"        nonlocal {', '.join(cells)}\n" if cells else ""
        return f"def outer():\n{outer}    def entry({parameters}):\n{nonlocal_}{body}\n"

    def _checked(self, lines: Iterable[Any]) -> Iterator[Any]:
        """The instructions such that an unbound variable of the body raises: the text took it for an argument.

        Since 3.12 a plain load of such a variable gives NULL, and CPython crashes.
        """
        if "LOAD_FAST_CHECK" not in dis.opmap:
            yield from lines
            return
        for each in lines:
            loads = isinstance(each, Instr) and each.name in _LOADS
            names = (each.arg if isinstance(each.arg, tuple) else (each.arg,)) if loads else ()
            of_body = [str(name) for name in names if not str(name).startswith(_OURS)]
            if not of_body or any(name in self.code.co_cellvars for name in of_body):
                yield each
                continue
            for one, name in zip(PAIRS.get(each.name, (each.name,)), names, strict=True):
                check = one in _LOAD and name in of_body
                yield Instr("LOAD_FAST_CHECK" if check else one, name)

    def _without_last_jump(self, template: _Template) -> Iterator[Any]:
        """The instructions of a part up to the label behind it; a jump there right before it is left out."""
        behind = Label()
        previous: Any = None
        for each in self._with_exits(template, behind):
            if previous is not None:
                yield previous
            previous = each
        if not (isinstance(previous, Instr) and previous.arg is behind):
            yield previous
        yield behind

    def _with_exits(self, template: _Template, behind: Label) -> Iterator[Any]:
        """The instructions, each return of a constant of ours replaced by the exit that it stands for."""
        pending: Instr | None = None
        for each in template.instructions(len(self.kinds)):
            if isinstance(each, Instr) and isinstance(each.arg, FreeVar) and each.arg.name in self.code.co_cellvars:
                each = Instr(each.name, CellVar(each.arg.name))
            if pending is not None:
                constant, pending = pending, None
                if isinstance(each, Instr) and each.name == "RETURN_VALUE":
                    yield from self._exit(str(constant.arg), template.ours, behind)
                    continue
                if constant.arg == DROP:
                    yield from _dropped(self.kinds)
                    continue
                yield constant
            if isinstance(each, Instr) and isinstance(each.arg, str) and each.arg.startswith(_OURS):
                if each.name == "RETURN_CONST":
                    yield from self._exit(each.arg, template.ours, behind)
                    continue
                if each.name == "LOAD_CONST":
                    pending = each
                    continue
            yield each

    def _exit(self, constant: str, ours: list[str], behind: Label) -> Iterator[Any]:
        """The instructions that a constant stands for; `ours` are the variables of the part itself."""
        if constant == NEXT:
            yield Instr("JUMP_FORWARD", behind)
        elif constant == CALL_CONTINUATION:
            yield from (OUTSIDE, Instr("JUMP_FORWARD" if self.position is None else BACK, self.targets.call))
        elif constant == CALL_HIDDEN:
            yield Instr(BACK, self.targets.hidden_call)
        elif constant == BODY:
            yield from self._to_body()
        elif constant == RAISE:
            yield from (OUTSIDE, Instr("LOAD_FAST", RESULT), Instr("RERAISE", 0))
        else:
            assert constant.startswith(RESUME_BODY), constant
            yield OUTSIDE
            yield from self._resume_body(read_resume_body(constant), ours)

    def _to_body(self) -> Iterator[Any]:
        """The way into the body with the frame as it is."""
        if self.position is None:
            yield Instr("JUMP_FORWARD", self.targets.body)
        else:
            yield from cleared(slot_variables(self.kinds))
            yield OUTSIDE
            yield Instr(BACK, self.targets.instruction(self.position))

    def _resume_body(self, state: ResumeBody, ours: list[str]) -> Iterator[Any]:
        """The way into the body at another position: the stack and the variables are put as they are to be there."""
        for kind in reversed(self.kinds[state.keep :]):
            yield Instr("STORE_FAST", RESULT) if kind in NULLS else Instr("POP_TOP")
        cells = self.code.co_cellvars
        if self.position is None:
            yield from (Instr("MAKE_CELL", CellVar(name)) for name in cells)
        for name, value in state.variables.items():
            yield Instr("PUSH_NULL") if value is None else Instr("LOAD_FAST", value)
            yield Instr("STORE_DEREF", CellVar(name)) if name in cells else Instr("STORE_FAST", name)
        for slot in state.stack:
            yield Instr("PUSH_NULL") if slot is None else Instr("LOAD_FAST", slot)
        yield from cleared(list(dict.fromkeys([*slot_variables(self.kinds), *ours])))
        yield Instr("JUMP_FORWARD" if self.position is None else BACK, self.targets.instruction(state.position))


def cleared(names: list[str]) -> Iterator[Any]:
    """Instructions that unbind variables, bound or not."""
    for name in names:
        yield Instr("PUSH_NULL")
        yield Instr("STORE_FAST", name)


def _dropped(kinds: str) -> Iterator[Any]:
    """Instructions that put None into the slots of the stack that hold objects."""
    yield OUTSIDE
    for slot in slots_with_objects(kinds):
        yield from (Instr("LOAD_CONST", None), Instr("SWAP", len(kinds) - slot + 1), Instr("POP_TOP"))


class _Template:
    """The instructions of compiled entry code, to be copied into one code object after another."""

    def __init__(self, source: str) -> None:
        namespace = compile_text(source, "<guards>", "exec")
        outer = next(const for const in namespace.co_consts if isinstance(const, types.CodeType))
        code = next(const for const in outer.co_consts if isinstance(const, types.CodeType))
        self.stack = code.co_stacksize
        self.ours = [each for each in code.co_varnames if each.startswith(_OURS)]
        code = code.replace(co_linetable=b"")  # where it is put says what it is from
        found = disassemble(code)
        self._parts = [
            each for each in found if not (isinstance(each, Instr) and each.name in ("RESUME", "COPY_FREE_VARS"))
        ]

    def instructions(self, depth: int) -> Iterator[Any]:
        """The instructions for a place where the stack is `depth` slots high; those with labels are copies."""
        labels = {each: Label() for each in self._parts if isinstance(each, Label)}
        regions: dict[TryBegin, TryBegin] = {}
        for each in self._parts:
            if isinstance(each, Label):
                yield labels[each]
            elif isinstance(each, TryBegin):
                regions[each] = TryBegin(labels[each.target], each.push_lasti, each.stack_depth + depth)  # type: ignore[index,operator]
                yield regions[each]
            elif isinstance(each, TryEnd):
                yield TryEnd(regions[each.entry])
            elif isinstance(each, Instr) and isinstance(each.arg, Label):
                yield Instr(each.name, labels[each.arg])
            else:
                yield each


_template = functools.lru_cache(maxsize=64)(_Template)
"""The parts that every function has are compiled once, as long as they are asked for."""


class _Outside:
    """Marks where the handlers of the body stop to apply."""


OUTSIDE = _Outside()
"""Stands between the instructions of a part where the handlers of the body stop to apply, up to the next label."""


def under_handler(region: TryBegin | None, lines: Iterable[Any]) -> Iterator[Any]:
    """The instructions of a part, with `region` open around them.

    Left out are those that have a handler of their own, and those behind `OUTSIDE`.
    """
    open_: TryBegin | None = None
    own = outside = False
    for each in lines:
        if isinstance(each, _Outside):
            outside = True
        elif isinstance(each, (TryBegin, TryEnd)):
            if open_ is not None:
                yield TryEnd(open_)
                open_ = None
            own = isinstance(each, TryBegin)
            yield each
        else:
            if isinstance(each, Label):
                if open_ is not None:
                    yield TryEnd(open_)
                    open_ = None
                outside = False
            elif region is not None and open_ is None and not own and not outside:
                open_ = region.copy()
                yield open_
            elif outside and open_ is not None:
                yield TryEnd(open_)
                open_ = None
            yield each
            if isinstance(each, Instr) and each.is_final():
                outside = False
    if open_ is not None:
        yield TryEnd(open_)
