"""Sequences of several lengths in one tensor: padded, or packed with no padding at all."""

# Note [Packed rows]
# The rows of a packed batch are those of step 0 of all sequences, then those of step 1 of all that are longer than one,
# and so on; sequences are sorted by length, the longest first. So each step has the first rows of the step before it.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core import dtypes
from ...core.devices import HOST
from ...tensor import Tensor
from ...tensor.creation import full, tensor
from ...tensor.indexing import index_select
from ...tensor.joining import cat, stack
from ...tensor.ordering import argsort
from ...tensor.shaping import reshape_to, transpose
from ...tensor.tracing import values_of
from ..errors import LayerArgumentError, LayerShapeError, PackedLengthError
from ..recurrent.padded import is_traced, lengths_of, packed_rows, padded, there

Value = Any
_SORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
    "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement"
)


class _PackedFields(NamedTuple):
    """The fields of a packed batch."""

    data: Value
    batch_sizes: Value
    sorted_indices: Value | None
    unsorted_indices: Value | None


class PackedSequence(_PackedFields):
    """Sequences of several lengths, packed. See Note [Packed rows].

    data:             the rows, [rows, *].
    batch_sizes:      int64 on the CPU: for each step the number of sequences that have it.
    sorted_indices:   for each sequence as it is packed its place in the batch; None where that is its own.
    unsorted_indices: the inverse of that permutation.
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Value,
        batch_sizes: Value | None = None,
        sorted_indices: Value | None = None,
        unsorted_indices: Value | None = None,
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise LayerArgumentError("PackedSequence takes data and batch_sizes, or a pair of them")
            data, batch_sizes = data
        elif batch_sizes.device != HOST:
            raise LayerArgumentError(
                f"batch_sizes should always be on CPU, and these are on {batch_sizes.device}; call .cpu(), or make "
                "packed sequences with the functions of nn.utils.rnn"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The batch with its data converted or moved, and the indices beside it; itself where nothing changes."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        places = [
            None if each is None else each.to(data.device) for each in (self.sorted_indices, self.unsorted_indices)
        ]
        return type(self)(data, self.batch_sizes, *places)

    def cpu(self) -> PackedSequence:
        """The batch on the CPU."""
        return self.to("cpu")

    def cuda(self, device: Any = "cuda") -> PackedSequence:
        """The batch on a device."""
        return self.to(device)

    def double(self) -> PackedSequence:
        """The batch in float64."""
        return self.to(dtype=dtypes.float64)

    def float(self) -> PackedSequence:
        """The batch in float32."""
        return self.to(dtype=dtypes.float32)

    def half(self) -> PackedSequence:
        """The batch in float16."""
        return self.to(dtype=dtypes.float16)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a CUDA device."""
        return bool(self.data.device != HOST)


def invert_permutation(permutation: Value | None) -> Value | None:
    """The permutation that undoes this one, int64 [n]; None for None."""
    if permutation is None:
        return None
    if is_traced(permutation):
        return argsort(permutation)
    return Tensor._wrap(np.argsort(values_of("invert_permutation", permutation))).to(permutation.device)


def _lengths_of(lengths: Value) -> list[int]:
    if isinstance(lengths, (list, tuple)):
        return [int(each) for each in lengths]
    return [int(each) for each in values_of("pack_padded_sequence", lengths)]


def _index(places: Any, like: Value) -> Value:
    return tensor(places, dtype=dtypes.int64, device=like.device)


def pack_padded_sequence(
    input: Value, lengths: Value | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """The sequences of a padded batch, packed.

    Shapes: input [time, batch, *], or [batch, time, *] with `batch_first`; lengths [batch], on the CPU.
    enforce_sorted: the lengths must descend; else the sequences are sorted, and recurrent layers undo that.
    Errors: RuntimeError for lengths that do not fit the batch, are not positive, exceed the time, or do not descend.
    """
    if is_traced(input):
        given = tensor(lengths) if isinstance(lengths, (list, tuple)) else lengths
        return PackedSequence(*packed_rows(transpose(input, 0, 1) if batch_first else input, given, not enforce_sorted))
    counts = np.array(_lengths_of(lengths), np.int64)
    order = None
    if not enforce_sorted:
        places = np.argsort(-counts, kind="stable")
        order, counts = _index(places, input), counts[places]
        input = index_select(input, 0 if batch_first else 1, order)
    if batch_first:
        input = transpose(input, 0, 1)
    steps, batch = input.shape[:2]
    if len(counts) != batch:
        raise PackedLengthError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} (batch_size={batch})"
        )
    if not batch or counts.min() <= 0:
        raise PackedLengthError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if (counts[1:] > counts[:-1]).any():
        raise PackedLengthError(_SORTED)
    if counts[0] > steps:
        raise PackedLengthError(f"lengths go up to {counts[0]}, and the input has {steps} steps")
    sizes = (counts[None, :] > np.arange(counts[0])[:, None]).sum(1)
    places = np.concatenate([step * batch + np.arange(size) for step, size in enumerate(sizes)])
    rows = reshape_to(input, (steps * batch, *input.shape[2:]))
    return PackedSequence(index_select(rows, 0, _index(places, input)), Tensor._wrap(sizes.astype(np.int64)), order)


def sizes_of(sequence: PackedSequence) -> list[int]:
    """The number of sequences at each step. Errors: RuntimeError unless they descend and account for all rows."""
    sizes = [int(each) for each in values_of("PackedSequence", sequence.batch_sizes)]
    if not sizes or any(after > size for size, after in zip(sizes, sizes[1:])) or sizes[-1] < 1:
        raise PackedLengthError(f"batch_sizes must descend and be positive, got {sizes}")
    if sum(sizes) != sequence.data.shape[0]:
        raise PackedLengthError(f"batch_sizes are {sum(sizes)} together, and there are {sequence.data.shape[0]} rows")
    return sizes


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Value, Value]:
    """The sequences of a packed batch, padded, and their lengths, in the order in which they were given.

    Shapes: [time, batch, *], or [batch, time, *] with `batch_first`; lengths int64 [batch].
    total_length: the number of steps of the result, by default that of the longest.
    Errors: ValueError for a `total_length` that is too short.
    """
    if is_traced(sequence.data):
        return _padded_in_graph(sequence, batch_first, padding_value, total_length)
    sizes = sizes_of(sequence)
    batch = sizes[0]
    steps = _steps(len(sizes), total_length)
    rows = sequence.data.shape[0]
    places = np.full((steps, batch), rows, np.int64)
    first = 0
    for step, size in enumerate(sizes):
        places[step, :size] = np.arange(first, first + size)
        first += size
    lengths = Tensor._wrap((np.array(sizes)[None, :] > np.arange(batch)[:, None]).sum(1).astype(np.int64))
    data = sequence.data
    blank = full((1, *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    found = index_select(cat([data, blank], 0), 0, _index(places.reshape(-1), data))
    return _as_given(sequence, reshape_to(found, (steps, batch, *data.shape[1:])), lengths, batch_first)


def _steps(longest: int, total_length: int | None) -> int:
    """The number of steps of a padded batch."""
    if total_length is not None and total_length < longest:
        raise LayerArgumentError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    return longest if total_length is None else total_length


def _as_given(sequence: PackedSequence, found: Value, lengths: Value, batch_first: bool) -> tuple[Value, Value]:
    """The padded sequences and their lengths in the order in which they were given."""
    if sequence.unsorted_indices is not None:
        found = index_select(found, 1, sequence.unsorted_indices)
        lengths = index_select(lengths, 0, sequence.unsorted_indices.to("cpu"))
    return (transpose(found, 0, 1) if batch_first else found), lengths


def _padded_in_graph(
    sequence: PackedSequence, batch_first: bool, padding_value: float, total_length: int | None
) -> tuple[Value, Value]:
    """See Note [Packed sequences in a graph]."""
    data, sizes = sequence.data, sequence.batch_sizes
    mask = there(data, sizes, sequence.sorted_indices)
    found = padded(data, sizes, mask, padding_value)
    steps = _steps(mask.shape[0], total_length)
    found = _longer(found, steps - mask.shape[0], padding_value, False)
    return _as_given(sequence, found, lengths_of(mask), batch_first)


def pad_sequence(
    sequences: Value | Iterable[Value],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Value:
    """Sequences of several lengths in one tensor, with `padding_value` behind them, or in front.

    Shapes: each [time, *] -> [longest, batch, *], or [batch, longest, *] with `batch_first`.
    Errors: RuntimeError for no sequences, for sizes that do not fit, and for another side.
    """
    if not isinstance(sequences, (Tensor, list, tuple)) and not hasattr(sequences, "__iter__"):
        raise PackedLengthError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    if padding_side not in ("left", "right"):
        raise PackedLengthError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    given = list(sequences)
    if not given:
        raise PackedLengthError("received an empty list of sequences")
    form = tuple(given[0].shape[1:])
    for each in given:
        if tuple(each.shape[1:]) != form:
            raise LayerShapeError(
                f"pad_sequence: sequences differ in more than their length: {list(given[0].shape)} and "
                f"{list(each.shape)}"
            )
    longest = max(each.shape[0] for each in given)
    rows = [_longer(each, longest - each.shape[0], padding_value, padding_side == "left") for each in given]
    return stack(rows, 0 if batch_first else 1)


def _longer(x: Value, rows: int, value: float, in_front: bool) -> Value:
    if not rows:
        return x
    blank = full((rows, *x.shape[1:]), value, dtype=x.dtype, device=x.device)
    return cat([blank, x] if in_front else [x, blank], 0)


def unpad_sequence(padded_sequences: Value, lengths: Value, batch_first: bool = False) -> list[Value]:
    """The sequences of a padded batch, each [length, *]. See `pad_sequence`."""
    if not batch_first:
        padded_sequences = transpose(padded_sequences, 0, 1)
    return [padded_sequences[place, :length] for place, length in enumerate(_lengths_of(lengths))]


def pack_sequence(sequences: Sequence[Value], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences of several lengths, each [length, *], packed. See `pack_padded_sequence`."""
    lengths = [each.shape[0] for each in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Value]:
    """The sequences of a packed batch, each [length, *], in the order in which they were given."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
