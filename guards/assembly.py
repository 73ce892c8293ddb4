"""Puts a jitted function's code object together: the prologue, the original body, and the sections behind it."""

# Note [Sections]
# A section begins with a copy of the stack's slots into variables, so the stack itself stays as it is while guards are
# evaluated: what handles an exception there finds it as the compiler of the body meant it. Only a `Move` changes it,
# and between its first and its last instruction nothing can raise.

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bytecode import Bytecode, Instr, Label
from bytecode.instr import CellVar, FreeVar, InstrLocation, TryBegin, TryEnd

from .entry_code import BODY, GO, RAISE, STACK, Move, Section, local_names, read_move, signature_text
from .sources import RESULT, STATE

_SUPER_LIMIT = 16
"""Instructions on two variables at once hold the numbers of both in four bits each."""

_PAIRS = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
_CELL_LOADS = ("LOAD_FAST", "LOAD_FAST_LOAD_FAST")
"""Instructions that may name a variable that is a cell, to load the cell itself, where they do so at all."""
_OURS = "__guardlift_"


def build(code: types.CodeType, text: str, sections: Mapping[int, Section] | None = None) -> types.CodeType:
    """The code object of a jitted function: the prologue `text`, the instructions of `code`, the sections by position.

    The result has the free variables of `code` and the state cell after them.
    """
    assembly = _Assembly(code, sections or {})
    head = assembly.prologue(text)
    return assembly.finished(head, with_body=True)


def build_probe(code: types.CodeType, text: str) -> types.CodeType:
    """The prologue alone, whose text must return: a code object without the body."""
    assembly = _Assembly(code, {})
    return assembly.finished(assembly.prologue(text), with_body=False)


@functools.lru_cache(maxsize=256)
def can_be_entered(code: types.CodeType) -> bool:
    """Whether `build_entrance` can be asked for code: not where a comprehension of its own borrows a cell's slot."""
    for each in Bytecode.from_code(code):
        if isinstance(each, Instr) and "_FAST" in each.name:
            args = each.arg if isinstance(each.arg, tuple) else (each.arg,)
            loads = each.name in _CELL_LOADS
            if any(isinstance(arg, str) and arg in code.co_cellvars for arg in args) and not loads:
                return False
    return True


def build_entrance(
    code: types.CodeType, sections: Mapping[int, Section], position: int, bound: Sequence[str]
) -> types.CodeType:
    """A code object whose arguments are a frame's state in the middle of the body, and which goes on from there.

    The arguments are the bound local variables, then the objects on the stack; cells come as free variables, those of
    the function's own variables first.
    """
    assembly = _Assembly(code, sections, entrance=True)
    kinds = sections[position].kinds
    slots = [STACK.format(slot) for slot, kind in enumerate(kinds) if kind == "v"]
    pushes = [
        Instr("LOAD_FAST", STACK.format(slot)) if kind == "v" else Instr("PUSH_NULL") for slot, kind in enumerate(kinds)
    ]
    head = [*pushes, Instr("JUMP_FORWARD", assembly.starts[position])]
    built = assembly.finished(head, with_body=True, arguments=[*bound, *slots])
    count = len(bound) + len(slots)
    return built.replace(co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=built.co_flags & ~0x0C)


class _Assembly:
    """The parts of one code object, whose labels refer to each other."""

    def __init__(self, code: types.CodeType, sections: Mapping[int, Section], *, entrance: bool = False) -> None:
        self.code = code
        self.sections = sections
        self.entrance = entrance
        self.whole = Bytecode.from_code(code, conserve_exception_block_stackdepth=True)
        self.starts = {position: Label() for position in sections}
        self.places: dict[int, Label] = {}
        """Where the body's own instruction at a position is, behind the jump to its section."""
        self.stack = code.co_stacksize
        self.start_of_body = Label()

    def place(self, position: int) -> Label:
        return self.places.setdefault(position, Label())

    def prologue(self, text: str) -> list[Any]:
        """The instructions of the prologue."""
        return [each for each in self._compiled(text, None) if each is not _OUTSIDE]

    def finished(self, head: list[Any], *, with_body: bool, arguments: list[str] | None = None) -> types.CodeType:
        """The code object that starts with `head`."""
        line = InstrLocation(self.code.co_firstlineno, self.code.co_firstlineno, 0, 0)
        behind = [self._section(position) for position in sorted(self.sections)] if with_body else []
        body = self._body() if with_body else []
        own = [] if self.entrance or not with_body else list(self.whole.cellvars)
        free = [*(self.code.co_cellvars if self.entrance else ()), *self.code.co_freevars, STATE]
        start = [Instr("COPY_FREE_VARS", len(free)), Instr("RESUME", 0)]
        result = self.whole
        result.cellvars, result.freevars = own, free
        if arguments is not None:
            result.argnames, result.argcount = arguments, len(arguments)
            result.posonlyargcount = result.kwonlyargcount = 0
        front = [_located(each, line) for each in (*start, *head)]
        instructions = [*front, self.start_of_body, *body, *(each for section in behind for each in section)]
        if self.entrance:
            instructions = [_freed(each, self.code) for each in _split(instructions)]
        result[:] = split_pairs(instructions, [*result.argnames, *self.code.co_varnames])
        return result.to_code(stacksize=self.stack + 4, compute_exception_stack_depths=False)

    def _body(self) -> list[Any]:
        result: list[Any] = []
        position = -1
        for each in list(self.whole):
            if not isinstance(each, Instr):
                result.append(each)
                continue
            position += 1
            if position in self.sections:
                result.append(Instr("JUMP_FORWARD", self.starts[position], location=each.location))
            if position in self.places:
                result.append(self.places[position])
            if each.name in ("COPY_FREE_VARS", "RESUME") or self.entrance and each.name == "MAKE_CELL":
                continue
            result.append(each)
        return result

    def _section(self, position: int) -> list[Any]:
        """The instructions of a section, under the handler that the body has at its position."""
        section = self.sections[position]
        depth = len(section.kinds)
        copies: list[Any] = []
        for slot, kind in enumerate(section.kinds):
            if kind == "v":
                copies += [Instr("COPY", depth - slot), Instr("STORE_FAST", STACK.format(slot))]
        where, region = self._around(position)
        lines = [*copies, *self._compiled(section.text, position)]
        return [self.starts[position], *_under(region, [_located(each, where) for each in lines])]

    def _around(self, position: int) -> tuple[InstrLocation | None, TryBegin | None]:
        """The location of the body's instruction at a position, and the handler that it is under."""
        count = -1
        region: TryBegin | None = None
        for each in self.whole:
            if isinstance(each, TryBegin):
                region = each
            elif isinstance(each, TryEnd):
                region = None
            elif isinstance(each, Instr):
                count += 1
                if count == position:
                    return each.location, region
        raise AssertionError(f"no instruction {position}")

    def _compiled(self, text: str, position: int | None) -> Iterator[Any]:
        """The instructions of a text, with what stands for leaving it made real."""
        template = _template(self._source(text, position))
        depth = 0 if position is None else len(self.sections[position].kinds)
        self.stack = max(self.stack, template.stack + depth)
        ours = template.ours
        pending: Instr | None = None
        for each in template.instructions(depth):
            if isinstance(each, Instr) and isinstance(each.arg, FreeVar) and each.arg.name in self.code.co_cellvars:
                each.arg = CellVar(each.arg.name)
            if pending is not None:
                if isinstance(each, Instr) and each.name == "RETURN_VALUE":
                    yield from self._leave(str(pending.arg), position, ours)
                    pending = None
                    continue
                yield pending
                pending = None
            if isinstance(each, Instr) and isinstance(each.arg, str) and each.arg.startswith(_OURS):
                if each.name == "RETURN_CONST":
                    yield from self._leave(each.arg, position, ours)
                    continue
                if each.name == "LOAD_CONST":
                    pending = each
                    continue
            yield each

    def _leave(self, constant: str, position: int | None, ours: list[str]) -> Iterator[Any]:
        if constant == BODY:
            yield from self._to_body(position)
        elif constant == RAISE:
            yield from (_OUTSIDE, Instr("LOAD_FAST", RESULT), Instr("RERAISE", 0))
        else:
            assert constant.startswith(GO), constant
            yield _OUTSIDE
            yield from self._move(read_move(constant), position, ours)

    def _to_body(self, position: int | None) -> Iterator[Any]:
        if position is None:
            yield Instr("JUMP_FORWARD", self.start_of_body)
        else:
            kinds = self.sections[position].kinds
            yield from _cleared([STACK.format(slot) for slot, kind in enumerate(kinds) if kind == "v"])
            yield _OUTSIDE
            yield Instr("JUMP_BACKWARD_NO_INTERRUPT", self.place(position))

    def _move(self, move: Move, position: int | None, ours: list[str]) -> Iterator[Any]:
        kinds = "" if position is None else self.sections[position].kinds
        for kind in reversed(kinds[move.keep :]):
            yield Instr("POP_TOP") if kind == "v" else Instr("STORE_FAST", RESULT)
        cells = self.code.co_cellvars
        if position is None:
            yield from (Instr("MAKE_CELL", CellVar(name)) for name in cells)
        for name, value in move.variables.items():
            yield Instr("PUSH_NULL") if value is None else Instr("LOAD_FAST", value)
            yield Instr("STORE_DEREF", CellVar(name)) if name in cells else Instr("STORE_FAST", name)
        for slot in move.stack:
            yield Instr("PUSH_NULL") if slot is None else Instr("LOAD_FAST", slot)
        slots = [STACK.format(slot) for slot, kind in enumerate(kinds) if kind == "v"]
        yield from _cleared(list(dict.fromkeys([*slots, *ours])))
        jump = "JUMP_FORWARD" if position is None else "JUMP_BACKWARD_NO_INTERRUPT"
        yield Instr(jump, self.place(move.position))

    def _source(self, text: str, position: int | None) -> str:
        """The text as a function in a function, whose variables are those of the body."""
        code = self.code
        cells = code.co_cellvars if position is not None or self.entrance else ()
        free = [*cells, *code.co_freevars, STATE]
        if position is None:
            parameters = signature_text(code)
        else:
            own = [*local_names(code), *code.co_varnames]
            kinds = self.sections[position].kinds
            own += [STACK.format(slot) for slot, kind in enumerate(kinds) if kind == "v"]
            parameters = ", ".join(dict.fromkeys(name for name in own if name not in cells and name.isidentifier()))
        body = "\n".join("        " + line for line in text.splitlines())
        nonlocal_ = f"        nonlocal {', '.join(cells)}\n" if cells else ""
        return f"def outer():\n    {' = '.join(free)} = None\n    def entry({parameters}):\n{nonlocal_}{body}\n"


class _Template:
    """The instructions of compiled entry code, to be copied into one code object after another."""

    def __init__(self, source: str) -> None:
        namespace = compile(source, "<guards>", "exec")
        outer = next(const for const in namespace.co_consts if isinstance(const, types.CodeType))
        code = next(const for const in outer.co_consts if isinstance(const, types.CodeType))
        self.stack = code.co_stacksize
        self.ours = [each for each in code.co_varnames if each.startswith(_OURS)]
        found = Bytecode.from_code(code, conserve_exception_block_stackdepth=True)
        self._parts = [
            each for each in found if not (isinstance(each, Instr) and each.name in ("RESUME", "COPY_FREE_VARS"))
        ]

    def instructions(self, depth: int) -> Iterator[Any]:
        """A copy of them, for a place where the stack is `depth` slots high."""
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
            else:
                copy = each.copy()  # type: ignore[union-attr]
                if isinstance(copy.arg, Label):
                    copy.arg = labels[copy.arg]
                yield copy


_template = functools.lru_cache(maxsize=256)(_Template)


def split_pairs(instructions: list[Any], names: Sequence[str] = ()) -> list[Any]:
    """The instructions with those that work on two local variables made two, if there are too many variables.

    names: variables that there are besides those which the instructions name.
    """
    found = set(names)
    for each in instructions:
        if isinstance(each, Instr) and "_FAST" in each.name:
            args = each.arg if isinstance(each.arg, tuple) else (each.arg,)
            found.update(arg for arg in args if isinstance(arg, str))
    return instructions if len(found) <= _SUPER_LIMIT else _split(instructions)


def _split(instructions: list[Any]) -> list[Any]:
    result: list[Any] = []
    for each in instructions:
        if isinstance(each, Instr) and each.name in _PAIRS:
            for name, arg in zip(_PAIRS[each.name], each.arg, strict=True):  # type: ignore[arg-type]
                result.append(Instr(name, arg, location=each.location))
        else:
            result.append(each)
    return result


class _Outside:
    """Marks where the handlers of the body stop to apply."""


_OUTSIDE = _Outside()


def _cleared(names: list[str]) -> Iterator[Any]:
    """Unbinds variables, bound or not."""
    for name in names:
        yield Instr("PUSH_NULL")
        yield Instr("STORE_FAST", name)


def _located(each: Any, where: InstrLocation | None) -> Any:
    if isinstance(each, Instr):
        each.location = where
    return each


def _under(region: TryBegin | None, lines: list[Any]) -> Iterator[Any]:
    """The instructions, those without a handler of their own under `region` (but for what is marked)."""
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


def _freed(each: Any, code: types.CodeType) -> Any:
    """An instruction of an entrance, where the function's own cells are free variables."""
    if isinstance(each, Instr):
        if isinstance(each.arg, CellVar):
            each.arg = FreeVar(each.arg.name)
        elif each.name == "LOAD_FAST" and each.arg in code.co_cellvars:  # the cell of an argument, since 3.13
            each.arg = FreeVar(each.arg)  # type: ignore[arg-type]
    return each
