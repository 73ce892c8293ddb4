"""The code objects of a jitted function: the prologue, the original body, and the resume sections behind it."""

# Note [Resume sections]
# A resume section begins with a copy of the stack's slots into variables, so the stack itself stays as it is while
# guards are evaluated: what handles an exception there finds it as the compiler of the body meant it. Only a
# `ResumeBody` changes it, and between its first and its last instruction nothing can raise.

from __future__ import annotations

import itertools
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bytecode import Instr, Label
from bytecode.instr import CellVar, InstrLocation, TryBegin, TryEnd

from .assembler import NOWHERE, CodeTables, Encoded, assemble
from .disassembler import as_run, bound_loads, disassemble
from .entry_code import (
    BOUND,
    CALL_TEXT,
    HIDDEN_CALL_TEXT,
    LEFT_TEXT,
    NULLS,
    RESULT_TEXT,
    STACK,
    TO_PLAIN,
    Parts,
    ResumeSection,
    slot_variables,
    slots_with_objects,
)
from .part_code import BACK, OUTSIDE, JumpTargets, PartCompiler, cleared, under_handler
from .sources import STATE

_FIRST_LOCAL = "__guardlift_taken__"
"""The first local variable of a function that has none of its own."""
_OF_EVERY_FUNCTION = (*CALL_TEXT, *HIDDEN_CALL_TEXT, *RESULT_TEXT, *LEFT_TEXT, TO_PLAIN)
_STALE = 32
"""Pieces no longer used after which all are encoded anew, so that the tables forget what only those referred to."""


class CodeObjectBuilder:
    """Builds the code objects of one jitted function.

    All of them have the free variables of `code` and the state cell after them.
    """

    def __init__(self, code: types.CodeType) -> None:
        self.code = code
        self.whole = list(disassemble(code))
        self.handlers = list(_locations_and_handlers(self.whole))
        """By position, the location of the body's instruction and the handler that it is under."""
        self.targets = JumpTargets()
        self._forget_pieces()

    def _forget_pieces(self) -> None:
        self.tables = CodeTables.of(self.code)
        self.bodies: dict[bool, list[tuple[Any, list[Encoded]]]] = {}
        """The body, by whether methods that wait for their arguments are bound. See `guards.disassembler`."""
        self.pieces: dict[tuple[int | None, str], tuple[list[Encoded], int]] = {}
        """By position (None for the prologue) and text: the encoded code, and the stack that it needs."""
        self.stale = 0

    # The code objects.
    def function(self, prologue: Parts, sections: Mapping[int, ResumeSection]) -> types.CodeType:
        """The jitted function: the prologue, the instructions of `code`, the sections by position."""
        kept = {(None, text) for text in (*prologue, *_OF_EVERY_FUNCTION)}
        self._keep_only(kept | {(position, text) for position, each in sections.items() for text in each.parts})
        head, needed = self._pieces(None, prologue, "")
        behind, stack = self._sections(sections)
        pieces = [*self._start(), *head, *self._calls(), *self._body(sections), *behind]
        made = self._assembled(pieces, self.code.co_cellvars, self.code.co_freevars)
        return made.replace(co_stacksize=max(needed, stack) + 4)

    def probe(self, prologue: Parts) -> types.CodeType:
        """The prologue, which must return, and an answer in the body's place."""
        head, needed = self._pieces(None, prologue, "")
        left, _ = self._pieces(None, LEFT_TEXT, "")
        pieces: list[list[Encoded]] = [
            self._plain(self._copies(), Instr("RESUME", 0)),
            *head,
            [self.targets.body],
            *left,
        ]
        return self._assembled(pieces, (), self.code.co_freevars).replace(co_stacksize=needed + 4)

    def resume_function(
        self, sections: Mapping[int, ResumeSection], position: int, bound: tuple[str, ...]
    ) -> types.CodeType:
        """A function that starts in the middle of the body. Its only argument is an iterator over a frame's state.

        That gives the cells of the function's own variables, the bound local variables, then the objects on the stack.
        """
        code = self.code
        behind, stack = self._sections(sections)
        unpacked = self._unpacked_state(sections[position].kinds, position, bound)
        pieces = [*self._start(), unpacked, *self._calls(), *self._body(sections, cells_made=True), *behind]
        made = self._assembled(pieces, code.co_cellvars, code.co_freevars)
        return made.replace(
            co_argcount=1,
            co_posonlyargcount=0,
            co_kwonlyargcount=0,
            co_flags=made.co_flags & ~0x0C,
            co_stacksize=stack + 4 + len(code.co_cellvars) + len(bound),
        )

    def _assembled(self, pieces: list[list[Encoded]], cells: tuple[str, ...], free: tuple[str, ...]) -> types.CodeType:
        return assemble(self.code, self.tables, pieces, cells, (*free, STATE))

    def _keep_only(self, keys: set[tuple[int | None, str]]) -> None:
        unused = [key for key in self.pieces if key not in keys]
        for key in unused:
            del self.pieces[key]
        self.stale += len(unused)
        if self.stale > _STALE:
            self._forget_pieces()

    # Their pieces.
    def _start(self) -> list[list[Encoded]]:
        """The start of code that may call newer code: the call that lies before its `RESUME`."""
        visible = Label()
        hidden, _ = self._pieces(None, HIDDEN_CALL_TEXT, "")
        return [
            self._plain(self._copies(), Instr("JUMP_FORWARD", visible)),
            [self.targets.hidden_call],
            *hidden,
            self._plain(Instr("JUMP_FORWARD", self.targets.result), visible, Instr("RESUME", 0)),
        ]

    def _calls(self) -> list[list[Encoded]]:
        """The call of newer code in sight, or the jump to the hidden one, and the code that takes the result."""
        call, _ = self._pieces(None, CALL_TEXT, "")
        result, _ = self._pieces(None, RESULT_TEXT, "")
        return [[self.targets.call], *call, [self.targets.result], *result]

    def _copies(self) -> Instr:
        return Instr("COPY_FREE_VARS", len(self.code.co_freevars) + 1)

    def _plain(self, *lines: Any) -> list[Encoded]:
        """The code of instructions that are from the function's first line."""
        return self.tables.encode(lines, InstrLocation(self.code.co_firstlineno, self.code.co_firstlineno, 0, 0))

    def _unpacked_state(self, kinds: str, position: int, bound: tuple[str, ...]) -> list[Encoded]:
        """The code that unpacks the argument of a resume function: the first local variable, whatever its name.

        A cell takes the place of one that is made there: where none is made, a frame shows the cell and not what it
        holds (CPython's frame_get_var), and were it a free variable, an unbound one would raise NameError.
        """
        slots, cells = slot_variables(kinds), self.code.co_cellvars
        first = [*self.tables.variables, _FIRST_LOCAL][0]
        if first not in bound:
            self.tables.variable(first)
        names = [*cells, *bound, *slots]
        pushes = [
            Instr("PUSH_NULL") if kind in NULLS else Instr("LOAD_FAST", STACK.format(slot))
            for slot, kind in enumerate(kinds)
        ]
        return [
            self.tables.numbered("LOAD_FAST", 0),
            *self.tables.encode(
                [
                    *cleared([first]),
                    *(Instr("MAKE_CELL", CellVar(name)) for name in cells),
                    Instr("UNPACK_SEQUENCE", len(names)),
                    *(Instr("STORE_FAST", name) for name in names),
                    *pushes,
                    *cleared(slots),
                    Instr("JUMP_FORWARD", self.targets.section(position)),
                ]
            ),
        ]

    def _body(self, sections: Mapping[int, ResumeSection], *, cells_made: bool = False) -> Iterator[list[Encoded]]:
        """The body's code, with jumps to the sections, and labels where they come back.

        cells_made: whether the function's cells are there already. A comprehension makes its own behind the `RESUME`.
        """
        yield [self.targets.body]
        begun, position = False, -1
        for each, encoded in self._encoded_body(any(BOUND in section.kinds for section in sections.values())):
            if isinstance(each, Instr):
                position += 1
                if position in sections:
                    jump = Instr("JUMP_FORWARD", self.targets.section(position), location=each.location)
                    yield self.tables.encode_each([jump])
                if position in self.targets.instructions:
                    yield [self.targets.instruction(position)]
                begun = begun or each.name == "RESUME"
                if each.name in ("COPY_FREE_VARS", "RESUME") or cells_made and each.name == "MAKE_CELL" and not begun:
                    continue
            yield encoded

    def _encoded_body(self, binds: bool) -> list[tuple[Any, list[Encoded]]]:
        if binds not in self.bodies:
            numbers, bound = itertools.count(), bound_loads(self.whole) if binds else ()
            self.bodies[binds] = [
                (each, self.tables.encode_each(as_run(each, isinstance(each, Instr) and next(numbers) in bound)))
                for each in self.whole
            ]
        return self.bodies[binds]

    def _sections(self, sections: Mapping[int, ResumeSection]) -> tuple[list[list[Encoded]], int]:
        """The code of the sections, and the stack that the body and they need."""
        pieces, stacks = [], [self.code.co_stacksize]
        for position in sorted(sections):
            each = sections[position]
            found, stack = self._pieces(position, each.parts, each.kinds)
            pieces += [self._start_of_section(position, each.kinds), *found]
            stacks.append(stack)
        return pieces, max(stacks)

    def _start_of_section(self, position: int, kinds: str) -> list[Encoded]:
        """The start of a section: its label, and copies of the stack's slots, once nothing is missing there."""
        lines: list[Any] = []
        for slot, kind in enumerate(kinds):
            if kind == "r":
                lines += _to_body_without(len(kinds) - slot, self.targets.instruction(position))
        for slot in slots_with_objects(kinds):
            lines += [Instr("COPY", len(kinds) - slot), Instr("STORE_FAST", STACK.format(slot))]
        return [self.targets.section(position), *self._in_section(position, lines)]

    def _in_section(self, position: int, lines: Iterable[Any]) -> list[Encoded]:
        """The code of instructions of a section, under the handler that the body has at its position."""
        location, handler = self.handlers[position]
        return self.tables.encode(under_handler(handler, lines), location or NOWHERE)

    def _pieces(self, position: int | None, parts: Parts, kinds: str) -> tuple[list[list[Encoded]], int]:
        """The code of a section's parts, or of the prologue's, and the stack that it needs."""
        found = [self._piece(position, text, kinds) for text in parts]
        return [encoded for encoded, _ in found], max(stack for _, stack in found)

    def _piece(self, position: int | None, text: str, kinds: str) -> tuple[list[Encoded], int]:
        """The code of one part, and the stack that it needs; kept for the next code object."""
        if (position, text) not in self.pieces:
            lines, stack = PartCompiler(self.code, self.targets, position, kinds).compile(text)
            if position is None:
                encoded = self._plain(*(each for each in lines if each is not OUTSIDE))
            else:
                encoded = self._in_section(position, lines)
            self.pieces[position, text] = encoded, stack
        return self.pieces[position, text]


def _to_body_without(depth: int, body: Label) -> Iterator[Any]:
    """The jump to the body where the slot so deep in the stack holds NULL, which `is` finds to be what NULL is."""
    present = Label()
    yield from (Instr("PUSH_NULL"), Instr("COPY", depth + 1), Instr("IS_OP", 0), Instr("POP_JUMP_IF_FALSE", present))
    yield from (Instr(BACK, body), present)


def _locations_and_handlers(instructions: list[Any]) -> Iterator[tuple[InstrLocation | None, TryBegin | None]]:
    """The location of each instruction, and the handler that it is under."""
    handler: TryBegin | None = None
    for each in instructions:
        if isinstance(each, TryBegin):
            handler = each
        elif isinstance(each, TryEnd):
            handler = None
        elif isinstance(each, Instr):
            yield each.location, handler
