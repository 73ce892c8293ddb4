"""Plans whose sizes are free: the words made of sizes are worked out natively at each call (`runner.symbolic_plan`)."""

# Note [Sized plans]
# A back end that is given sizes as symbols computes with them as with ints, and each question that it asks of them is
# a fact (`core.sizes`). So the table that it writes is right wherever these facts hold, once the words that are made
# of sizes have been worked out anew. What the guards of an entry ask of sizes, the strides of arguments and what the
# plan itself relied on are one list of facts in one table: there is no second text that could say something else.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from ....core.errors import KernelError
from ....core.once import once
from ....core.records import dataclass
from ....core.sizes import Facts, Size, Terms, symbol
from ..compiler.fixed_programs import LAUNCH_SIZED, obtain_program
from . import table_layout as at
from .builtin import PlanTable, runner
from .call_frames import join_list
from .cpython_api import MethodDefinition, check_layouts, new_builtin, object_address
from .encode_plan import encode
from .pinned_memory import pinned
from .plan import LaunchPlan, SizeInput
from .slot_offsets import slot_offset

_METH_FASTCALL = 0x0080
_LARGEST = 1 << 61
_CELLS = {np.dtype(np.float64): at.CELL_F64, np.dtype(np.float32): at.CELL_F32, np.dtype(np.int64): at.CELL_I64}


@dataclass(frozen=True, slots=True)
class SymbolSource:
    """The source from which a call takes the value of a symbol.

    argument: its number; -1 for the address of the table.   axis: of an array; -1 where the argument is an int.
    tensor: the type of the tensor whose array it is.
    unit: 0 for a size; for a stride, the bytes of which it counts so many, which may be negative.
    """

    argument: int
    axis: int = -1
    rank: int = 0
    tensor: type | None = None
    unit: int = 0


TABLE_ADDRESS = SymbolSource(-1)


@dataclass(frozen=True, slots=True)
class SizedCall:
    """The free sizes of a plan. sources: of their symbols, in order.   numbers: how many ints come last."""

    facts: Facts
    sources: tuple[SymbolSource, ...]
    numbers: int


def table_address(facts: Facts) -> Size:
    """The symbol for the address where a call has its table; it has to be the last one."""
    return symbol(facts, "the table", 1 << 30, low=1)


def can_be_cell(dtype: np.dtype[Any]) -> bool:
    """Whether a number of this dtype can be made of a size at each call."""
    return dtype in _CELLS


def build_sized(
    plan: LaunchPlan,
    call: SizedCall,
    lifted: Sequence[np.ndarray[Any, Any]] = (),
    owners: Sequence[object] = (),
    static: Sequence[np.ndarray[Any, Any]] = (),
) -> Callable[..., Any] | None:
    """The builtin that runs `plan` for all sizes that its facts allow; see `plan.build` for the rest.

    None where they allow one value of each symbol only. After the plan's arguments it takes the ints that are sizes.
    Errors: KernelError as there, and for a plan that is made of too many numbers.
    """
    check_layouts()
    words, pins = encode(plan, lifted, owners, None, static)
    *free, address = call.facts.are_known
    if address or all(free):
        return None
    tail = _Tail(call)
    given: list[Any] = words
    changing = [(position, word) for position, word in enumerate(given) if type(word) is Size]
    facts = call.facts
    for position, word in changing:
        words[position] = word.hint
    records: list[int] = []
    for position, word in changing:
        records += [position, *tail.sum(word.terms)]
    cells = 0
    for each in plan.inputs:
        if isinstance(each, SizeInput):
            records += [at.HEADER_WORDS + each.cell, _CELLS[each.dtype], *tail.sum(each.value.terms)]
            cells += 1
    asked = tail.facts()
    named = [object_address(each) for each in (int, np.ndarray)]
    if len(tail.made) + len(call.sources) > at.MOST_ATOMS:
        raise KernelError(f"a plan is made of {len(tail.made) + len(call.sources)} numbers; {at.MOST_ATOMS} may be")
    head = [0] * at.SIZED_FIRST
    head[at.SIZED_RUNNER] = runner().address
    head[at.SIZED_NUMBERS] = call.numbers
    head[at.SIZED_SYMBOLS] = len(call.sources)
    head[at.SIZED_ATOMS] = len(call.sources) + len(tail.made)
    head[at.SIZED_FACTS] = asked.count
    head[at.SIZED_WORDS] = len(changing)
    head[at.SIZED_CELLS] = cells
    head[at.SIZED_INT], head[at.SIZED_ARRAY] = named
    head[at.SIZED_LARGEST] = _LARGEST // max(1, tail.heaviest)
    words[at.SIZED] = len(words)
    for source in call.sources:
        head += _symbol_record(source)
    head += [word for record in tail.made for word in record] + asked.words + records
    facts.sealed = True
    table = np.array([*words, *head], dtype=np.int64).view(PlanTable)
    join_list(table)
    table.pins = (plan, *pinned((*lifted, *static)), *pins, *(each.tensor for each in call.sources))
    return new_builtin(_definition(), table)


def _symbol_record(source: SymbolSource) -> list[int]:
    tensor = source.tensor
    kind, slot = (object_address(tensor), slot_offset(tensor, "_array")) if tensor is not None else (0, 0)
    return [source.argument, source.axis, source.rank, kind, slot, source.unit]


@dataclass(slots=True)
class _Asked:
    words: list[int] = field(default_factory=list)
    count: int = 0


class _Tail:
    """Numbers that each call works out, while they are written. Sums are linear: a product of atoms is an atom too."""

    def __init__(self, call: SizedCall) -> None:
        self._facts = call.facts
        self._count = len(call.sources)
        self.made: list[list[int]] = []
        self.heaviest = 1
        """The largest sum of factors."""
        self._numbers: dict[tuple[int, ...], int] = {}
        given = iter(range(self._count))
        for place, atom in enumerate(self._facts.atoms):
            if atom.derived is None:
                self._numbers[(place,)] = next(given)
                continue
            operation, one, other = atom.derived
            kind = at.ATOM_QUOTIENT if operation == "//" else at.ATOM_REMAINDER
            self._numbers[(place,)] = self._make([kind, *self.sum(one), *self.sum(other)])

    def _make(self, record: list[int]) -> int:
        self.made.append(record)
        return self._count + len(self.made) - 1

    def _number(self, monomial: tuple[int, ...]) -> int:
        """The number of the atom that is this product."""
        if monomial not in self._numbers:
            one, other = self._number(monomial[:-1]), self._numbers[monomial[-1:]]
            self._numbers[monomial] = self._make([at.ATOM_PRODUCT, 0, 1, 1, one, 0, 1, 1, other])
        return self._numbers[monomial]

    def sum(self, terms: Terms) -> list[int]:
        """The words of a polynomial."""
        number = sum(factor for monomial, factor in terms if not monomial)
        pairs = [(factor, self._number(monomial)) for monomial, factor in terms if monomial]
        self.heaviest = max(self.heaviest, abs(number), sum(abs(factor) for factor, _ in pairs))
        return [number, len(pairs), *(word for pair in pairs for word in pair)]

    def facts(self) -> _Asked:
        """The facts, the ranges of symbols among them."""
        asked = _Asked()
        for number, place in enumerate(self._facts.symbols):
            atom = self._facts.atoms[place]
            asked.words += [atom.low, at.UNBOUNDED, 0, 0, 1, 1, number]
            asked.count += 1
        for terms, known in self._facts.relied.items():
            low = -at.UNBOUNDED if known.low is None else known.low
            high = at.UNBOUNDED if known.high is None else known.high
            others = sorted(known.not_among)
            asked.words += [low, high, len(others), *others, *self.sum(terms)]
            asked.count += 1
        return asked


@once
def _definition() -> MethodDefinition:
    """The one definition that all such plans share; builtins point to it, so it lives for ever."""
    return MethodDefinition(
        b"launch", obtain_program(LAUNCH_SIZED).address, _METH_FASTCALL, b"Run one launch plan for any sizes."
    )
