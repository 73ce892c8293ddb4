"""Facts about positions in bytecode: where control goes from them, what lies on the stack, what is read later."""

from __future__ import annotations

import functools
import types
from collections.abc import Collection

from bytecode import Instr, Label
from bytecode.instr import CellVar, FreeVar, TryBegin, TryEnd

from ...core.records import dataclass
from ...guards.disassembler import bound_loads, disassemble
from .decode import decoded_argument, decoded_name
from .opcode_table import TABLE, traits_of
from .versions import current

VALUE, NULL, MAYBE, INNER, RECEIVER, BOUND = "vnmerb"
"""The kinds of stack slots: one holds an object, NULL, one of the two, what is the interpreter's own, or an object that
is rarely missing (NULL): compiled code takes over only where it is there. BOUND is NULL beside a method that was bound
for a call, where CPython may push a receiver instead.

The interpreter's own are an exception being handled, and a cell or a code object on its way into a function.
"""


@dataclass(frozen=True, slots=True)
class Flow:
    """Facts by position, where a position counts the instructions of `bytecode.decode`.

    successors: where control may go from it, exceptions left out.
    shapes:     the kinds of the stack's slots before the instruction, deepest first; None where they are not known.
    live:       the local variables that may be read from there on before they are bound anew.
    handlers:   where an exception goes that is raised there; None where it leaves the function.
    handling:   how many exceptions the interpreter holds as being handled.
    """

    names: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]
    shapes: tuple[str | None, ...]
    live: tuple[frozenset[str], ...]
    handlers: tuple[int | None, ...]
    handling: tuple[int, ...]

    def first_of_call(self, position: int) -> int:
        """The beginning of the call at `position`: the instructions that only prepare it."""
        while position and traits_of(self.names[position - 1]).prepares_call:
            position -= 1
        return position

    def last_of_call(self, position: int) -> int:
        """The position of the call itself whose preparation may begin at `position`."""
        while traits_of(self.names[position]).prepares_call:
            position += 1
        return position

    def last_of_split(self, position: int) -> int:
        """The last instruction that CPython runs at a split: of a class statement that begins there, its call."""
        shape = self.shapes[position]
        if not traits_of(self.names[position]).begins_call or shape is None:
            return self.last_of_call(position)
        for at in range(position, len(self.names) - 1):
            after = self.shapes[at + 1]
            if traits_of(self.names[at]).calls and after is not None and len(after) <= len(shape) + 1:
                return at
        return position

    def resumptions(self, position: int, unbound: int | None = None) -> tuple[int, ...]:
        """The positions to take up evaluation at, after the instruction at `position` has been run by CPython.

        Past what is not worth it (a jump, a store of the result) or not possible (a stack slot that may be NULL, an
        exception that is being handled).
        unbound: the lower slot of the method that `position` loads, if it must not be bound.
        """
        handler = self.handlers[position]
        ways = [*self.successors[position], *(() if handler is None else (handler,))]
        return self._resumable(ways, set(), unbound)

    def behind(self, inside: Collection[int]) -> tuple[int, ...]:
        """The positions to take up evaluation at, after the instructions of a loop, all of which CPython runs."""
        ways = {
            each for place in inside for each in (*self.successors[place], self.handlers[place]) if each is not None
        }
        return self._resumable(sorted(ways - set(inside)), set(inside))

    def _resumable(self, waiting: list[int], seen: set[int], unbound: int | None = None) -> tuple[int, ...]:
        found: list[int] = []
        while waiting:
            at = waiting.pop()
            if at in seen or self._only_returns(at):
                continue
            seen.add(at)
            shape = self.shapes[at]
            if shape is None:
                continue
            bound = unbound is not None and BOUND in shape[unbound : unbound + 2]
            if self._can_resume(at, shape) and not bound:
                found.append(at)
            else:
                waiting += self.successors[at]
        return tuple(sorted(found))

    def _can_resume(self, position: int, shape: str) -> bool:
        prepared = position and traits_of(self.names[position - 1]).prepares_call
        passed = not traits_of(self.names[position]).resume or prepared or self.handling[position]
        return not passed and set(shape) <= {VALUE, NULL, RECEIVER, BOUND}

    def _only_returns(self, position: int) -> bool:
        traits = [traits_of(name) for name in self.names[position : position + 2]]
        return traits[0].returns or traits[0].loads and traits[-1].returns


@dataclass(frozen=True, slots=True)
class _Handler:
    position: int
    depth: int
    push_lasti: bool


@functools.lru_cache(maxsize=256)
def flow_of(code: types.CodeType) -> Flow:
    """The facts about a code object."""
    kept: list[Instr] = []
    handlers: list[TryBegin | None] = []
    places: dict[Label, int] = {}
    region: TryBegin | None = None
    for each in disassemble(code):
        if isinstance(each, Label):
            places[each] = len(kept)
        elif isinstance(each, TryBegin):
            region = each
        elif isinstance(each, TryEnd):
            region = None
        elif isinstance(each, Instr):
            kept.append(each)
            handlers.append(region)
    targets = [places[each.arg] if isinstance(each.arg, Label) else None for each in kept]
    caught = [None if each is None else _handler(each, places) for each in handlers]
    successors = [_successors(kept, targets, place) for place in range(len(kept))]
    return Flow(
        tuple(map(decoded_name, kept)),
        tuple(successors),
        tuple(_shapes(code, kept, targets, successors, caught)),
        tuple(_live(code, kept, successors, caught)),
        tuple(None if each is None else each.position for each in caught),
        tuple(_handling(kept, successors, caught)),
    )


def _handler(region: TryBegin, places: dict[Label, int]) -> _Handler:
    assert isinstance(region.target, Label) and isinstance(region.stack_depth, int)
    return _Handler(places[region.target], region.stack_depth, region.push_lasti)


def _successors(kept: list[Instr], targets: list[int | None], place: int) -> tuple[int, ...]:
    instruction, target = kept[place], targets[place]
    if instruction.is_final() and target is None:
        return ()
    if target is None:
        return (place + 1,) if place + 1 < len(kept) else ()
    if instruction.is_uncond_jump():
        return (target,)
    if traits_of(decoded_name(instruction)).iterates:
        target += current().exhausted_skips
    return (place + 1, target)


def _shapes(
    code: types.CodeType,
    kept: list[Instr],
    targets: list[int | None],
    successors: list[tuple[int, ...]],
    caught: list[_Handler | None],
) -> list[str | None]:
    shapes: list[str | None] = [None] * len(kept)
    shapes[0] = ""
    bound = bound_loads(kept)
    waiting = [0]
    while waiting:
        place = waiting.pop()
        shape = shapes[place]
        assert shape is not None
        leading = [(each, _after(code, kept[place], shape, each != place + 1)) for each in successors[place]]
        if place in bound:
            leading = [
                (each, found and shape[:-1] + found[len(shape) - 1 :].replace(MAYBE, BOUND)) for each, found in leading
            ]
        handler = caught[place]
        if handler is not None and len(shape) >= handler.depth:
            inner = INNER * (2 if handler.push_lasti else 1)
            leading.append((handler.position, shape[: handler.depth] + inner))
        for at, found in leading:
            if found is None:
                continue
            merged = _merged(shapes[at], found)
            if merged != shapes[at]:
                shapes[at] = merged
                waiting.append(at)
    return shapes


_DEEPEST = 32


def _handling(kept: list[Instr], successors: list[tuple[int, ...]], caught: list[_Handler | None]) -> list[int]:
    """For each instruction, how many exceptions are being handled before it.

    What ends the handling of one exception may lie in the range of an outer handler, but raises nothing: the outer one
    never begins while the inner one's exception is being handled.
    """
    found = [-1] * len(kept)
    found[0] = 0
    waiting = [0]
    while waiting:
        place = waiting.pop()
        now, handler = found[place], caught[place]
        traits = traits_of(decoded_name(kept[place]))
        leading = [(each, now + traits.handling) for each in successors[place]]
        if handler is not None and not traits.handling and traits.rearranges is None:
            leading.append((handler.position, now))
        for at, count in leading:
            if found[at] < count < _DEEPEST:
                found[at] = count
                waiting.append(at)
    return [max(each, 0) for each in found]


def _merged(known: str | None, found: str) -> str:
    if known is None or len(known) != len(found):
        return found if known is None else known
    return "".join(a if a == b else (INNER if INNER in (a, b) else MAYBE) for a, b in zip(known, found, strict=True))


def _after(code: types.CodeType, instruction: Instr, shape: str, jumps: bool) -> str | None:
    """The stack's kinds after an instruction; None when they are not known."""
    entry, arg = TABLE.get(decoded_name(instruction)), decoded_argument(instruction)
    if entry is None:
        return None
    if entry.iterates and jumps:
        return shape[: -current().iterator_slots]
    if entry.rearranges is not None:
        slots = list(shape)
        entry.rearranges(slots, arg)
        return "".join(slots)
    effect = entry.jump if jumps else entry.effect
    popped = effect.popped(arg)
    if popped > len(shape):
        return None
    is_inner = isinstance(arg, (types.CodeType, CellVar, FreeVar)) or entry.variables and arg in code.co_cellvars
    if entry.loads and is_inner or entry.gathers and INNER in shape[len(shape) - popped :]:
        pushed = INNER
    else:
        pushed = "".join(_KINDS.get(group.name, VALUE) * group.size(arg) for group in effect.pushes)
    return shape[: len(shape) - popped] + pushed


_KINDS = {"null": NULL, "maybe": MAYBE, "inner": INNER, "receiver": RECEIVER}
"""The kinds of slots that have these names in stack effects."""


def _live(
    code: types.CodeType,
    kept: list[Instr],
    successors: list[tuple[int, ...]],
    caught: list[_Handler | None],
) -> list[frozenset[str]]:
    # In 3.11 `super()` looks for the first argument in the frame itself.
    always = frozenset(code.co_varnames[:1]) if "super" in code.co_names else frozenset()
    live = [always] * len(kept)
    before: list[list[int]] = [[] for _ in kept]
    for place, following in enumerate(successors):
        handler = caught[place]
        for each in (*following, *(() if handler is None else (handler.position,))):
            before[each].append(place)
    effects = [_reads_and_binds(each) for each in kept]
    waiting = list(range(len(kept)))
    while waiting:
        place = waiting.pop()
        reads, binds = effects[place]
        out = frozenset[str]().union(*(live[each] for each in successors[place]))
        handler = caught[place]
        kept_on_error = live[handler.position] if handler is not None else frozenset[str]()
        found = reads | (out - binds) | kept_on_error | always
        if found != live[place]:
            live[place] = found
            waiting += before[place]
    return live


def _reads_and_binds(instruction: Instr) -> tuple[frozenset[str], frozenset[str]]:
    traits, arg = traits_of(decoded_name(instruction)), instruction.arg
    read, bound = traits.used(arg, "read", "take", "delete"), traits.used(arg, "bind", "take", "delete")
    reads = frozenset(each for each in read if isinstance(each, str))  # of cells nothing is known here
    return reads - frozenset(traits.binds(arg)), frozenset(each for each in bound if isinstance(each, str))
