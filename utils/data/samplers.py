"""Samplers: the order in which a loader visits samples."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ...core import dtypes
from ...tensor import Tensor
from ...tensor.creation import as_tensor
from ...tensor.distributions import multinomial
from ...tensor.generator import Generator
from ...tensor.random import randint, randperm

T_co = TypeVar("T_co", covariant=True)


class Sampler(Generic[T_co]):
    """The base of all samplers: subclasses define `__iter__`, and `__len__` where the number of samples is known."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SequentialSampler(Sampler[int]):
    """All places of a data set, in their order."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def drawn_seed(generator: Generator | None = None) -> int:
    """A seed below 2**63, drawn from a generator, by default the usual one."""
    return int(randint(0, 2**63 - 1, (), generator=generator).item())


def _positive(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} should be a boolean value, but got {name}={value}")
    return value


class RandomSampler(Sampler[int]):
    """The places of a data set by chance, each once, or drawn anew each time with `replacement`.

    num_samples: how many; all unless given. Without a generator, a seed is drawn for each pass.
    Errors: TypeError, ValueError for settings of another kind.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = _flag("replacement", replacement)
        self._num_samples = num_samples
        self.generator = generator
        _positive("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """The number of places that it gives."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count = len(self.data_source)
        source = Generator(drawn_seed()) if self.generator is None else self.generator
        left = self.num_samples
        while left > 0:
            if self.replacement:
                part = randint(0, count, (min(left, 1 << 16),), generator=source).tolist()
            else:
                part = randperm(count, generator=source).tolist()[:left]
            if not part:
                return
            yield from part
            left -= len(part)

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Given places, in an order by chance."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for number in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[number]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Places drawn with the probabilities that `weights`, which need not add up to 1, give them.

    Errors: ValueError for weights of more than one axis, or a number that is not positive; TypeError for a
        `replacement` that is no bool.
    """

    weights: Tensor
    num_samples: int
    replacement: bool

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        if isinstance(replacement, bool):
            _positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        held = as_tensor(weights, dtype=dtypes.float64)
        if held.ndim != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(held.shape)}")
        self.weights = held
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of `batch_size` places that another sampler gives in a row; the last may be shorter, or is dropped.

    Errors: ValueError for a `batch_size` that is no positive int, or a `drop_last` that is no bool.
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        _positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        places = iter(self.sampler)
        while batch := list(itertools.islice(places, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole + (rest > 0 and not self.drop_last)
