"""Random angles, which NumPy draws: a function of a concentration and a key. They have no gradients."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..core import dtypes
from ..core.types import TensorType
from . import samples
from .counts import _counts_type, _laid_out, drawing
from .ordering import found_by_numpy
from .registry import Array, Sample


def _meta(concentration: TensorType, key: TensorType) -> TensorType:
    return _counts_type([concentration], key)


def von_mises_draws(concentration: Array, key: Array) -> Array:
    """Angles between -pi and pi, around 0; NaN where the concentration is negative or NaN."""
    legal = concentration >= 0
    drawn = drawing(key).vonmises(0.0, np.where(legal, concentration, 1.0))
    return _laid_out(np.where(legal, drawn, np.nan))


def _samples() -> Iterable[Sample]:
    for number, shape in enumerate(samples.SHAPES):
        yield samples.with_attrs((samples.uniform(0, 9, shape, dtypes.float64), np.array([2**62 + number])))
    yield samples.with_attrs((np.array([0.0, -1.0, np.nan, 1e9, 1e-9]), np.array([5])))


VON_MISES = found_by_numpy("von_mises", _meta, von_mises_draws, _samples, ("concentration", "key"))
