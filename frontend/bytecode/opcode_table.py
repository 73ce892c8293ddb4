"""The table of opcodes. A handler is a free function; its entry says the stack effect, and the table pops and pushes.

``left right -- result`` names the values popped, deepest first, then those pushed. A name with brackets stands for
several: ``items[arg] -- list`` pops `arg` values as one list; any Python expression of the instruction's argument may
stand there. A leading ``*`` marks a handler that works the stack itself; what it declares is checked all the same.
`jump` is the effect of a conditional jump that is taken, where that differs. A slot named `null` holds NULL, one named
`maybe` an object or NULL, one named `receiver` one that is seldom NULL, and one named `inner` what is the interpreter's
own (see `dataflow`).

What else is to be known of an instruction are its traits: a declaration states them, and whoever reads bytecode asks
for them. So no other file names the instructions that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from ...core.records import dataclass
from ..breaks import BreakKind
from .versions import current

Count = Callable[[Any], int]


ITERATOR = "iterator" + " null" * (current().iterator_slots - 1)
"""The slots that a loop, or a `yield from`, keeps while it runs, in stack effects."""
_GROUPS = re.compile(r"(\w+)(?:\[(.*?)\](?=\s|$))?")


@dataclass(frozen=True, slots=True)
class StackGroup:
    """A name in a stack effect. `count` gives how many values it stands for, from the argument; None for one."""

    name: str
    count: Count | None

    def size(self, arg: Any) -> int:
        return 1 if self.count is None else int(self.count(arg))


@dataclass(frozen=True, slots=True)
class StackEffect:
    """The values that an instruction pops and pushes."""

    pops: tuple[StackGroup, ...]
    pushes: tuple[StackGroup, ...]

    def popped(self, arg: Any) -> int:
        """The number of values that it takes off the stack."""
        return sum(group.size(arg) for group in self.pops)

    def net(self, arg: Any) -> int:
        """The height that the stack gains."""
        return sum(group.size(arg) for group in self.pushes) - self.popped(arg)


def parse_effect(text: str) -> StackEffect:
    """The effect written as ``popped -- pushed``."""
    before, _, after = text.partition("--")
    return StackEffect(*(tuple(map(_group, _GROUPS.findall(side))) for side in (before, after)))


def _group(found: tuple[str, str]) -> StackGroup:
    name, count = found
    return StackGroup(name, eval(f"lambda arg: {count}") if count else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Facts about an instruction that its effect on the stack does not tell.

    Where control goes:
    jumps:          it may go on at its argument; so do all that have `jumps_if` or `iterates`.
    jumps_if:       of a jump that asks something: the answer at which it jumps.
    iterates:       it takes the next element of an iterator, and jumps where there is none.
    delegates:      it asks the iterator of a `yield from` for an element.
    returns:        the frame ends there, without an error.
    makes_generator: the call ends there, and the rest of the frame is the generator's.
    raises:         it is a `raise` statement; one that pops nothing raises again what is being handled.
    raises_again:   it raises an exception as it is, without its line in the traceback.
    handling:       by how many there are more exceptions being handled behind it.
    enters_context: it leaves what ends a `with` statement on the stack, below one slot more.
    resume:         compiled code may take over before it; not where Python would have done it as fast.

    What it does to values:
    asks:           what it asks of its operand (`truth`, `none`), or whether two are one (`identity`).
    negates:        it gives the opposite of what it asks.
    gives_bool:     whether it, with this argument, makes the bool that the jump behind it asks.
    calls:          it calls the deepest value that it pops or the one above, with those that follow.
    prepares_call:  it only prepares the call that follows.
    begins_call:    it pushes what a call will call whose arguments follow: of a class statement, as a rule.
    keys:           how many of its topmost operands say which elements of the one below it concerns.
    stores:         it stores to these elements.
    unpacks:        it takes the elements out of a sequence, one by one.
    needs_value:    Python raises an error if an operand is None.
    moves:          it does nothing but move values, into a tuple perhaps.
    gathers:        what it makes is the interpreter's own if that is so of an operand.
    rearranges:     what it does to the slots of the stack, whatever they hold, from them and its argument.
    reaches:        it changes what lies as deep below its operands as its argument says.
    in_region:      a region may hold it; what it does to objects other than arrays is refused where it happens.

    What it does to names:
    variables:      what becomes of each local variable in its argument: `read`, `bind`, `delete`, `take` (read, then
                    unbound); `cell` where it reads what a cell holds.
    loads:          it pushes a constant or a local variable, and cannot fail.
    attribute:      it loads the attribute that its argument names.
    global_names:   whether it reads (`read`) or changes (`change`) what global names stand for.
    """

    jumps: bool = False
    jumps_if: bool | None = None
    iterates: bool = False
    delegates: bool = False
    returns: bool = False
    makes_generator: bool = False
    raises: bool = False
    raises_again: bool = False
    handling: int = 0
    enters_context: bool = False
    resume: bool = True
    asks: Literal["", "truth", "none", "identity"] = ""
    negates: bool = False
    gives_bool: Callable[[Any], bool] | None = None
    calls: bool = False
    prepares_call: bool = False
    begins_call: bool = False
    keys: int = 0
    stores: bool = False
    unpacks: bool = False
    needs_value: bool = False
    moves: bool = False
    gathers: bool = False
    rearranges: Callable[[list[Any], int], None] | None = None
    reaches: bool = False
    in_region: bool = False
    variables: tuple[Literal["read", "bind", "delete", "take", "cell"], ...] = ()
    loads: bool = False
    attribute: bool = False
    global_names: Literal["", "read", "change"] = ""

    @property
    def may_jump(self) -> bool:
        """Whether its argument is a position."""
        return self.jumps or self.iterates or self.jumps_if is not None

    @property
    def branches(self) -> bool:
        """Whether it jumps or not as a value is true or false."""
        return self.jumps_if is not None and self.asks == "truth"

    @property
    def picks(self) -> bool:
        """Whether it gives one element."""
        return self.keys == 1 and not self.stores

    def used(self, arg: Any, *uses: str) -> list[Any]:
        """The local variables in its argument of which it makes one of these uses."""
        if not self.variables:
            return []
        args = (arg,) if len(self.variables) == 1 else arg
        return [each for use, each in zip(self.variables, args, strict=True) if use in uses]

    def reads(self, arg: Any) -> list[Any]:
        """The local variables that it loads."""
        return self.used(arg, "read", "take")

    def binds(self, arg: Any) -> list[Any]:
        """The local variables that it stores to."""
        return self.used(arg, "bind")


@dataclass(frozen=True, slots=True)
class Opcode(Traits):
    """One entry: the instruction's name, its effect (when it jumps, `jump`), what it does, and its traits."""

    name: str
    effect: StackEffect
    jump: StackEffect
    manual: bool
    handler: Callable[..., Any]

    @property
    def keeps(self) -> bool:
        """Whether a jump leaves what it asks on the stack."""
        return bool(self.jump.pushes)

    def pops(self, arg: Any) -> int:
        """The number of values that it takes off the stack."""
        return self.effect.popped(arg)

    def pushes(self, arg: Any) -> int:
        """The number of values that it puts on the stack."""
        return self.effect.net(arg) + self.effect.popped(arg)


TABLE: dict[str, Opcode] = {}

_NO_TRAITS = Traits()


def traits_of(name: str) -> Traits:
    """The traits of an instruction; none where it has no handler."""
    assert TABLE, "frontend.opcodes fills the table, and has to be imported before bytecode is read"
    return TABLE.get(name, _NO_TRAITS)


def opcode(
    *names: str, stack: str, jump: str = "", ends: BreakKind | None = None, **traits: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a handler under one or more names, with their traits.

    ends: the kind of the break that the handler always ends in; flow analysis knows what CPython does there.
    """
    if ends is not None:
        refuse(*names, kind=ends)
    effect = parse_effect(stack.lstrip("*"))
    taken = parse_effect(jump) if jump else effect

    def register(handler: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name not in TABLE, name
            TABLE[name] = Opcode(name, effect, taken, stack.startswith("*"), handler, **traits)
        return handler

    return register


REFUSED: dict[str, tuple[BreakKind, dict[str, object]]] = {}
"""The instructions that always end the trace: of which kind the break is, and its details where it has no handler."""


def refuse(*names: str, kind: BreakKind, **details: object) -> None:
    """Enters instructions that are known and have no handler."""
    for name in names:
        assert name not in REFUSED, name
        REFUSED[name] = kind, details
