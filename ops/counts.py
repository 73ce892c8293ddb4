"""Random counts, which NumPy draws: functions of parameters and a key. They have no gradients.

What draws takes a key from its generator, so a graph that computes a count again computes the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .ordering import found_by_numpy
from .registry import Array, Sample

LARGEST_RATE = 2.0**62
"""The largest rate that NumPy is asked about: counts are whole numbers of 64 bits there."""


def _poisson_meta(rate: TensorType, key: TensorType) -> TensorType:
    return _counts_type([rate], key)


def _binomial_meta(count: TensorType, prob: TensorType, key: TensorType) -> TensorType:
    return _counts_type([count, prob], key)


def _counts_type(parameters: list[TensorType], key: TensorType) -> TensorType:
    if key.shape != (1,) or key.dtype is not dtypes.int64:
        raise OpError(f"a key is int64[1], got {key}")
    for each in parameters:
        if each.dtype is not dtypes.float64 or each.shape != parameters[0].shape:
            raise OpError(f"counts are drawn for parameters of one shape and float64, got {each}")
    return parameters[0]


def drawing(key: Array) -> np.random.Generator:
    """The source of the draws that a key stands for."""
    return np.random.Generator(np.random.Philox(key=int(key[0])))


def _laid_out(counts: Any) -> Array:
    """A row-major array of float64 that owns its memory."""
    result = np.empty(np.shape(counts), np.float64)
    result[...] = counts
    return result


def poisson_counts(rate: Array, key: Array) -> Array:
    """Counts of the Poisson distribution with each rate; NaN where that is negative or NaN."""
    legal = rate >= 0
    held = np.where(legal, np.minimum(rate, LARGEST_RATE), 0.0)
    return _laid_out(np.where(legal, drawing(key).poisson(held), np.nan))


def binomial_counts(count: Array, prob: Array, key: Array) -> Array:
    """Successes among as many trials with each probability; NaN where either is NaN."""
    legal = ~(np.isnan(count) | np.isnan(prob))
    trials = np.where(legal, np.clip(np.floor(count), 0.0, LARGEST_RATE), 0.0).astype(np.int64)
    chance = np.where(legal, np.clip(prob, 0.0, 1.0), 0.0)
    return _laid_out(np.where(legal, drawing(key).binomial(trials, chance), np.nan))


def _poisson_samples() -> Iterable[Sample]:
    for number, shape in enumerate(samples.SHAPES):
        rate = samples.uniform(0, 40, shape, dtypes.float64)
        yield samples.with_attrs((rate, np.array([2**62 + number])))
    yield samples.with_attrs((np.array([0.0, -1.0, np.nan, np.inf, 1e30, 0.25]), np.array([5])))


def _binomial_samples() -> Iterable[Sample]:
    for number, shape in enumerate(samples.SHAPES):
        count, prob = (samples.uniform(0, end, shape, dtypes.float64) for end in (90, 1))
        yield samples.with_attrs((count, prob, np.array([number])))
    edges = np.array([0.0, -1.0, 7.9, 1e30, np.nan, 3.0]), np.array([0.5, 0.5, 1.5, 0.25, 0.5, np.nan])
    yield samples.with_attrs((*edges, np.array([5])))


POISSON = found_by_numpy("poisson", _poisson_meta, poisson_counts, _poisson_samples, ("rate", "key"))
BINOMIAL = found_by_numpy("binomial", _binomial_meta, binomial_counts, _binomial_samples, ("count", "prob", "key"))
