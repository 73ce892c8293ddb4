"""The sets that parameters and values of distributions lie in, under the names of `torch.distributions.constraints`.

A constraint says of each value whether it lies there: `check` gives a tensor of bools with the shape of the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..tensor.joining import cat as _cat
from ..tensor.joining import stack as _stack
from .constraint import Constraint
from .matrix_constraints import (
    CorrCholesky,
    LowerCholesky,
    LowerTriangular,
    PositiveDefinite,
    PositiveSemidefinite,
    Square,
    Symmetric,
)

Value = Any


class Dependent(Constraint):
    """A set that depends on other parameters; nothing is checked for it."""

    def __init__(self, *, is_discrete: bool = False, event_dim: int = 0) -> None:
        self.is_discrete = is_discrete
        self.event_dim = event_dim

    def check(self, value: Value) -> Value:
        raise ValueError("Cannot determine validity of dependent constraint")

    def __call__(self, *, is_discrete: bool = False, event_dim: int = 0) -> Dependent:
        """Another one with these settings."""
        return Dependent(is_discrete=is_discrete, event_dim=event_dim)


def is_dependent(constraint: Constraint) -> bool:
    """Whether a set depends on other parameters, so that nothing is checked for it."""
    return isinstance(constraint, Dependent)


class DependentProperty(property):
    """A property that gives a constraint which depends on parameters; of a class it is that of no parameters."""

    is_discrete = False
    event_dim = 0

    def __init__(self, fn: Callable[..., Any] | None = None, *, is_discrete: bool = False, event_dim: int = 0) -> None:
        super().__init__(fn)
        self.is_discrete = is_discrete
        self.event_dim = event_dim

    def __call__(self, fn: Callable[..., Any]) -> DependentProperty:
        """The property of that function, with these settings."""
        return DependentProperty(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


class IndependentConstraint(Constraint):
    """Values of another set along the last axes: all of them lie there."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value: Value) -> Value:
        found = self.base_constraint.check(value)
        if found.ndim < self.reinterpreted_batch_ndims:
            expected = self.base_constraint.event_dim + self.reinterpreted_batch_ndims
            raise ValueError(f"Expected value.dim() >= {expected} but got {value.ndim}")
        if not self.reinterpreted_batch_ndims:
            return found
        return found.reshape(tuple(found.shape[: found.ndim - self.reinterpreted_batch_ndims]) + (-1,)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """The values that the components of a mixture take, without the axis of the components."""

    def __init__(self, base_constraint: Constraint) -> None:
        self.base_constraint = base_constraint
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim

    def check(self, value: Value) -> Value:
        axis = value.ndim - self.event_dim
        found = self.base_constraint.check(value.unsqueeze(axis))
        missing = value.ndim - self.event_dim
        return found.reshape(tuple(found.shape[:missing]) + (-1,)).all(-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class Boolean(Constraint):
    """0 and 1."""

    is_discrete = True

    def check(self, value: Value) -> Value:
        return (value == 0) | (value == 1)


class OneHot(Constraint):
    """Vectors of zeros and one 1."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Value) -> Value:
        return ((value == 0) | (value == 1)).all(-1) & value.sum(-1).eq(1)


class IntegerInterval(Constraint):
    """The whole numbers from one to another, both included."""

    is_discrete = True

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound

    def check(self, value: Value) -> Value:
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)

    def __repr__(self) -> str:
        return f"IntegerInterval(lower_bound={self.lower_bound}, upper_bound={self.upper_bound})"


class IntegerLessThan(Constraint):
    """The whole numbers up to a bound, which is included."""

    is_discrete = True

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Value) -> Value:
        return (value % 1 == 0) & (value <= self.upper_bound)

    def __repr__(self) -> str:
        return f"IntegerLessThan(upper_bound={self.upper_bound})"


class IntegerGreaterThan(Constraint):
    """The whole numbers from a bound on, which is included."""

    is_discrete = True

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound

    def check(self, value: Value) -> Value:
        return (value % 1 == 0) & (value >= self.lower_bound)

    def __repr__(self) -> str:
        return f"IntegerGreaterThan(lower_bound={self.lower_bound})"


class Real(Constraint):
    """All floats but NaN."""

    def check(self, value: Value) -> Value:
        return value == value  # noqa: PLR0124  (False for NaN)


class GreaterThan(Constraint):
    """The numbers above a bound."""

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound

    def check(self, value: Value) -> Value:
        return self.lower_bound < value

    def __repr__(self) -> str:
        return f"GreaterThan(lower_bound={self.lower_bound})"


class GreaterThanEq(Constraint):
    """The numbers from a bound on."""

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound

    def check(self, value: Value) -> Value:
        return self.lower_bound <= value

    def __repr__(self) -> str:
        return f"GreaterThanEq(lower_bound={self.lower_bound})"


class LessThan(Constraint):
    """The numbers below a bound."""

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Value) -> Value:
        return value < self.upper_bound

    def __repr__(self) -> str:
        return f"LessThan(upper_bound={self.upper_bound})"


class Interval(Constraint):
    """The numbers from one to another, both included."""

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound

    def check(self, value: Value) -> Value:
        return (self.lower_bound <= value) & (value <= self.upper_bound)

    def __repr__(self) -> str:
        return f"Interval(lower_bound={self.lower_bound}, upper_bound={self.upper_bound})"


class HalfOpenInterval(Constraint):
    """The numbers from one to another, which is not included."""

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound

    def check(self, value: Value) -> Value:
        return (self.lower_bound <= value) & (value < self.upper_bound)

    def __repr__(self) -> str:
        return f"HalfOpenInterval(lower_bound={self.lower_bound}, upper_bound={self.upper_bound})"


class Simplex(Constraint):
    """Vectors without a negative element that add up to 1, within 1e-6."""

    event_dim = 1

    def check(self, value: Value) -> Value:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class MultinomialCounts(Constraint):
    """Vectors of counts that add up to at most a bound."""

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Value) -> Value:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)

    def __repr__(self) -> str:
        return f"MultinomialCounts(upper_bound={self.upper_bound})"


class CatConstraint(Constraint):
    """Values side by side along an axis, each piece in a set of its own."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0, lengths: Sequence[int] | None = None) -> None:
        self.cseq = list(cseq)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        self.dim = dim
        self.is_discrete = any(each.is_discrete for each in self.cseq)
        self.event_dim = max(each.event_dim for each in self.cseq)

    def check(self, value: Value) -> Value:
        found, start = [], 0
        for each, length in zip(self.cseq, self.lengths):
            found.append(each.check(value.narrow(self.dim, start, length)))
            start = start + length
        return _cat(found, self.dim)


class StackConstraint(Constraint):
    """Values along an axis, each in a set of its own."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0) -> None:
        self.cseq = list(cseq)
        self.dim = dim
        self.is_discrete = any(each.is_discrete for each in self.cseq)
        axes = max(each.event_dim for each in self.cseq)
        self.event_dim = axes + 1 if axes + self.dim < 0 else axes

    def check(self, value: Value) -> Value:
        return _stack([each.check(value.select(self.dim, k)) for k, each in enumerate(self.cseq)], self.dim)


dependent = Dependent()
dependent_property = DependentProperty
independent = IndependentConstraint
boolean = Boolean()
one_hot = OneHot()
nonnegative_integer = IntegerGreaterThan(0)
positive_integer = IntegerGreaterThan(1)
integer_interval = IntegerInterval
real = Real()
real_vector = independent(real, 1)
positive = GreaterThan(0.0)
nonnegative = GreaterThanEq(0.0)
greater_than = GreaterThan
greater_than_eq = GreaterThanEq
less_than = LessThan
multinomial = MultinomialCounts
unit_interval = Interval(0.0, 1.0)
interval = Interval
half_open_interval = HalfOpenInterval
simplex = Simplex()
lower_triangular = LowerTriangular()
lower_cholesky = LowerCholesky()
corr_cholesky = CorrCholesky()
square = Square()
symmetric = Symmetric()
positive_semidefinite = PositiveSemidefinite()
positive_definite = PositiveDefinite()
cat = CatConstraint
stack = StackConstraint

__all__ = [
    "Constraint",
    "MixtureSameFamilyConstraint",
    "boolean",
    "cat",
    "corr_cholesky",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "is_dependent",
    "less_than",
    "lower_cholesky",
    "lower_triangular",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "positive_semidefinite",
    "real",
    "real_vector",
    "simplex",
    "square",
    "stack",
    "symmetric",
    "unit_interval",
]
