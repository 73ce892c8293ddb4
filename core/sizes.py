"""Symbolic sizes: whole numbers that are known in the traced call only, and the facts that a trace relied on of them.

A `Size` is a polynomial over symbols, each the size of an argument along one axis. Its *hint* is its value in the
traced call. Arithmetic gives sizes again. Every question about one (a comparison, its truth, its value) is answered
from the hint, and the answer is kept in `Facts` unless it can be proved. So whoever computes with sizes as with ints,
not knowing them, stays right: where the same facts hold, the same code takes the same way.
"""

# Note [Sizes]
# A trace over sizes is a trace for every call in which its facts hold. What asks for a value as an int (`range(size)`,
# NumPy, a key in a dict, text) relies on that very value: the fact is `size == 5`, and the trace is as good as a static
# one. To serve more calls is a matter of asking less, never of soundness. Symbols are 2 or more: 0 and 1 mean something
# else in NumPy, and are static.

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from .records import dataclass
from .size_facts import LARGEST, Facts, Monomial, Terms

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class Size:
    """A whole number that other calls have another of. See Note [Sizes]."""

    __array_ufunc__ = None
    __guardlift_number__ = int
    __slots__ = ("facts", "hint", "terms")

    def __init__(self, facts: Facts, terms: Terms, hint: int) -> None:
        self.facts = facts
        self.terms = terms
        self.hint = hint

    # Arithmetic.
    def __add__(self, other: Any) -> Any:
        number = _whole(other)
        return int(self) + other if number is None else _combined(self, number, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        number = _whole(other)
        return int(self) - other if number is None else _combined(self, number, -1)

    def __rsub__(self, other: Any) -> Any:
        number = _whole(other)
        return other - int(self) if number is None else -self + number

    def __neg__(self) -> Any:
        return _made(self.facts, {monomial: -factor for monomial, factor in self.terms})

    def __pos__(self) -> Size:
        return self

    def __mul__(self, other: Any) -> Any:
        number = _whole(other)
        if number is None:
            return int(self) * other
        found: dict[Monomial, int] = {}
        for one, first in self.terms:
            for two, second in _terms(number):
                key = tuple(sorted((*one, *two)))
                found[key] = found.get(key, 0) + first * second
        return _made(self.facts, found)

    __rmul__ = __mul__

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        number = _whole(other)
        if number is None or number < 1:
            return divmod(int(self), other if number is None else int(number))
        exact = _quotient(self, number)
        if exact is not None:
            return exact, 0
        if self < 0 and self.facts.by_form and number > 0:
            down = (number - 1 - self) // number
            return -down, self + down * number
        if self < 0:
            return (-1, self + number) if self >= -number else divmod(int(self), int(number))
        if self < number:
            return 0, self
        terms = _terms(number)
        return _derived(self.facts, "//", self.terms, terms), _derived(self.facts, "%", self.terms, terms)

    def __floordiv__(self, other: Any) -> Any:
        return divmod(self, other)[0]

    def __mod__(self, other: Any) -> Any:
        return divmod(self, other)[1]

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        if type(other) is not int:
            return divmod(other, int(self))
        if 0 <= other and self > other:
            return 0, other
        if other < 0 and self >= -other:
            return -1, self + other
        return divmod(other, int(self))

    def __rfloordiv__(self, other: Any) -> Any:
        return divmod(other, self)[0]

    def __rmod__(self, other: Any) -> Any:
        return divmod(other, self)[1]

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    # Questions.
    def __eq__(self, other: object) -> bool:
        number = _whole(other)
        if number is None:
            return int(self) == other if isinstance(other, (float, complex)) else NotImplemented
        return _is_zero(self - number)

    def __lt__(self, other: Any) -> bool:
        number = _whole(other)
        return bool(int(self) < other) if number is None else _is_negative(self - number)

    def __gt__(self, other: Any) -> bool:
        number = _whole(other)
        return bool(int(self) > other) if number is None else _is_negative(number - self)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return not self == 0

    def __index__(self) -> int:
        self == self.hint  # noqa: B015  # relies on the value
        return self.hint

    __int__ = __index__

    def __float__(self) -> float:
        return float(int(self))

    def __hash__(self) -> int:
        return hash(self.terms) if self.facts.by_form else hash(int(self))

    def __repr__(self) -> str:
        return self.text if self.facts.sealed else repr(int(self))

    def __format__(self, spec: str) -> str:
        return self.text if self.facts.sealed else format(int(self), spec)

    @property
    def text(self) -> str:
        """The expression, for reports; nothing is relied on."""
        return self.facts.text_of(self.terms)


def _by_value(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)
    return lambda self, *others: function(int(self), *others)


def _by_value_reflected(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)
    return lambda self, other: function(other, int(self))


for _name in ("truediv", "pow", "lshift", "rshift", "and_", "or_", "xor"):
    _plain = _name.strip("_")
    setattr(Size, f"__{_plain}__", _by_value(_name))
    setattr(Size, f"__r{_plain}__", _by_value_reflected(_name))


def _whole(value: object) -> int | Size | None:
    """A whole number, NumPy's too, as an int or a size; None for anything else."""
    if isinstance(value, (int, Size)):
        return value
    return operator.index(value) if isinstance(value, SupportsIndex) else None


@dataclass(frozen=True, slots=True, eq=False)
class FloatOf:
    """The float nearest to a size."""

    size: Size

    def __float__(self) -> float:
        return float(self.size)


def float_of(number: int | float | Size) -> Any:
    """The nearest float, symbolic for a size."""
    return FloatOf(number) if isinstance(number, Size) else float(number)


def _is_zero(difference: int | Size) -> bool:
    return difference.facts.is_zero(difference.terms) if isinstance(difference, Size) else difference == 0


def _is_negative(difference: int | Size) -> bool:
    return difference.facts.is_negative(difference.terms) if isinstance(difference, Size) else difference < 0


def symbol(facts: Facts, name: str, hint: int, low: int = 2) -> Size:
    """A new symbol, from `low` to `LARGEST`."""
    return Size(facts, facts.symbol(name, hint, low), hint)


def _derived(facts: Facts, operation: str, one: Terms, other: Terms) -> Size:
    terms = facts.derived(operation, one, other)
    return Size(facts, terms, facts.hint_of(terms))


def _terms(value: int | Size) -> Terms:
    return value.terms if isinstance(value, Size) else (((), int(value)),) if value else ()


def _made(facts: Facts, terms: dict[Monomial, int]) -> Size | int:
    """The polynomial with these factors; an int when no symbol is left."""
    listed = tuple(sorted((monomial, factor) for monomial, factor in terms.items() if factor))
    if not listed or listed == (((), listed[0][1]),):
        return listed[0][1] if listed else 0
    return Size(facts, listed, facts.hint_of(listed))


def _combined(size: Size, other: int | Size, sign: int) -> Size | int:
    found = dict(size.terms)
    for monomial, factor in _terms(other):
        found[monomial] = found.get(monomial, 0) + sign * factor
    return _made(size.facts, found)


def _quotient(size: Size, other: int | Size) -> Size | int | None:
    """The quotient where the divisor is one term that divides every term, or divides all by one int; else None."""
    divisor = _terms(other)
    if len(divisor) != 1:
        times = size.terms[-1][1] // divisor[-1][1]
        return times if tuple((monomial, times * factor) for monomial, factor in divisor) == size.terms else None
    below, factor = divisor[0]
    found: dict[Monomial, int] = {}
    for monomial, number in size.terms:
        rest = list(monomial)
        if number % factor:
            return None
        for atom in below:
            if atom not in rest:
                return None
            rest.remove(atom)
        found[tuple(rest)] = number // factor
    return _made(size.facts, found)


def at_values(value: Any, facts: Facts, atoms: Sequence[int]) -> Any:
    """The value with numbers in the place of its sizes, also in tuples: `atoms` gives those of the atoms."""
    if isinstance(value, Size):
        return facts.value_of(value.terms, atoms)
    return tuple(at_values(each, facts, atoms) for each in value) if type(value) is tuple else value


def hinted(value: Any) -> Any:
    """The value with the numbers of the traced call in the place of its sizes, also in tuples; nothing is relied on."""
    if isinstance(value, Size):
        return value.hint
    if isinstance(value, FloatOf):
        return float(value.size.hint)
    return tuple(map(hinted, value)) if type(value) is tuple else value


def shown(size: Any) -> str:
    """A size as text, that of the traced call while it is traced; nothing is relied on."""
    return str(size.hint) if isinstance(size, Size) and not size.facts.sealed else str(size)


def structure(value: Any) -> Any:
    """A key that is equal for values made of the same sizes; no size is relied on when keys are compared."""
    if isinstance(value, Size):
        return "size", value.terms
    if isinstance(value, tuple):
        return tuple(map(structure, value))
    if is_dataclass(value):
        return type(value), tuple(structure(getattr(value, each.name)) for each in fields(value) if each.compare)
    return value


def same_sizes(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two shapes are the same; sizes are compared only where the ranks are."""
    return len(one) == len(other) and one == other


def count_of(start: Any, stop: Any, step: int) -> Any:
    """The number of elements that `range(start, stop, step)` has."""
    span = stop - start if step > 0 else start - stop
    if span <= 0:
        return 0
    return span if abs(step) == 1 else (span - 1) // abs(step) + 1


def is_whole(value: object) -> TypeIs[int]:
    """Whether a value is an int or a size."""
    return isinstance(value, (int, Size))


def is_small(value: object) -> bool:
    """Whether a whole number is one that kernels are written for: a small int. Sizes are handed to them."""
    return type(value) is int and abs(value) <= SMALL


SMALL = 4
"""Ints up to here are written into kernels; larger ones are sizes of arrays more often than not."""


def is_symbolic(sizes: Iterable[Any]) -> bool:
    """Whether a size among these is not the same in every call."""
    return any(type(size) is Size for size in sizes)


__all__ = [
    "LARGEST", "Facts", "FloatOf", "Size", "Terms", "at_values", "count_of", "float_of", "hinted", "is_small",
    "is_symbolic", "is_whole", "same_sizes", "shown", "structure", "symbol",
]  # fmt: skip
