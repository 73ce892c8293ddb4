"""The words of errors about data sets, samplers and loaders: what was found, and what is expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.utils.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    StackDataset,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    random_split,
)


class Endless(IterableDataset[int]):
    pass


@pytest.mark.parametrize(
    ("make", "kind", "said"),
    [
        (lambda: TensorDataset(gl.ones(2), gl.ones(3)), AssertionError, r"Size mismatch .* have sizes \[2, 3\]"),
        (lambda: StackDataset([1], [1, 2]), ValueError, r"Size mismatch .* lengths are \[1, 2\]"),
        (lambda: StackDataset(), ValueError, "all in a row or all by name"),
        (lambda: ConcatDataset([]), AssertionError, "should not be an empty iterable"),
        (lambda: ConcatDataset([Endless()]), AssertionError, "put those into a ChainDataset"),
        (lambda: ConcatDataset([[1], [2, 3]])[3], IndexError, "index 3 is out of range for data sets of 3 samples"),
        (lambda: ConcatDataset([[1]])[-2], ValueError, "should not exceed dataset length 1, got -2"),
        (lambda: random_split([1, 2], [3]), ValueError, r"does not equal .*: \[3\] for 2 samples"),
        (lambda: random_split([1, 2], [1.5, -0.5]), ValueError, "Fraction at index 0 is not between 0 and 1: 1.5"),
        (lambda: RandomSampler([1], replacement=1), TypeError, "replacement should be a boolean .* replacement=1"),
        (lambda: RandomSampler([]), ValueError, "num_samples should be a positive integer .* num_samples=0"),
        (lambda: BatchSampler([1], 0, False), ValueError, "batch_size should be a positive integer .* batch_size=0"),
        (lambda: WeightedRandomSampler([[1.0]], 1), ValueError, r"1d sequence .* shape \(1, 1\)"),
        (lambda: DistributedSampler([1]), RuntimeError, "give num_replicas and rank"),
        (lambda: DistributedSampler([1], 2, 2), ValueError, r"Invalid rank 2, .* interval \[0, 1\]"),
        (lambda: default_collate([None]), TypeError, "batch must contain .*; found <class 'NoneType'>"),
        (lambda: default_collate([np.array(["a"])]), TypeError, "batch must contain .*; found <U1"),
        (lambda: default_collate([[1], [1, 2]]), RuntimeError, r"equal size, got sizes \[1, 2\]"),
        (lambda: DataLoader([1], num_workers=-1), ValueError, "use num_workers=0 .* got num_workers=-1"),
        (lambda: DataLoader([1], timeout=-1), ValueError, "non-negative, got timeout=-1"),
        (lambda: DataLoader([1], prefetch_factor=2), ValueError, "let num_workers > 0 to enable it"),
        (lambda: DataLoader([1], num_workers=1, prefetch_factor=0), ValueError, "positive, got prefetch_factor=0"),
        (lambda: DataLoader([1], persistent_workers=True), ValueError, "needs num_workers > 0"),
        (lambda: DataLoader([1], sampler=[0], shuffle=True), ValueError, "mutually exclusive with shuffle"),
        (
            lambda: DataLoader([1], batch_sampler=[[0]], drop_last=True),
            ValueError,
            "mutually exclusive with batch_size",
        ),
        (lambda: DataLoader([1], batch_size=None, drop_last=True), ValueError, "batch_size=None .* drop_last"),
        (lambda: DataLoader(Endless(), shuffle=True), ValueError, "IterableDataset: .* got shuffle=True"),
        (lambda: DataLoader([1], num_workers=1, multiprocessing_context="no"), ValueError, "one of .* got 'no'"),
        (lambda: DataLoader([1], num_workers=1, multiprocessing_context=1), TypeError, "or its name, got int"),
        (lambda: DataLoader([1], multiprocessing_context="spawn"), ValueError, "got num_workers=0"),
        (lambda: setattr(DataLoader([1]), "sampler", [0]), ValueError, "sampler attribute should not be set after"),
        (lambda: list(DataLoader(Endless())), NotImplementedError, "should implement __iter__"),
    ],
)
def test_an_error_says_what_was_found(make: Any, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        make()


def test_a_part_without_samples_is_told() -> None:
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
        assert [len(each) for each in random_split([1, 2], [0.9, 0.1])] == [2, 0]
