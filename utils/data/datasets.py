"""Data sets: by number, or in a row; of tensors; and made of others."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from ...tensor import Tensor
from ...tensor.generator import Generator, default_generator
from ...tensor.random import randperm

T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """A data set whose samples are found by a key: subclasses define `__getitem__`, and `__len__` for most samplers.

    A subclass may define `__getitems__`, which is given the keys of a whole batch and gives the list of its samples.
    """

    def __getitem__(self, index: Any) -> T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[T_co]) -> ConcatDataset[T_co]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co], Iterable[T_co]):
    """A data set that gives its samples in a row: subclasses define `__iter__`.

    Each worker of a loader iterates over a copy of its own: `get_worker_info` says which part it should give.
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Dataset[T_co]) -> ChainDataset[T_co]:  # type: ignore[override]
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """The rows of tensors of one length: a sample is the tuple of their parts at one place of the first axis.

    Errors: AssertionError where the lengths differ.
    """

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        sizes = [tensor.shape[0] for tensor in tensors]
        if len(set(sizes)) > 1:
            raise AssertionError(f"Size mismatch between tensors: the first axes have sizes {sizes}")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class StackDataset(Dataset[Any]):
    """Data sets side by side: a sample is the tuple of theirs, or the dict if they were given by name.

    Errors: ValueError for no data sets, for both ways at once, and where the lengths differ.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise ValueError("a StackDataset takes data sets, either all in a row or all by name")
        self.datasets: Any = args or kwargs
        lengths = [len(each) for each in (args or kwargs.values())]
        if len(set(lengths)) > 1:
            raise ValueError(f"Size mismatch between datasets: their lengths are {lengths}")
        self._length = lengths[0]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: each[index] for name, each in self.datasets.items()}
        return tuple(each[index] for each in self.datasets)

    def __getitems__(self, indices: Sequence[Any]) -> list[Any]:
        if isinstance(self.datasets, dict):
            columns = [_samples(each, indices) for each in self.datasets.values()]
            return [dict(zip(self.datasets, row)) for row in zip(*columns)]
        return list(zip(*(_samples(each, indices) for each in self.datasets)))

    def __len__(self) -> int:
        return self._length


def _samples(dataset: Any, indices: Sequence[Any]) -> list[Any]:
    """The samples at some places. Errors: ValueError where `__getitems__` gives another number of them."""
    many = getattr(dataset, "__getitems__", None)
    if not callable(many):
        return [dataset[index] for index in indices]
    found = many(indices)
    if len(found) != len(indices):
        raise ValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(found)}")
    return list(found)


class ConcatDataset(Dataset[T_co]):
    """Data sets one behind the other. Errors: AssertionError for none, and for one that has no places."""

    datasets: list[Any]
    cumulative_sizes: list[int]

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(each, IterableDataset) for each in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset; put those into a ChainDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """The lengths, each added to those before."""
        return list(accumulate(map(len, sequence)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            if -idx > len(self):
                raise ValueError(f"absolute value of index should not exceed dataset length {len(self)}, got {idx}")
            idx += len(self)
        number = bisect_right(self.cumulative_sizes, idx)
        if number == len(self.datasets):
            raise IndexError(f"index {idx} is out of range for data sets of {len(self)} samples")
        return self.datasets[number][idx - (self.cumulative_sizes[number - 1] if number else 0)]


class ChainDataset(IterableDataset[T_co]):
    """Iterable data sets, one behind the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        super().__init__()
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for each in self.datasets:
            _check_iterable(each)
            yield from each

    def __len__(self) -> int:
        for each in self.datasets:
            _check_iterable(each)
        return sum(len(each) for each in self.datasets)


def _check_iterable(dataset: Any) -> None:
    if not isinstance(dataset, IterableDataset):
        raise AssertionError(f"ChainDataset only supports IterableDataset, got {type(dataset).__name__}")


class Subset(Dataset[T_co]):
    """The samples of a data set at given places."""

    dataset: Any
    indices: Sequence[int]

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        return self.dataset[[self.indices[each] for each in idx] if isinstance(idx, list) else self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        return _all_of(self.dataset, [self.indices[each] for each in indices])

    def __len__(self) -> int:
        return len(self.indices)


def _all_of(dataset: Any, indices: list[Any]) -> list[Any]:
    many = getattr(dataset, "__getitems__", None)
    return many(indices) if callable(many) else [dataset[index] for index in indices]


def random_split(
    dataset: Dataset[Any], lengths: Sequence[int | float], generator: Generator | None = default_generator
) -> list[Subset[Any]]:
    """Subsets of a data set, by chance, without a sample in two of them.

    lengths: how many samples each gets, or, if they add up to 1, what share of them; what is left over goes to
    the first ones, a sample each. The order is that of `randperm`, which is not PyTorch's for the same seed.
    Errors: ValueError where counts do not add up to the number of samples, or a share is not between 0 and 1.
    """
    total = len(dataset)  # type: ignore[arg-type]
    counts = list(lengths)
    if math.isclose(sum(counts), 1) and sum(counts) <= 1:
        counts = _counts(counts, total)
    if sum(counts) != total:
        raise ValueError(
            f"Sum of input lengths does not equal the length of the input dataset: {counts} for {total} samples"
        )
    order = randperm(total, generator=generator).tolist()
    ends = accumulate(counts)
    return [Subset(dataset, order[int(end - count) : int(end)]) for end, count in zip(ends, counts)]


def _counts(shares: Sequence[int | float], total: int) -> list[int | float]:
    for number, share in enumerate(shares):
        if not 0 <= share <= 1:
            raise ValueError(f"Fraction at index {number} is not between 0 and 1: {share}")
    counts: list[int | float] = [math.floor(total * share) for share in shares]
    for number in range(total - int(sum(counts))):
        counts[number % len(counts)] += 1
    for number, count in enumerate(counts):
        if count == 0:
            warnings.warn(
                f"Length of split at index {number} is 0. This might result in an empty dataset.", stacklevel=3
            )
    return counts
