"""Packed sequences in a trace, where lengths are values of a run: all steps of all sequences, and a mask."""

# Note [Packed sequences in a graph]
# How many sequences a step has is known to a run alone, so a graph computes every step of every sequence and keeps the
# state of those that have ended. Rows of packed data are found, and put in their places, by the mask of what there is.
# A graph relies on lengths that fit, and on one sequence that has all steps: other calls are left to Python. How many
# sequences there are is told by the order they were sorted by, or by states, or known since the graph packed them; else
# the call finds it before its plan runs, as it finds the rows (see Note [Places of a mask]).

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...tensor import Tensor
from ...tensor.arithmetic import add, neg, sub
from ...tensor.creation import arange
from ...tensor.indexing import index_select
from ...tensor.joining import stack
from ...tensor.ordering import argsort, cumsum
from ...tensor.pointwise import clamp, eq, ge, gt, le, logical_and, lt, where
from ...tensor.promotion import to_dtype
from ...tensor.rearranging import flip
from ...tensor.reductions import amax
from ...tensor.reductions import sum as total
from ...tensor.shaping import reshape_to, unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import ValuesNeeded, all_hold, places_in, tracing
from .recurrence import Recurrence

Value = Any


@surface
def is_traced(x: Value) -> bool:
    """Whether `x` stands for a tensor whose values only a run knows."""
    return not isinstance(x, Tensor)


@surface
def all_true(condition: Value) -> bool:
    """Whether all elements of a tensor of bools are True. Compiled code leaves a call with another one to Python."""
    return all_hold(condition)


@surface
def packed_rows(input: Value, lengths: Value, sorts: bool) -> tuple[Value, Value, Value | None]:
    """The packed rows of a padded batch, the sizes of its steps, and the order in which the sequences are packed.

    Shapes: input [time, batch, *]; lengths [batch] -> rows [rows, *], int64 [time], and int64 [batch] if it `sorts`.
    Errors: ValuesNeeded where not even the call knows the lengths before its plan runs.
    """
    steps, batch = input.shape[:2]
    lengths, order = to_dtype(lengths, dtypes.int64), None
    if lengths.device != input.device:
        raise ValuesNeeded("pack_padded_sequence")
    if sorts:
        order = argsort(neg(lengths), stable=True)
        lengths, input = index_select(lengths, 0, order), index_select(input, 1, order)
    fits = lengths.ndim == 1 and lengths.shape[0] == batch
    fits = fits and all_hold(logical_and(gt(lengths, 0), eq(amax(lengths, 0), steps)))
    if not fits or not all_hold(ge(lengths[:-1], lengths[1:])):
        raise ValuesNeeded("pack_padded_sequence")  # and Python says what does not fit
    mask = lt(unsqueeze(arange(steps, device=input.device), 1), lengths)
    sizes = total(mask, 1)
    handler = tracing()
    assert handler is not None
    handler.know_first(sizes, batch)
    return packed_again(input, mask), sizes, order


def _batch_of(rows: Value, sizes: Value, order: Value | None, state: Value | None) -> Any:
    """The number of packed sequences. Errors: ValuesNeeded where not even the call knows it before its plan runs."""
    handler = tracing()
    assert handler is not None
    found = handler.first_of(sizes)
    if found is None and order is not None:
        found = order.shape[0]
    elif found is None and state is not None:
        found = state.shape[1]
    elif found is None:
        found = places_in("PackedSequence", lt(arange(rows.shape[0], device=rows.device), sizes[0])).shape[0]
    handler.know_first(sizes, found)
    return found


@surface
def there(rows: Value, sizes: Value, order: Value | None, state: Value | None = None) -> Value:
    """The mask of what there is, [time, batch], of packed rows and the sizes of the steps. See `_batch_of`."""
    batch = _batch_of(rows, sizes, order, state)
    fits = logical_and(ge(sizes, 1), le(sizes, batch))
    fits = logical_and(fits, eq(total(sizes, 0), rows.shape[0]))
    all_hold(logical_and(fits, eq(sizes[0], batch)))
    all_hold(ge(sizes[:-1], sizes[1:]))
    return lt(arange(batch, device=rows.device), unsqueeze(sizes, 1))


@surface
def padded(rows: Value, sizes: Value, mask: Value, value: float = 0.0) -> Value:
    """Packed rows [rows, *] in their places [time, batch, *], and `value` in the others."""
    before = unsqueeze(sub(cumsum(sizes, 0), sizes), 1)
    places = clamp(add(before, arange(mask.shape[1], device=rows.device)), max=rows.shape[0] - 1)
    found = index_select(rows, 0, reshape_to(places, (-1,)))
    shown = reshape_to(mask, (*mask.shape, *(1 for _ in range(rows.ndim - 1))))
    return where(shown, reshape_to(found, (*mask.shape, *rows.shape[1:])), value)


@surface
def packed_again(x: Value, mask: Value) -> Value:
    """The packed rows of what is padded."""
    rows = reshape_to(x, (mask.shape[0] * mask.shape[1], *x.shape[2:]))
    return index_select(rows, 0, places_in("pack_padded_sequence", mask))


@surface
def lengths_of(mask: Value) -> Value:
    """The length of each sequence, int64 [batch]."""
    return total(mask, 0)


def recur_padded(recurrence: Recurrence, operands: Sequence[Value], mask: Value, reverse: bool) -> tuple[Value, ...]:
    """The outputs of all steps and the last states, computed one step after the other where `mask` holds.

    reverse: each sequence is gone through from its own end.
    """
    inputs, shown = operands[0], unsqueeze(mask, 2)
    if reverse:
        inputs, shown = flip(inputs, (0,)), flip(shown, (0,))
    outputs = []
    count = recurrence.states
    step, states, weights = recurrence.step, tuple(operands[1 : count + 1]), operands[count + 1 :]
    if count == 1:
        (state,) = states
        for each, holds in zip(inputs, shown):
            (new,) = step(each, state, *weights)
            state = where(holds, new, state)
            outputs.append(state)
        states = (state,)
    else:
        state, cell = states
        for each, holds in zip(inputs, shown):
            new, newer = step(each, state, cell, *weights)
            state, cell = where(holds, new, state), where(holds, newer, cell)
            outputs.append(state)
        states = (state, cell)
    found = stack(outputs)
    return (flip(found, (0,)) if reverse else found, *states)


__all__ = ["all_true", "is_traced", "lengths_of", "packed_again", "packed_rows", "padded", "recur_padded", "there"]
