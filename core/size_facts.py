"""Facts that a trace relied on about its symbolic sizes: about polynomials, asked and answered in the traced call."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from .errors import SizeError
from .records import dataclass

LARGEST = 2**48
"""More elements than memory has; axes along which one element repeats may be longer, and are static then."""
Monomial = tuple[int, ...]
"""The numbers of the atoms that are multiplied, ascending; an atom comes once for each power."""
Terms = tuple[tuple[Monomial, int], ...]
"""Monomials in order, each with its factor, none of which is 0."""
Values = Sequence[int]
"""The values of the symbols, in the order in which they were made."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A symbol, or a quotient or remainder that is no polynomial. `low` and `high` bound its value; None: unbounded."""

    name: str
    hint: int
    low: int
    high: int | None
    derived: tuple[str, Terms, Terms] | None = None
    """The operation, ``//`` or ``%``, and its operands, of atoms before it; None for a symbol."""


@dataclass(slots=True)
class Range:
    """The facts relied on about one polynomial: the numbers it lies between (None: unbounded), and those it is not."""

    low: int | None = None
    high: int | None = None
    not_among: set[int] = field(default_factory=set)

    def holds(self, value: int) -> bool:
        """Whether a value is such."""
        if self.low is not None and value < self.low or self.high is not None and value > self.high:
            return False
        return value not in self.not_among

    def ask(self, value: Any) -> bool:
        """Whether a symbolic size is such; the trace relies on the answer then."""
        if self.low is not None and self.low == self.high:
            return bool(value == self.low)
        return (
            (self.low is None or bool(value >= self.low))
            and (self.high is None or bool(value <= self.high))
            and all(value != each for each in self.not_among)
        )


class Facts:
    """The facts that one trace knows and relied on about its sizes."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.symbols: list[int] = []
        """The atoms that are symbols."""
        self.relied: dict[Terms, Range] = {}
        """Ranges of polynomials without a number, whose factors have no common divisor and end in a positive one."""
        self.sealed = False
        """Whether the trace is over, so that nothing may be relied on any more."""
        self.here: Callable[[], object] | None = None
        """Says which line is being traced."""
        self.places: dict[Terms, object] = {}
        """The lines that made polynomials matter."""
        self.by_form = False
        """Whether keys are alike that are made of the same symbols in the same way, whatever the values."""
        self._derived: dict[tuple[str, Terms, Terms], Terms] = {}

    def symbol(self, name: str, hint: int, low: int = 2) -> Terms:
        """A new symbol, from `low` to `LARGEST`."""
        self.symbols.append(len(self.atoms))
        self.atoms.append(Atom(name, hint, low, LARGEST))
        return (((len(self.atoms) - 1,), 1),)

    @property
    def are_all_known(self) -> bool:
        """Whether the trace holds for one value of each symbol only."""
        return all(self.are_known)

    @property
    def are_known(self) -> list[bool]:
        """A mapping of each symbol to whether the trace holds for one value of it only."""
        return [low == high for low, high in map(self._range_of, self.symbols)]

    def hint_of(self, terms: Terms) -> int:
        """The value of a polynomial in the traced call."""
        return self.value_of(terms, [atom.hint for atom in self.atoms])

    def is_zero(self, terms: Terms) -> bool:
        """Whether the polynomial is 0."""
        rest, number, factor = self._reduced(terms)
        if not rest or number % factor:
            return not rest and number == 0
        wanted = -number // factor
        low, high = self._range(rest)
        known = self.relied.get(rest)
        if low == high == wanted:
            return True
        below = low is not None and wanted < low
        if below or high is not None and wanted > high or known is not None and wanted in known.not_among:
            return False
        outcome = self.hint_of(rest) == wanted
        known = self._rely(rest)
        if outcome:
            known.low = known.high = wanted
        elif wanted == low:
            known.low = wanted + 1
        elif wanted == high:
            known.high = wanted - 1
        else:
            known.not_among.add(wanted)
        return outcome

    def is_negative(self, terms: Terms) -> bool:
        """Whether the polynomial is below 0."""
        rest, number, factor = self._reduced(terms)
        if not rest:
            return number < 0
        low, high = self._range(rest)
        if factor > 0:  # rest <= most
            most = -(number // factor) - 1
            if high is not None and high <= most or low is not None and low > most:
                return high is not None and high <= most
            outcome = self.hint_of(rest) <= most
            least = most + 1
        else:  # rest >= least
            least = number // -factor + 1
            if low is not None and low >= least or high is not None and high < least:
                return low is not None and low >= least
            outcome = self.hint_of(rest) >= least
            most = least - 1
        known = self._rely(rest)
        if outcome is (factor > 0):
            known.high = most
        else:
            known.low = least
        return outcome

    def _reduced(self, terms: Terms) -> tuple[Terms, int, int]:
        """The polynomial as `factor * rest + number`, without what divides all of it: it is compared with 0."""
        while terms and terms[0][0]:
            common = next((atom for atom in terms[0][0] if all(atom in each for each, _ in terms)), None)
            if common is None or self.atoms[common].low < 1:
                break
            terms = tuple(sorted((_without(monomial, common), factor) for monomial, factor in terms))
        number = terms[0][1] if terms and not terms[0][0] else 0
        rest = tuple(term for term in terms if term[0])
        factor = math.gcd(*(factor for _, factor in rest)) * (-1 if rest and rest[-1][1] < 0 else 1)
        return tuple((monomial, each // factor) for monomial, each in rest), number, factor

    def _rely(self, terms: Terms) -> Range:
        if self.sealed:
            raise SizeError(f"the trace is over, and did not ask for {self.text_of(terms)}")
        if self.here is not None and terms not in self.places:
            self.places[terms] = self.here()
        return self.relied.setdefault(terms, Range())

    def place_of(self, words: str) -> object:
        """The line that made a fact matter, which is given in words; None where nobody noted it."""
        return next((self.places.get(terms) for terms in self.relied if self.words(terms) == words), None)

    def why_known(self) -> str:
        """The fact that leaves one value for a symbol, in words, with the line that made it matter; empty for none."""
        for symbol in self.symbols:
            terms: Terms = (((symbol,), 1),)
            if terms in self.relied and self.relied[terms].low == self.relied[terms].high:
                where = self.places.get(terms)
                return f"`{self.words(terms)}` is relied on" + (f" at {where}" if where else "")
        return ""

    def _range(self, terms: Terms) -> tuple[int | None, int | None]:
        """Between which numbers the polynomial lies, by its symbols and by what was relied on."""
        low, high = self._bounds(terms)
        known = self.relied.get(terms)
        if known is not None:
            low = known.low if low is None or known.low is not None and known.low > low else low
            high = known.high if high is None or known.high is not None and known.high < high else high
        return low, high

    def _bounds(self, terms: Terms) -> tuple[int | None, int | None]:
        """Between which numbers the polynomial lies by its symbols; None where there is no bound."""
        low: int | None = 0
        high: int | None = 0
        for monomial, factor in terms:
            least, most = _product([self._range_of(atom) for atom in monomial])
            down, up = (least, most) if factor > 0 else (most, least)
            low = None if low is None or down is None else low + factor * down
            high = None if high is None or up is None else high + factor * up
        return low, high

    def _range_of(self, atom: int) -> tuple[int, int | None]:
        low, high = self.atoms[atom].low, self.atoms[atom].high
        known = self.relied.get((((atom,), 1),))
        if known is not None:
            low = low if known.low is None else max(low, known.low)
            high = high if known.high is None else known.high if high is None else min(high, known.high)
        return low, high

    def derived(self, operation: str, one: Terms, other: Terms) -> Terms:
        """A quotient (``//``) or remainder (``%``) as an atom of its own; both operands 0 or more, the second above."""
        key = (operation, one, other)
        if key not in self._derived:
            operands = (f"({text})" if " " in text else text for text in map(self.text_of, (one, other)))
            name = f" {operation} ".join(operands)
            high = self._bounds(one if operation == "//" else other)[1]
            hint = _DERIVED[operation](self.hint_of(one), self.hint_of(other))
            high = high if operation == "//" or high is None else high - 1
            self.atoms.append(Atom(name, hint, 0, high, key))
            self._derived[key] = (((len(self.atoms) - 1,), 1),)
        return self._derived[key]

    def known_by_others(self) -> dict[int, tuple[int | None, int]]:
        """The symbols that facts make known: each is so much more than an earlier symbol, or than 0 (None)."""
        found: dict[int, tuple[int | None, int]] = {}
        for terms, known in self.relied.items():
            atoms = [atom for monomial, _ in terms for atom in monomial]
            factors = [factor for _, factor in terms]
            if known.low is None or known.low != known.high or any(self.atoms[each].derived for each in atoms):
                continue
            if factors == [1] and len(atoms) == 1:
                found[atoms[0]] = None, known.low
            elif factors == [-1, 1] and len(atoms) == 2 and atoms[1] not in found:
                found[atoms[1]] = atoms[0], known.low
        return found

    # Other calls.
    def atom_values(self, values: Values) -> list[int]:
        """The value of every atom, where the symbols have these values."""
        given = iter(values)
        found: list[int] = []
        for atom in self.atoms:
            if atom.derived is None:
                found.append(next(given))
            else:
                operation, one, other = atom.derived
                found.append(_DERIVED[operation](self.value_of(one, found), self.value_of(other, found)))
        return found

    def value_of(self, terms: Terms, atoms: Sequence[int]) -> int:
        """The value of a polynomial."""
        return sum(factor * math.prod([atoms[atom] for atom in monomial]) for monomial, factor in terms)

    def broken(self, values: Values) -> str:
        """The first fact, in words, that does not hold for these symbols; empty when all do."""
        for symbol, value in zip(self.symbols, values, strict=True):
            atom = self.atoms[symbol]
            if not atom.low <= value <= LARGEST:
                return f"{atom.low} <= {atom.name} <= {LARGEST}"
        try:
            atoms = self.atom_values(values)
        except ZeroDivisionError:
            return "every divisor is at least 1"
        for terms, known in self.relied.items():
            if not known.holds(self.value_of(terms, atoms)):
                return self.words(terms)
        return ""

    # Words.
    def words(self, terms: Terms) -> str:
        """The facts relied on about a polynomial, as one would write them: ``x.shape[0] == y.shape[0]``."""
        known = self.relied[terms]
        left = self.text_of(tuple(term for term in terms if term[1] > 0))
        below = tuple((monomial, -factor) for monomial, factor in terms if factor < 0)

        def right(number: int) -> str:
            return self.text_of((*below, *([((), number)] if number else [])))

        if known.low is not None and known.low == known.high:
            return f"{left} == {right(known.low)}"
        found = []
        if known.low is not None:
            found.append(f"{left} > {right(0)}" if below and known.low == 1 else f"{left} >= {right(known.low)}")
        if known.high is not None:
            found.append(f"{left} < {right(0)}" if below and known.high == -1 else f"{left} <= {right(known.high)}")
        found += [f"{left} != {right(number)}" for number in sorted(known.not_among) if self._is_news(known, number)]
        return " and ".join(found)

    @staticmethod
    def _is_news(known: Range, number: int) -> bool:
        return (known.low is None or number >= known.low) and (known.high is None or number <= known.high)

    def text_of(self, terms: Terms) -> str:
        """A polynomial as text."""
        parts = []
        for monomial, factor in sorted(terms, key=lambda term: (-len(term[0]), term[0])):
            names = [self.atoms[atom].name for atom in monomial]
            names = [f"({name})" if " " in name and len(terms) + len(names) > 2 else name for name in names]
            parts.append("*".join([*([] if factor == 1 and names else [str(factor)]), *names]))
        return " + ".join(parts).replace("+ -", "- ") or "0"


def _product(ranges: list[tuple[int, int | None]]) -> tuple[int | None, int | None]:
    """Between which numbers a product lies whose factors lie between these."""
    if len(ranges) > 1 and any(low < 0 for low, _ in ranges):
        if any(high is None for _, high in ranges):
            return None, None
        least, most = 1, 1
        for low, high in ranges:
            assert high is not None
            ends = (least * low, least * high, most * low, most * high)
            least, most = min(ends), max(ends)
        return least, most
    if any(high is None for _, high in ranges):
        return math.prod(low for low, _ in ranges), None
    return math.prod(low for low, _ in ranges), math.prod(high or 0 for _, high in ranges)


_DERIVED: dict[str, Callable[[int, int], int]] = {"//": operator.floordiv, "%": operator.mod}


def _without(monomial: Monomial, atom: int) -> Monomial:
    place = monomial.index(atom)
    return (*monomial[:place], *monomial[place + 1 :])
