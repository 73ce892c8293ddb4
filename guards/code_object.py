"""Puts a jitted function's code object together: the prologue, the original body, and the sections behind it."""

# Note [Sections]
# A section begins with a copy of the stack's slots into variables, so the stack itself stays as it is while guards are
# evaluated: what handles an exception there finds it as the compiler of the body meant it. Only a `Move` changes it,
# and between its first and its last instruction nothing can raise.

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bytecode import Bytecode, Instr, Label
from bytecode.instr import CellVar, FreeVar, InstrLocation, TryBegin, TryEnd

from .assembler import NOWHERE, PAIRS, Item, Tables, link
from .entry_code import (
    ANSWERED,
    BODY,
    DROP,
    GO,
    GO_ON,
    HIDDEN,
    HIDE,
    NEXT,
    ON,
    RAISE,
    STACK,
    Move,
    Parts,
    Section,
    local_names,
    read_move,
)
from .pool import POOL
from .sources import RESULT, STATE

_LOADS = ("LOAD_FAST", "LOAD_FAST_LOAD_FAST", "STORE_FAST_LOAD_FAST")
"""Instructions that load a local variable without a look whether it is bound."""
_BACK = "JUMP_BACKWARD_NO_INTERRUPT"
_OURS = "__guardlift_"
_TAKEN = "__guardlift_taken__"
_STALE = 32
"""Pieces no longer used after which all are encoded anew, so that the tables forget what only those referred to."""


class Assembly:
    """What the code objects of one jitted function are put together from.

    All of them have the free variables of `code` and the state cell after them.
    """

    def __init__(self, code: types.CodeType) -> None:
        self.code = code
        self.whole = list(Bytecode.from_code(code, conserve_exception_block_stackdepth=True))
        self.around = list(_surroundings(self.whole))
        """By position, the location of the body's instruction and the handler that it is under."""
        self.starts: dict[int, Label] = {}
        """By position, the section for it."""
        self.places: dict[int, Label] = {}
        """Where the body's own instruction at a position is, behind the jump to its section."""
        self.start_of_body = Label()
        self.on, self.hidden, self.answered = Label(), Label(), Label()
        """What calls newer code, what does so out of sight, and what takes the answer."""
        self._forget_pieces()

    def _forget_pieces(self) -> None:
        self.tables = Tables.of(self.code)
        self.body = [(each, self.tables.items([each])) for each in self.whole]
        self.pieces: dict[tuple[int | None, str], tuple[list[Item], int]] = {}
        """By position (None for the prologue) and text: the encoded code, and the stack that it needs."""
        self.stale = 0

    # The code objects.
    def function(self, prologue: Parts, sections: Mapping[int, Section]) -> types.CodeType:
        """The jitted function: the prologue, the instructions of `code`, the sections by position."""
        kept = {(None, text) for text in (*prologue, *ON, *HIDDEN, *ANSWERED)}
        self._keep_only(kept | {(position, text) for position, each in sections.items() for text in each.parts})
        head, needed = self._pieces(None, prologue, "")
        behind, stack = self._behind(sections)
        pieces = [*self._start(), *head, *self._answered(), *self._bodied(sections), *behind]
        linked = self._linked(pieces, self.code.co_cellvars, self.code.co_freevars)
        return linked.replace(co_stacksize=max(needed, stack) + 4)

    def probe(self, prologue: Parts) -> types.CodeType:
        """The prologue alone, which must return."""
        head, needed = self._pieces(None, prologue, "")
        linked = self._linked([self._plain(self._copies(), Instr("RESUME", 0)), *head], (), self.code.co_freevars)
        return linked.replace(co_stacksize=needed + 4)

    def entrance(self, sections: Mapping[int, Section], position: int, bound: tuple[str, ...]) -> types.CodeType:
        """Code that goes on in the middle of the body. Its only argument is an iterator over a frame's state.

        That gives the cells of the function's own variables, the bound local variables, then the objects on the stack.
        """
        code = self.code
        behind, stack = self._behind(sections)
        taking = self._taking(sections[position].kinds, position, bound)
        pieces = [*self._start(), taking, *self._answered(), *self._bodied(sections, entrance=True), *behind]
        linked = self._linked(pieces, code.co_cellvars, code.co_freevars)
        return linked.replace(
            co_argcount=1,
            co_posonlyargcount=0,
            co_kwonlyargcount=0,
            co_flags=linked.co_flags & ~0x0C,
            co_stacksize=stack + 4 + len(code.co_cellvars) + len(bound),
        )

    def _linked(self, pieces: list[list[Item]], cells: tuple[str, ...], free: tuple[str, ...]) -> types.CodeType:
        return link(self.code, self.tables, pieces, cells, (*free, STATE))

    def _keep_only(self, keys: set[tuple[int | None, str]]) -> None:
        unused = [key for key in self.pieces if key not in keys]
        for key in unused:
            del self.pieces[key]
        self.stale += len(unused)
        if self.stale > _STALE:
            self._forget_pieces()

    # Their parts.
    def _start(self) -> list[list[Item]]:
        """The start of code that may go on in newer code: what calls that lies before its `RESUME`."""
        visible = Label()
        hidden, _ = self._pieces(None, HIDDEN, "")
        return [
            self._plain(self._copies(), Instr("JUMP_FORWARD", visible)),
            [self.hidden],
            *hidden,
            self._plain(Instr("JUMP_FORWARD", self.answered), visible, Instr("RESUME", 0)),
        ]

    def _answered(self) -> list[list[Item]]:
        """What jumps there, and takes the answer."""
        on, _ = self._pieces(None, ON, "")
        answered, _ = self._pieces(None, ANSWERED, "")
        return [[self.on], *on, [self.answered], *answered]

    def _copies(self) -> Instr:
        return Instr("COPY_FREE_VARS", len(self.code.co_freevars) + 1)

    def _plain(self, *lines: Any) -> list[Item]:
        """Instructions that are from the function's first line."""
        return self.tables.piece(lines, InstrLocation(self.code.co_firstlineno, self.code.co_firstlineno, 0, 0))

    def _taking(self, kinds: str, position: int, bound: tuple[str, ...]) -> list[Item]:
        """Unpacks an entrance's argument, which lies in the first local variable, whatever that is called.

        A cell takes the place of one that is made there: where none is made, a frame shows the cell and not what it
        holds (CPython's frame_get_var), and were it a free variable, an unbound one would raise NameError.
        """
        slots, cells = _slots(kinds), self.code.co_cellvars
        first = [*self.tables.variables, _TAKEN][0]
        if first not in bound:
            self.tables.variable(first)
        names = [*cells, *bound, *slots]
        pushes = [
            Instr("LOAD_FAST", STACK.format(slot)) if kind == "v" else Instr("PUSH_NULL")
            for slot, kind in enumerate(kinds)
        ]
        return [
            self.tables.raw("LOAD_FAST", 0),
            *self.tables.piece(
                [
                    *_cleared([first]),
                    *(Instr("MAKE_CELL", CellVar(name)) for name in cells),
                    Instr("UNPACK_SEQUENCE", len(names)),
                    *(Instr("STORE_FAST", name) for name in names),
                    *pushes,
                    *_cleared(slots),
                    Instr("JUMP_FORWARD", self._section_label(position)),
                ]
            ),
        ]

    def _section_label(self, position: int) -> Label:
        return self.starts.setdefault(position, Label())

    def place(self, position: int) -> Label:
        """The label before the body's own instruction at a position."""
        return self.places.setdefault(position, Label())

    def _bodied(self, sections: Mapping[int, Section], *, entrance: bool = False) -> Iterator[list[Item]]:
        """The body's code, with jumps to the sections, and labels where they come back.

        An `entrance` makes the function's cells itself; those that a comprehension makes lie behind the `RESUME`.
        """
        yield [self.start_of_body]
        begun, position = False, -1
        for each, items in self.body:
            if isinstance(each, Instr):
                position += 1
                if position in sections:
                    jump = Instr("JUMP_FORWARD", self._section_label(position), location=each.location)
                    yield self.tables.items([jump])
                if position in self.places:
                    yield [self.places[position]]
                begun = begun or each.name == "RESUME"
                if each.name in ("COPY_FREE_VARS", "RESUME") or entrance and each.name == "MAKE_CELL" and not begun:
                    continue
            yield items

    def _behind(self, sections: Mapping[int, Section]) -> tuple[list[list[Item]], int]:
        """The code of the sections, and the stack that the body and they need."""
        pieces, stacks = [], [self.code.co_stacksize]
        for position in sorted(sections):
            each = sections[position]
            found, stack = self._pieces(position, each.parts, each.kinds)
            pieces += [self._entered(position, each.kinds), *found]
            stacks.append(stack)
        return pieces, max(stacks)

    def _pieces(self, position: int | None, parts: Parts, kinds: str) -> tuple[list[list[Item]], int]:
        """The code of a section's parts, or of the prologue's, and the stack that it needs."""
        found = [self._piece(position, text, kinds) for text in parts]
        return [items for items, _ in found], max(stack for _, stack in found)

    def _piece(self, position: int | None, text: str, kinds: str) -> tuple[list[Item], int]:
        if (position, text) not in self.pieces:
            template = _template(self._source(text, position, kinds))
            lines = list(self._left(template, position, kinds))
            if position is None:
                line = InstrLocation(self.code.co_firstlineno, self.code.co_firstlineno, 0, 0)
                encoded = self.tables.piece((each for each in lines if each is not _OUTSIDE), line)
            else:
                encoded = self._inside(position, self._checked(lines))
            self.pieces[position, text] = encoded, template.stack + len(kinds)
        return self.pieces[position, text]

    def _inside(self, position: int, lines: Iterable[Any]) -> list[Item]:
        """The code of instructions of a section, under the handler that the body has at its position."""
        where, region = self.around[position]
        return self.tables.piece(_under(region, lines), where or NOWHERE)

    def _entered(self, position: int, kinds: str) -> list[Item]:
        """The start of a section: its label, and copies of the stack's slots."""
        copies: list[Any] = []
        for slot, kind in enumerate(kinds):
            if kind == "v":
                copies += [Instr("COPY", len(kinds) - slot), Instr("STORE_FAST", STACK.format(slot))]
        return [self._section_label(position), *self._inside(position, copies)]

    def _checked(self, lines: list[Any]) -> Iterator[Any]:
        """The instructions such that a variable of the body that is unbound raises: the text took it for an argument.

        Since 3.12 a plain load of such a variable gives NULL, and CPython crashes."""
        if "LOAD_FAST_CHECK" not in dis.opmap:
            yield from lines
            return
        for each in lines:
            loads = isinstance(each, Instr) and each.name in _LOADS
            names = (each.arg if isinstance(each.arg, tuple) else (each.arg,)) if loads else ()
            mine = [str(name) for name in names if not str(name).startswith(_OURS)]
            if not mine or any(name in self.code.co_cellvars for name in mine):
                yield each
                continue
            for one, name in zip(PAIRS.get(each.name, (each.name,)), names, strict=True):
                check = one == "LOAD_FAST" and name in mine
                yield Instr("LOAD_FAST_CHECK" if check else one, name)

    def _left(self, template: _Template, position: int | None, kinds: str) -> Iterator[Any]:
        """The instructions of a part, with what stands for leaving it made real. Its last instruction may be left out.

        A jump to the next part that stands before it is none.
        """
        behind = Label()
        held: Any = None
        for each in self._replaced(template, position, kinds, behind):
            if held is not None:
                yield held
            held = each
        if not (isinstance(held, Instr) and held.arg is behind):
            yield held
        yield behind

    def _replaced(self, template: _Template, position: int | None, kinds: str, behind: Label) -> Iterator[Any]:
        pending: Instr | None = None
        for each in template.instructions(len(kinds)):
            if isinstance(each, Instr) and isinstance(each.arg, FreeVar) and each.arg.name in self.code.co_cellvars:
                each = Instr(each.name, CellVar(each.arg.name))
            if pending is not None:
                if isinstance(each, Instr) and each.name == "RETURN_VALUE":
                    yield from self._leave(str(pending.arg), position, kinds, template.ours, behind)
                    pending = None
                    continue
                if pending.arg == DROP:
                    yield from _emptied(kinds)
                    pending = None
                    continue
                yield pending
                pending = None
            if isinstance(each, Instr) and isinstance(each.arg, str) and each.arg.startswith(_OURS):
                if each.name == "RETURN_CONST":
                    yield from self._leave(each.arg, position, kinds, template.ours, behind)
                    continue
                if each.name == "LOAD_CONST":
                    pending = each
                    continue
            yield each

    def _leave(self, constant: str, position: int | None, kinds: str, ours: list[str], behind: Label) -> Iterator[Any]:
        if constant == NEXT:
            yield Instr("JUMP_FORWARD", behind)
        elif constant == GO_ON:
            yield from (_OUTSIDE, Instr("JUMP_FORWARD" if position is None else _BACK, self.on))
        elif constant == HIDE:
            yield Instr(_BACK, self.hidden)
        elif constant == BODY:
            yield from self._to_body(position, kinds)
        elif constant == RAISE:
            yield from (_OUTSIDE, Instr("LOAD_FAST", RESULT), Instr("RERAISE", 0))
        else:
            assert constant.startswith(GO), constant
            yield _OUTSIDE
            yield from self._move(read_move(constant), position, kinds, ours)

    def _to_body(self, position: int | None, kinds: str) -> Iterator[Any]:
        if position is None:
            yield Instr("JUMP_FORWARD", self.start_of_body)
        else:
            yield from _cleared(_slots(kinds))
            yield _OUTSIDE
            yield Instr(_BACK, self.place(position))

    def _move(self, move: Move, position: int | None, kinds: str, ours: list[str]) -> Iterator[Any]:
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
        yield from _cleared(list(dict.fromkeys([*_slots(kinds), *ours])))
        jump = "JUMP_FORWARD" if position is None else "JUMP_BACKWARD_NO_INTERRUPT"
        yield Instr(jump, self.place(move.position))

    def _source(self, text: str, position: int | None, kinds: str) -> str:
        """The text as a function in a function, whose variables are those of the body."""
        code = self.code
        cells = code.co_cellvars if position is not None else ()
        free = [*cells, *code.co_freevars, STATE]
        own = [*local_names(code), POOL, RESULT]
        if position is not None:
            own += [*code.co_varnames, *_slots(kinds)]
        parameters = ", ".join(dict.fromkeys(name for name in own if name not in cells and name.isidentifier()))
        body = "\n".join("        " + line for line in text.splitlines())
        nonlocal_ = f"        nonlocal {', '.join(cells)}\n" if cells else ""
        return f"def outer():\n    {' = '.join(free)} = None\n    def entry({parameters}):\n{nonlocal_}{body}\n"


def _surroundings(instructions: list[Any]) -> Iterator[tuple[InstrLocation | None, TryBegin | None]]:
    region: TryBegin | None = None
    for each in instructions:
        if isinstance(each, TryBegin):
            region = each
        elif isinstance(each, TryEnd):
            region = None
        elif isinstance(each, Instr):
            yield each.location, region


def _emptied(kinds: str) -> Iterator[Any]:
    """Puts None into the slots of the stack that hold objects."""
    yield _OUTSIDE
    for slot, kind in enumerate(kinds):
        if kind == "v":
            yield from (Instr("LOAD_CONST", None), Instr("SWAP", len(kinds) - slot + 1), Instr("POP_TOP"))


def _slots(kinds: str) -> list[str]:
    """The variables that hold the objects on the stack."""
    return [STACK.format(slot) for slot, kind in enumerate(kinds) if kind == "v"]


class _Template:
    """The instructions of compiled entry code, to be copied into one code object after another."""

    def __init__(self, source: str) -> None:
        namespace = compile(source, "<guards>", "exec")
        outer = next(const for const in namespace.co_consts if isinstance(const, types.CodeType))
        code = next(const for const in outer.co_consts if isinstance(const, types.CodeType))
        self.stack = code.co_stacksize
        self.ours = [each for each in code.co_varnames if each.startswith(_OURS)]
        code = code.replace(co_linetable=b"")  # where it is put says what it is from
        found = Bytecode.from_code(code, conserve_exception_block_stackdepth=True)
        self._parts = [
            each for each in found if not (isinstance(each, Instr) and each.name in ("RESUME", "COPY_FREE_VARS"))
        ]

    def instructions(self, depth: int) -> Iterator[Any]:
        """They themselves, for a place where the stack is `depth` slots high; those with labels are copies."""
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


_template = functools.lru_cache(maxsize=16)(_Template)
"""The same part is put together twice in a row: for the call that it is made for, and for all that follow."""


class _Outside:
    """Marks where the handlers of the body stop to apply."""


_OUTSIDE = _Outside()


def _cleared(names: list[str]) -> Iterator[Any]:
    """Unbinds variables, bound or not."""
    for name in names:
        yield Instr("PUSH_NULL")
        yield Instr("STORE_FAST", name)


def _under(region: TryBegin | None, lines: Iterable[Any]) -> Iterator[Any]:
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
