"""Probability distributions under the names of `torch.distributions`, eager and in graphs."""

from . import constraints
from .distribution import Distribution, ExponentialFamily
from .normal import Normal

__all__ = ["Distribution", "ExponentialFamily", "Normal", "constraints"]
