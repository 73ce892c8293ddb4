"""scikit-learn's 1,797 handwritten digits, as the examples that learn to read them take them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.datasets import load_digits


@dataclass(frozen=True)
class Digits:
    """Images as rows of 64 pixels in [0, 1], and their digits; a fifth is held out for the test."""

    train_x: np.ndarray
    train_digit: np.ndarray
    test_x: np.ndarray
    test_digit: np.ndarray

    def batches(self, size: int, epoch: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The training images in an order of the epoch's own. Those that would not fill a batch sit this epoch out."""
        order = np.random.default_rng(epoch).permutation(len(self.train_x))
        for start in range(0, len(order) - size + 1, size):
            chosen = order[start : start + size]
            yield self.train_x[chosen], self.train_digit[chosen]


def load(dtype: Any, seed: int = 0) -> Digits:
    """The digits, pixels in this dtype, in a shuffled order that depends on the seed alone."""
    x, digit = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(x))
    x, digit = np.ascontiguousarray(x[order] / 16.0, dtype), digit[order].astype(np.int64)
    held_out = len(x) // 5
    return Digits(x[held_out:], digit[held_out:], x[:held_out], digit[:held_out])
