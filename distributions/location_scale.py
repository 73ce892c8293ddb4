"""The base of distributions that a number is added to, and that a positive one multiplies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from . import constraints
from .constraint import Constraint
from .distribution import Distribution, expanded
from .parameters import broadcast_all

Value = Any
Shape = tuple[int, ...]


class LocationScale(Distribution):
    """A distribution of real numbers around `loc`, its mean and mode unless it says otherwise, as wide as `scale`.

    Not made by itself.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(tuple(self.loc.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return expanded(self, self._get_checked_instance(LocationScale, _instance), batch_shape, "loc", "scale")

    @property
    def mean(self) -> Value:
        return self.loc

    @property
    def mode(self) -> Value:
        return self.loc


__all__ = ["LocationScale"]
