"""The loss of connectionist temporal classification: the probability of a text, whatever its alignment.

Source: Graves, Fernández, Gomez & Schmidhuber 2006.
"""

# Note [Alignments]
# A text of S labels is read as 2 S + 1 symbols, with blanks around each label. `reached` holds, by example and symbol,
# the logarithm of the probability of all alignments of the frames so far that end in that symbol. A frame stays at the
# symbol, comes from the one before, or from the label before over a blank, if the two labels differ. What cannot be
# reached has a logarithm that is finite, so that no derivative is a NaN; nothing that can be reached comes near it.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...tensor.arithmetic import add, div, mul, neg, sub
from ...tensor.creation import arange, full, tensor
from ...tensor.dispatch import check_tensors, is_tensor_like
from ...tensor.indexing import gather, getitem
from ...tensor.joining import cat, stack
from ...tensor.pointwise import clamp, eq, exp, ge, gt, le, logical_and, logical_or, lt, ne, where
from ...tensor.promotion import to_dtype
from ...tensor.reductions import logsumexp
from ...tensor.reductions import sum as total
from ...tensor.shaping import expand, reshape_to, result_in, unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import all_hold, values_of
from ..checks import shape_text
from ..errors import LayerShapeError
from .loss_reduction import check_reduction, reduced
from .padding import pad

Value = Any
"""A Tensor, or what stands for one while a function is traced."""
_NEVER = -1e30
"""The logarithm of the probability of what cannot be reached."""


@surface
def ctc_loss(
    log_probs: Value,
    targets: Value,
    input_lengths: Value | Sequence[int],
    target_lengths: Value | Sequence[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Value:
    """Minus the logarithm of the probability of the targets, over all their alignments with the frames.

    As in PyTorch, the gradient is that of logits whose `log_softmax` is `log_probs`. "mean" divides the loss of each
    example by the length of its target first.
    Shapes: log_probs [T, N, C] or [T, C], float32 or float64; targets integers [N, S], or all in one [sum of lengths];
    lengths [N], or one number.
    zero_infinity: targets that are too long for their frames count as 0, and not as infinity.
    Errors: RuntimeError for lengths or labels that do not fit, NotImplementedError for other dtypes.
    """
    check_reduction("ctc_loss", reduction)
    check_tensors("ctc_loss", log_probs=log_probs, targets=targets)
    if log_probs.dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(f'"ctc_loss" not implemented for {log_probs.dtype}')
    single = log_probs.ndim == 2
    if single:
        log_probs = unsqueeze(log_probs, 1)
    if log_probs.ndim != 3:
        raise LayerShapeError(f"ctc_loss: log_probs is [T, N, C] or [T, C], got {shape_text(log_probs)}")
    frames, count, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise LayerShapeError(f"blank must be in label range: got {blank}, there are {classes} classes")
    lengths = _lengths("input_lengths", input_lengths, count, log_probs)
    sizes = _lengths("target_lengths", target_lengths, count, log_probs)
    if not all_hold(logical_and(ge(lengths, 0), le(lengths, frames))):
        raise LayerShapeError(f"Expected input_lengths to have value at most {frames}: see log_probs.shape[0]")
    labels = _padded(targets, sizes, count, single)
    if not all_hold(logical_and(ge(sizes, 0), le(sizes, labels.shape[1]))):
        raise LayerShapeError(
            f"Expected targets to have size at least that of the longest at dimension 1, got {labels.shape[1]}"
        )
    inside = lt(arange(labels.shape[1], device=log_probs.device), unsqueeze(sizes, 1))
    labels = where(inside, to_dtype(labels, dtypes.int64), int(blank))
    loss = _loss(log_probs, labels, lengths, sizes, int(blank), zero_infinity)
    if reduction == "mean":
        loss = div(loss, to_dtype(clamp(sizes, min=1), loss.dtype))
    return reduced("ctc_loss", result_in(loss, ()) if single else loss, reduction)


def _lengths(name: str, lengths: Any, count: int, like: Value) -> Value:
    """Lengths as integers [N]. Errors: RuntimeError for another number of them, or what are no integers."""
    if not is_tensor_like(lengths):
        lengths = tensor([int(each) for each in lengths], dtype=dtypes.int64, device=like.device)
    if not lengths.dtype.is_integer:
        raise LayerShapeError(f"{name} must be integral, got {lengths.dtype}")
    if math.prod(lengths.shape) != count or lengths.ndim > 1:
        raise LayerShapeError(f"{name} must be of size batch_size: got {shape_text(lengths)} for {count} examples")
    return to_dtype(reshape_to(lengths, (count,)), dtypes.int64)


def _padded(targets: Value, sizes: Value, count: int, single: bool) -> Value:
    """The targets as [N, S], whatever stands behind the end of each."""
    if targets.ndim == 2:
        if targets.shape[0] != count:
            raise LayerShapeError(f"Expected targets of {count} examples, got {shape_text(targets)}")
        return targets
    if targets.ndim != 1:
        raise LayerShapeError(f"ctc_loss: targets is [N, S] or [sum of lengths], got {shape_text(targets)}")
    if single:
        return unsqueeze(targets, 0)
    known = [int(each) for each in values_of("ctc_loss", sizes, for_shape=True)]
    if sum(known) != targets.shape[0]:
        raise LayerShapeError(
            f"Expected tensor to have size {sum(known)} at dimension 0, but got size {targets.shape[0]} for 'targets'"
        )
    longest, start, rows = max(known, default=0), 0, []
    for size in known:
        rows.append(pad(getitem(targets, slice(start, start + size)), (0, longest - size)))
        start += size
    return stack(rows)


def _loss(log_probs: Value, labels: Value, lengths: Value, sizes: Value, blank: int, zero_infinity: bool) -> Value:
    """The loss of each example, of labels [N, S] in which blanks stand behind the end. See Note [Alignments]."""
    frames, count = log_probs.shape[:2]
    symbols = _with_blanks(labels, blank)
    width = symbols.shape[1]
    emitted = gather(log_probs, 2, expand(unsqueeze(symbols, 0), frames, count, width))
    place = arange(width, device=log_probs.device)
    column = unsqueeze(sizes, 1)
    may_start = logical_or(eq(place, 0), logical_and(eq(place, 1), gt(column, 0)))
    reached = where(may_start, getitem(emitted, 0), _NEVER)
    over_blank = None
    if width > 3:
        over_blank = logical_and(ne(symbols, blank), ne(symbols, pad(symbols, (2, -2), value=blank)))
    for frame in range(1, frames):
        ways = [reached]
        if width > 1:
            ways.append(pad(reached, (1, -1), value=_NEVER))
        if over_blank is not None:
            ways.append(where(over_blank, pad(reached, (2, -2), value=_NEVER), _NEVER))
        following = add(logsumexp(stack(ways), 0), getitem(emitted, frame))
        reached = where(gt(unsqueeze(lengths, 1), frame), following, reached)
    at_blank = gather(reached, 1, mul(column, 2))
    at_label = where(gt(column, 0), gather(reached, 1, clamp(sub(mul(column, 2), 1), min=0)), _NEVER)
    loss = neg(logsumexp(cat([at_blank, at_label], 1), 1))
    loss = where(gt(lengths, 0), loss, where(gt(sizes, 0), -_NEVER, 0.0))
    # Adds nothing but the gradient of the normalisation, frame by frame.
    counts = gt(reshape_to(lengths, (1, count, 1)), reshape_to(arange(frames, device=log_probs.device), (frames, 1, 1)))
    mass = total(where(counts, exp(log_probs), 0.0), (0, 2))
    impossible = gt(loss, -_NEVER / 2)
    loss = add(loss, sub(mass, mass.detach()))
    return where(impossible, 0.0, loss) if zero_infinity else mul(loss, where(impossible, math.inf, 1.0))


def _with_blanks(labels: Value, blank: int) -> Value:
    """[N, 2 S + 1]: the labels [N, S] with blanks around each."""
    count, size = labels.shape
    blanks = full((count, size), blank, dtype=dtypes.int64, device=labels.device)
    last = full((count, 1), blank, dtype=dtypes.int64, device=labels.device)
    return cat([reshape_to(stack([blanks, labels], 2), (count, 2 * size)), last], 1)
