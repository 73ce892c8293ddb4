"""The von Mises distribution of angles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..autograd import no_grad
from ..core.dtypes import float64
from ..ops.angles import VON_MISES
from ..ops.bessel import I0E, I1E
from ..tensor.dispatch import apply
from ..tensor.distributions import key_for
from ..tensor.statistics import computed
from ..tensor.surface import surface
from . import constraints
from .constraint import Constraint
from .distribution import Distribution, expanded
from .parameters import broadcast_all

Value = Any
Shape = tuple[int, ...]


@surface
def _drawn_angles(concentration: Value) -> Value:
    """Angles around 0, one for each concentration, which is of float64."""
    return apply(VON_MISES, concentration.detach(), key_for(None, concentration.device))


@surface
def _i0e(concentration: Value) -> Value:
    """``exp(-abs(x)) * i0(x)``."""
    return computed(I0E, concentration)


@surface
def _i1e(concentration: Value) -> Value:
    """``exp(-abs(x)) * i1(x)``."""
    return computed(I1E, concentration)


class VonMises(Distribution):
    """Angles around `loc`, the closer the larger the `concentration`: the normal distribution on a circle.

    Mean and variance are those of circles: the variance is 1 less the length of the mean vector.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "loc": constraints.real,
        "concentration": constraints.positive,
    }
    support = constraints.real

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(tuple(self.loc.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(VonMises, _instance)
        return expanded(self, made, batch_shape, "loc", "concentration")

    @property
    def mean(self) -> Value:
        return self.loc

    @property
    def mode(self) -> Value:
        return self.loc

    @property
    def variance(self) -> Value:
        return 1 - _i1e(self.concentration) / _i0e(self.concentration)

    def sample(self, sample_shape: Shape = ()) -> Value:
        """Angles from -pi to pi.   Source: Best & Fisher 1979."""
        with no_grad():
            shape = self._extended_shape(sample_shape)
            drawn = _drawn_angles(self.concentration.to(float64).expand(shape))
            turned = (drawn + math.pi + self.loc.to(float64)) % (2 * math.pi) - math.pi
            return turned.to(self.loc.dtype)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        # cos(t) - 1 as a square, which keeps the digits of large concentrations.
        half = ((value - self.loc) * 0.5).sin()
        return -2 * self.concentration * half.pow(2) - math.log(2 * math.pi) - _i0e(self.concentration).log()
