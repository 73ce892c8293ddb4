"""The samples of a batch, from a data set of either kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from ...tensor import Tensor
from ...tensor.indexing import index_select
from .collate import Collate, default_collate
from .datasets import IterableDataset, Subset, TensorDataset

END = object()
"""Stands for a batch where an iterable data set has no more samples."""


class Fetcher:
    """Makes batches of a data set; one that is iterated over is remembered where it is.

    batched: whether `places` are a list, whose samples make one batch.
    """

    def __init__(self, dataset: Any, batched: bool, collate: Collate, drop_last: bool) -> None:
        self.dataset = dataset
        self.batched = batched
        self.collate = collate
        self.drop_last = drop_last
        self._samples: Iterator[Any] | None = iter(dataset) if isinstance(dataset, IterableDataset) else None

    def batch(self, places: Any) -> Any:
        """The batch at some places, or the next one; END where there is none."""
        if self._samples is not None:
            return self._next(places)
        if not self.batched:
            return self.collate(self.dataset[places])
        if self.collate is default_collate:
            rows = _rows(self.dataset, places)
            if rows is not None:
                return rows
        many = getattr(self.dataset, "__getitems__", None)
        return self.collate(many(places) if callable(many) else [self.dataset[place] for place in places])

    def _next(self, places: Any) -> Any:
        assert self._samples is not None
        if not self.batched:
            for sample in self._samples:
                return self.collate(sample)
            return END
        samples = list(islice(self._samples, len(places)))
        if not samples or (self.drop_last and len(samples) < len(places)):
            return END
        return self.collate(samples)


def _rows(dataset: Any, places: Any) -> list[Tensor] | None:
    """The batch of a data set of tensors, each of whose tensors is read once; None where that is not the same.

    It is what stacking the rows gives, in value, dtype and gradient.
    """
    while type(dataset) is Subset:
        if not all(type(each) is int for each in places):
            return None
        places = [dataset.indices[each] for each in places]
        dataset = dataset.dataset
    if type(dataset) is not TensorDataset or not all(type(each) is int for each in places):
        return None
    if not all(type(each) is Tensor for each in dataset.tensors):
        return None
    length = len(dataset)
    if not all(-length <= place < length for place in places):
        return None  # the rows themselves tell of it
    numbers = Tensor._wrap(np.array([place % length for place in places], np.int64))
    return [index_select(each, 0, numbers.to(each.device)) for each in dataset.tensors]
