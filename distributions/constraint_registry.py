"""For each constraint a transform from all real numbers into it: for optimisation, and for changes of variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import constraints, transforms
from .constraint import Constraint
from .joined_transforms import CatTransform
from .matrices.transforms import CorrCholeskyTransform, PositiveDefiniteTransform
from .matrix_constraints import CorrCholesky, LowerCholesky, PositiveDefinite, PositiveSemidefinite

Factory = TypeVar("Factory", bound=Callable[..., Any])


class ConstraintRegistry:
    """A function of constraints that gives the transform registered for their class."""

    def __init__(self) -> None:
        self._registry: dict[type[Constraint], Callable[..., Any]] = {}

    def register(self, constraint: Any, factory: Any = None) -> Any:
        """Registers `factory`, a function of a constraint, for its class; without one it is a decorator.

        Errors: TypeError for what is no constraint.
        """
        if factory is None:
            return lambda made: self.register(constraint, made)
        kind = type(constraint) if isinstance(constraint, Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Constraint) -> Any:
        """The transform into `constraint`. Errors: NotImplementedError where none is registered."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
"""Gives bijections into a constraint, with the determinants of their derivatives."""
transform_to = ConstraintRegistry()
"""Gives transforms into a constraint, some of which are not bijective, for unconstrained optimisation."""


def _both(*kinds: Any) -> Callable[[Factory], Factory]:
    def register(factory: Factory) -> Factory:
        for kind in kinds:
            biject_to.register(kind, factory)
            transform_to.register(kind, factory)
        return factory

    return register


@_both(constraints.Real)
def _to_real(constraint: Any) -> Any:
    return transforms.identity_transform


def _biject_to_independent(constraint: Any) -> Any:
    return transforms.IndependentTransform(biject_to(constraint.base_constraint), constraint.reinterpreted_batch_ndims)


def _transform_to_independent(constraint: Any) -> Any:
    base = transform_to(constraint.base_constraint)
    return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)


@_both(constraints.GreaterThan, constraints.GreaterThanEq)
def _to_greater_than(constraint: Any) -> Any:
    if isinstance(constraint.lower_bound, (int, float)) and constraint.lower_bound == 0:
        return transforms.ExpTransform()
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.lower_bound, 1)]
    )


@_both(constraints.LessThan)
def _to_less_than(constraint: Any) -> Any:
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)]
    )


@_both(constraints.Interval, constraints.HalfOpenInterval)
def _to_interval(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    plain = isinstance(low, (int, float)) and isinstance(high, (int, float))
    if plain and low == 0 and high == 1:
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


def _biject_to_simplex(constraint: Any) -> Any:
    return transforms.StickBreakingTransform()


def _transform_to_simplex(constraint: Any) -> Any:
    return transforms.SoftmaxTransform()


@_both(LowerCholesky)
def _to_lower_cholesky(constraint: Any) -> Any:
    return transforms.LowerCholeskyTransform()


biject_to.register(constraints.IndependentConstraint, _biject_to_independent)
transform_to.register(constraints.IndependentConstraint, _transform_to_independent)
biject_to.register(constraints.Simplex, _biject_to_simplex)
transform_to.register(constraints.Simplex, _transform_to_simplex)


@_both(CorrCholesky)
def _to_corr_cholesky(constraint: Any) -> Any:
    return CorrCholeskyTransform()


def _to_positive_definite(constraint: Any) -> Any:
    return PositiveDefiniteTransform()


for _kind in (PositiveDefinite, PositiveSemidefinite):
    transform_to.register(_kind, _to_positive_definite)


def _of_parts(registry: ConstraintRegistry) -> Callable[..., Any]:
    return lambda constraint: CatTransform(
        [registry(each) for each in constraint.cseq], constraint.dim, constraint.lengths
    )


def _of_places(registry: ConstraintRegistry) -> Callable[..., Any]:
    return lambda constraint: transforms.StackTransform([registry(each) for each in constraint.cseq], constraint.dim)


for _registry in (biject_to, transform_to):
    _registry.register(constraints.CatConstraint, _of_parts(_registry))
    _registry.register(constraints.StackConstraint, _of_places(_registry))

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]
