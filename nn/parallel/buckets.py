"""Parameters in buckets, each of which is communicated as one vector."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.records import dataclass
from ...tensor.parameter import Parameter

FIRST_BUCKET_MB = 1.0
"""The first bucket is small, so that communication begins early in a backward pass."""


@dataclass(eq=False)
class Bucket:
    """Parameters of one dtype, whose gradients are reduced together. numbers: their places among all parameters."""

    parameters: tuple[Parameter, ...]
    numbers: tuple[int, ...]

    @property
    def sizes(self) -> list[int]:
        """The numbers of elements."""
        return [each.numel() for each in self.parameters]


def buckets_of(parameters: Sequence[Parameter], cap_mb: float) -> list[Bucket]:
    """The buckets, in the order in which a backward pass fills them: that of the parameters, backwards.

    Units: `cap_mb` counts 2**20 bytes of gradients in a bucket, of which a larger parameter has one alone.
    """
    made: list[Bucket] = []
    open: dict[object, list[int]] = {}
    bytes_of = [each.numel() * each.element_size() for each in parameters]
    for number in reversed(range(len(parameters))):
        numbers = open.setdefault(parameters[number].dtype, [])
        cap = 2**20 * (min(FIRST_BUCKET_MB, cap_mb) if not made else cap_mb)
        if numbers and sum(bytes_of[each] for each in numbers) + bytes_of[number] > cap:
            made.append(_bucket(parameters, numbers))
            numbers = open[parameters[number].dtype] = []
        numbers.append(number)
    made += [_bucket(parameters, numbers) for numbers in open.values()]
    return sorted(made, key=lambda bucket: -bucket.numbers[-1])


def _bucket(parameters: Sequence[Parameter], numbers: Sequence[int]) -> Bucket:
    return Bucket(tuple(parameters[each] for each in numbers), tuple(numbers))
