"""Index algebra: affine expressions over loop variables, and the domains whose variables they are.

`//` and `%` (which reshapes need) are exact where ranges allow. Where splitting a loop variable would make them exact,
`NeedSplit` names the split; the evaluation starts again over the split domain. Otherwise `NotAffine`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Union

from ...core.records import dataclass
from ...core.sizes import Size


@dataclass(slots=True, eq=False)
class Var:
    """One loop variable, or an index read from memory; ranges over 0 .. extent-1. Identity is the object."""

    name: str
    extent: int
    dim: int
    """The domain axis it came from; -1 for an index read from memory."""

    def __repr__(self) -> str:
        return self.name


class NeedSplit(Exception):
    """The expression becomes affine when `var` is written as `outer * size + inner`, inner below `size`."""

    def __init__(self, var: Var, size: int) -> None:
        super().__init__(var.name)  # the size as text would be its value
        self.var, self.size = var, size


class NotAffine(Exception):
    """The expression is not affine over any split of the loop variables. `node` is the reshape that met it."""

    node: object = None


Index = Union["Affine", int]


@dataclass(frozen=True, slots=True)
class Affine:
    """`const + sum(coefficient * variable)`, with no zero coefficients and none of a variable of extent 1."""

    const: int
    terms: tuple[tuple[Var, int], ...] = ()

    def coefficient(self, var: Var) -> int:
        for each, coefficient in self.terms:
            if each is var:
                return coefficient
        return 0

    @property
    def low(self) -> int:
        return self.const + sum(c * max(v.extent - 1, 0) for v, c in self.terms if c < 0)

    @property
    def high(self) -> int:
        return self.const + sum(c * max(v.extent - 1, 0) for v, c in self.terms if c > 0)

    def __add__(self, other: Index) -> Affine:
        if not isinstance(other, Affine):
            return Affine(self.const + other, self.terms)
        if not (self.terms and other.terms):
            return Affine(self.const + other.const, self.terms or other.terms)
        merged = dict(self.terms)
        for var, coefficient in other.terms:
            merged[var] = merged.get(var, 0) + coefficient
        return Affine(self.const + other.const, _ordered(merged))

    __radd__ = __add__

    def __sub__(self, other: Index) -> Affine:
        return self + other * -1

    def __rsub__(self, other: Index) -> Affine:
        return self * -1 + other

    def __mul__(self, factor: int) -> Affine:
        if type(factor) is int:
            if factor == 1:
                return self
            return Affine(self.const * factor, tuple([(var, c * factor) for var, c in self.terms]) if factor else ())
        return Affine(self.const * factor, _ordered({var: c * factor for var, c in self.terms}))

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Affine:
        return self._divided(divisor)[0]

    def __mod__(self, divisor: int) -> Affine:
        return self._divided(divisor)[1]

    def _divided(self, divisor: int) -> tuple[Affine, Affine]:
        if type(divisor) is int and divisor == 1:
            return self, _ZERO
        quotient, rest = divmod(self.const, divisor)
        whole, parts = [], []
        for var, c in self.terms:
            if c % divisor == 0:
                whole.append((var, c // divisor))
            else:
                parts.append((var, c))
        remainder = Affine(rest, tuple(parts))
        if remainder.low >= 0 and remainder.high < divisor:
            return Affine(quotient, tuple(whole)), remainder
        for var, c in sorted(parts, key=lambda item: -abs(item[1]) * item[0].extent):
            inner = divisor // abs(c)
            if divisor % abs(c) == 0 and 1 < inner < var.extent and var.extent % inner == 0 and var.dim >= 0:
                raise NeedSplit(var, inner)
        raise NotAffine

    def __str__(self) -> str:
        parts = [f"{var.name}*{_text(c)}" for var, c in self.terms]
        if isinstance(self.const, Size) or self.const or not parts:
            parts.append(_text(self.const))
        return " + ".join(parts)


_ZERO = Affine(0)


def _text(number: int | Size) -> str:
    """A number as text; of a size, how it is made: nothing is relied on."""
    return number.text if isinstance(number, Size) else str(number)


def _ordered(terms: dict[Var, int]) -> tuple[tuple[Var, int], ...]:
    kept = [(var, c) for var, c in terms.items() if c and var.extent != 1]
    return tuple(sorted(kept, key=lambda term: term[0].name))


def affine(entry: Index) -> Affine:
    """`entry` as an expression."""
    return entry if isinstance(entry, Affine) else Affine(entry)


def of_var(var: Var) -> Affine:
    """The expression that is `var`; 0 when it can only be 0."""
    return Affine(0, _ordered({var: 1}))


@dataclass(slots=True)
class Domain:
    """The index space of one kernel: for each axis not of size 1 an expression, over variables that splits refine."""

    dims: tuple[int, ...]
    index: list[Affine] = field(default_factory=list)
    variables: list[Var] = field(default_factory=list)

    def split(self, var: Var, size: int) -> None:
        """Replace `var` by two variables, in every axis that uses it."""
        at = self.variables.index(var)
        outer = Var(var.name + "a", var.extent // size, var.dim)
        inner = Var(var.name + "b", size, var.dim)
        self.variables[at : at + 1] = [outer, inner]
        replacement = of_var(outer) * size + of_var(inner)
        for axis, entry in enumerate(self.index):
            coefficient = entry.coefficient(var)
            if coefficient:
                rest = Affine(entry.const, tuple(term for term in entry.terms if term[0] is not var))
                self.index[axis] = rest + replacement * coefficient

    def copy(self) -> Domain:
        return Domain(self.dims, list(self.index), list(self.variables))

    def of_shape(self, shape: tuple[int, ...], axes: tuple[int, ...] | None = None) -> tuple[Affine, ...]:
        """The index of an array whose sizes, but for ones, are those of the given domain axes (all by default)."""
        entries = iter(self.index if axes is None else [self.index[axis] for axis in axes])
        return tuple(Affine(0) if size == 1 else next(entries) for size in shape)


def domain_of(shape: tuple[int, ...]) -> Domain:
    """A fresh domain for `shape` without its axes of size 1."""
    dims = squeezed(shape)
    variables = [Var(f"v{axis}", size, axis) for axis, size in enumerate(dims)]
    return Domain(dims, [of_var(var) for var in variables], variables)


def squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` without its ones."""
    return tuple(size for size in shape if size != 1)
