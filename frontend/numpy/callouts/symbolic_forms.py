"""The forms of NumPy's results for arrays of any sizes, told from its results for some.

Nobody says how the shape of a result depends on those of the arguments, so a function is tried for several sizes, and
sums of sizes, of their products and of their halves are sought that agree with all it gave. Should they be wrong for
others, the plan finds that the result has another form than was described, and Python runs the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np

from ....core.asynchronous import is_asynchronous
from ....core.sizes import Facts, Size, at_values
from ....core.types import contiguous_strides
from ....ops.call_outs import Form

MOST_SYMBOLS = 3
"""Sizes that may vary: each function of them is tried for a number of values that grows with the square."""
SMALL, REACH = 5, 19
"""Sizes are tried from the first on, that many; small ones, since a function takes its time for large ones."""
ATTEMPTS = 8
"""Values that are drawn for one that holds what the trace relies on."""

Point = tuple[int, ...]
"""Values of the symbols that vary."""


def form_for_sizes(facts: Facts, given: tuple[Any, ...], make: Callable[..., Form | None]) -> Form | None:
    """The form that `make` gives for what is given, with sizes where it depends on such; None where it gives none.

    Where it cannot be told how it depends on them, their values are relied on. Errors: those of `make`.
    """
    hints = [atom.hint for atom in facts.atoms]
    here = make(*at_values(given, facts, hints))
    symbols = sorted(_symbols_in(given, facts))
    if not symbols or here is None:
        return here
    if len(symbols) <= MOST_SYMBOLS:
        for groups in _groupings(symbols, hints):
            for ordered in (False, True)[: len(groups)]:
                for low in (SMALL, None):
                    found = _FormSearch(facts, given, make, groups, low, ordered=ordered).form(here)
                    if found is not None:
                        return found
    for each in _sizes_in(given):
        int(each)
    return here


def _sizes_in(value: Any) -> Iterator[Size]:
    if isinstance(value, Size):
        yield value
    elif type(value) is tuple:
        for each in value:
            yield from _sizes_in(each)


def _symbols_in(given: Any, facts: Facts) -> set[int]:
    """The atoms that are symbols and that sizes depend on."""
    found: set[int] = set()

    def visit(terms: Iterable[Any]) -> None:
        for monomial, _ in terms:
            for atom in monomial:
                derived = facts.atoms[atom].derived
                if derived is None:
                    found.add(atom)
                else:
                    visit(derived[1])
                    visit(derived[2])

    for size in _sizes_in(given):
        visit(size.terms)
    return found


def _groupings(symbols: Sequence[int], hints: Sequence[int]) -> Iterator[list[list[int]]]:
    """Each symbol for itself; then those together that are equal in the traced call, as the function may demand."""
    yield [[each] for each in symbols]
    together: dict[int, list[int]] = {}
    for each in symbols:
        together.setdefault(hints[each], []).append(each)
    if len(together) < len(symbols):
        yield list(together.values())


class _FormSearch:
    """The form as a function of the values that groups of symbols have, each group one value."""

    def __init__(
        self, facts: Facts, given: tuple[Any, ...], make: Callable[..., Form | None], groups: list[list[int]],
        low: int | None, *, ordered: bool,
    ) -> None:  # fmt: skip
        """`low`: where values that are tried begin; None: at those of the traced call. `ordered`: in its order only."""
        self._facts = facts
        self._given = given
        self._make = make
        self._groups = groups
        self._low = low
        self._ordered = ordered
        self._hint = tuple(facts.atoms[group[0]].hint for group in groups)
        self._points: list[Point] = []
        self._table: Any = None

    def form(self, here: Form) -> Form | None:
        """The form, that of the traced call being `here`; None where none agrees."""
        forms = [here]
        self._points = [self._hint]
        columns = len(_basis(self._hint))
        for point in self._drawn(columns + 2):
            try:
                made = self._make(*self._concretized(point))
            except Exception as error:
                if is_asynchronous(error):
                    raise
                return None
            if made is None:
                return None
            self._points.append(point)
            forms.append(made)
        self._table = np.array([_basis(point) for point in self._points], float)
        if len(forms) < columns + 2:
            return None
        found = self._fitted(forms)
        if found is not None:
            self._rely()
        return found  # type: ignore[no-any-return]

    def _rely(self) -> None:
        """Relies on what held of all points."""
        for group in self._groups:
            for other in group[1:]:
                _ = self._size(group[0]) == self._size(other)
        if self._ordered:
            ranked = sorted((hint, group[0]) for hint, group in zip(self._hint, self._groups, strict=True))
            for (_, one), (_, other) in pairwise(ranked):
                _ = self._size(one) <= self._size(other)

    def _drawn(self, count: int) -> Iterator[Point]:
        """Points where what the trace relies on holds."""
        from random import Random  # which few programs need

        draw = Random(count)
        for _ in range(count):
            for _ in range(ATTEMPTS):
                point = tuple((hint if self._low is None else self._low) + draw.randrange(REACH) for hint in self._hint)
                if self._ordered:
                    ranks = sorted(range(len(point)), key=self._hint.__getitem__)
                    point = tuple(sorted(point)[ranks.index(k)] for k in range(len(point)))
                if not self._facts.broken(self._values(point)):
                    yield point
                    break

    def _values(self, point: Point) -> list[int]:
        """The values of all symbols of the trace: those that do not vary have that of the traced call."""
        values = {symbol: value for group, value in zip(self._groups, point, strict=True) for symbol in group}
        return [values.get(symbol, self._facts.atoms[symbol].hint) for symbol in self._facts.symbols]

    def _concretized(self, point: Point) -> Any:
        return at_values(self._given, self._facts, self._facts.atom_values(self._values(point)))

    def _size(self, symbol: int) -> Size:
        return Size(self._facts, (((symbol,), 1),), self._facts.atoms[symbol].hint)

    def _fitted(self, forms: Sequence[Any]) -> Any:
        """The form that is `forms` at the points; None where there is none."""
        first = forms[0]
        if all(each == first for each in forms):
            return first
        if not all(type(each) is type(first) for each in forms):
            return None
        if type(first) is int:
            return self._sum(forms)
        if type(first) is not tuple or not all(len(each) == len(first) for each in forms):
            return None
        if first and first[0] == "array":
            return self._array(forms)
        parts = [self._fitted([each[k] for each in forms]) for k in range(len(first))]
        return None if any(each is None and first[k] is not None for k, each in enumerate(parts)) else tuple(parts)

    def _array(self, forms: Sequence[Any]) -> Any:
        """The form of an array that lies by rows or by columns: its strides are products of sizes."""
        kind, dtype, shape = (self._fitted([each[k] for each in forms]) for k in range(3))
        if None in (kind, dtype) or shape is None:
            return None
        if all(each[3] == contiguous_strides(each[2]) for each in forms):
            return kind, dtype, shape, contiguous_strides(shape)
        if all(each[3] == contiguous_strides(each[2][::-1])[::-1] for each in forms):
            return kind, dtype, shape, contiguous_strides(shape[::-1])[::-1]
        strides = self._fitted([each[3] for each in forms])
        return None if strides is None else (kind, dtype, shape, strides)

    def _sum(self, values: Sequence[int]) -> Any:
        """The sum that has these values at the points; None where there is none of whole numbers."""
        wanted = np.array(values, float)
        near = slice(1, None)  # that of the traced call may be large, and is looked at below
        factors, _, _, _ = np.linalg.lstsq(self._table[near], wanted[near], rcond=None)
        whole = [round(float(each)) for each in factors]
        for point, value in zip(self._points, values, strict=True):
            if sum(factor * part for factor, part in zip(whole, _basis(point), strict=True)) != value:
                return None
        sizes = [self._size(group[0]) for group in self._groups]
        found: Any = 0
        for factor, part in zip(whole, _parts(sizes), strict=True):
            found = found + factor * part() if factor else found
        return found


def _parts(sizes: Sequence[Any]) -> list[Callable[[], Any]]:
    """The terms that a sum may consist of: 1, sizes, products of two, halves."""
    pairs = combinations_with_replacement(sizes, 2)
    return [
        lambda: 1,
        *(lambda each=each: each for each in sizes),
        *(lambda one=one, other=other: one * other for one, other in pairs),
        *(lambda each=each: each // 2 for each in sizes),
    ]


def _basis(point: Point) -> list[int]:
    return [part() for part in _parts(point)]
