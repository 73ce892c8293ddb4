"""Attention whose scores are never stored, and its gradients, which make the scores anew."""

# Note [Attention on devices]
# On the CPU a graph has the rounds of Note [Blocks of attention]. In a graph for a device the pass that expands
# composites asks `on_devices`, which gives one step for attention and one for its gradients (`fused_attention`), where
# there are kernels for the operands. So a rule leaves the gradients whole until then: they are ops of their own.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes as d
from ..core.errors import OpError
from ..core.records import dataclass
from ..core.types import TensorType
from . import samples
from .attention_blocks import (
    Blocks,
    attention_at_once,
    attention_by_blocks,
    attention_type,
    eager_attention,
    eager_gradients,
    gradients_at_once,
    gradients_by_blocks,
    is_at_once,
    masked_shares,
    noise_of_all,
    turned,
)
from .derivative import Part
from .emitter import ARRAYS, ArrayEmitter, Emitter
from .fused_attention import fused_attention, fused_gradient
from .registry import WINDOW_KERNEL, Array, Composite, OpDef, Sample, define_op

Value = Any
GRADIENTS: dict[tuple[bool, bool], OpDef] = {}
"""The ops that give a gradient, by whether there is a mask and whether shares are dropped."""


def _gradients(
    f: Emitter,
    g: Value,
    query: Value,
    key: Value,
    value: Value,
    mask: Value | None,
    draws: Sequence[Value],
    **attrs: Any,
) -> Sequence[Value]:
    """The cotangents of query, key and value."""
    at_once = is_at_once(f.shape(query), f.shape(key)[1], attrs["rows"])
    if at_once and not f.on_device(query):
        del attrs["rows"]
        return gradients_at_once(f, g, query, key, value, mask, draws, **attrs)
    if isinstance(f, ArrayEmitter):
        rows = attrs.pop("rows")
        return eager_gradients(Blocks(query, key, mask, draws, **attrs), g, value, rows)
    if not f.on_device(query):
        return gradients_by_blocks(f, g, query, key, value, mask, draws, **attrs)
    op = GRADIENTS[mask is not None, bool(draws)]
    more = [] if mask is None else [mask]
    return [f.apply(op, query, key, value, *more, *draws, g, of=of, **attrs) for of in range(3)]


def _second_gradients(
    f: Emitter,
    w: Value,
    g: Value,
    query: Value,
    key: Value,
    value: Value,
    mask: Value | None,
    draws: Sequence[Value],
    *,
    scale: float,
    causal: bool,
    rows: int,
    of: int,
) -> Sequence[Value]:
    """The cotangents of query, key, value and `g`, made of `w`, that of the gradient number `of`.

    With shares P, dropped ones D = P N, and means m: the gradients are S key, S^T query and D^T g, where
    S = scale P (N (g value^T) - m). All scores are in memory.
    """

    def by_row(x: Value) -> Value:
        return f.reshape(f.sum(x, axes=(2,)), shape=(*f.shape(x)[:2], 1))

    shares = masked_shares(f, query, key, mask, scale, causal)
    noise = noise_of_all(f, draws, shares) if draws else None

    def dropped(x: Value) -> Value:
        return x if noise is None else f.multiply(x, noise)

    slopes = dropped(f.matmul(g, turned(f, value)))
    if of == 2:
        for_shares, for_slopes = dropped(f.matmul(g, turned(f, w))), None
        for_g, for_value = f.matmul(dropped(shares), w), None
        for_query = for_key = None
    else:
        centred = f.subtract(slopes, by_row(f.multiply(slopes, shares)))
        scores = f.multiply(f.multiply(shares, centred), scale)
        along = f.multiply(f.matmul(w, turned(f, key)) if of == 0 else f.matmul(query, turned(f, w)), scale)
        mean = by_row(f.multiply(along, shares))
        for_shares = f.subtract(f.multiply(along, centred), f.multiply(slopes, mean))
        for_slopes = dropped(f.multiply(shares, f.subtract(along, mean)))
        for_g, for_value = f.matmul(for_slopes, value), f.matmul(turned(f, for_slopes), g)
        for_query = f.matmul(scores, w) if of == 1 else None
        for_key = f.matmul(turned(f, scores), w) if of == 0 else None
    inner = f.subtract(for_shares, by_row(f.multiply(for_shares, shares)))
    inner = f.multiply(f.multiply(shares, inner), scale)
    by_scores = f.matmul(inner, key), f.matmul(turned(f, inner), query)
    for_query = by_scores[0] if for_query is None else f.add(for_query, by_scores[0])
    for_key = by_scores[1] if for_key is None else f.add(for_key, by_scores[1])
    return for_query, for_key, f.multiply(value, 0.0) if for_value is None else for_value, for_g


# The ops.
def _samples(masked: bool, dropped: bool) -> Iterable[Sample]:
    for dtype in (d.float32, d.float64):
        for number, ((length, places), rows) in enumerate((((4, 4), 2), ((5, 3), 2), ((3, 6), 8), ((5, 5), 1))):
            shapes = ((2, length, 3), (2, places, 3), (2, places, 2))
            given = [samples.uniform(-1, 1, shape, dtype, seed) for seed, shape in enumerate(shapes)]
            if masked:
                form = ((2, length, places), (1, length, places), (2, 1, places), (1, 1, places))[number]
                mask = samples.uniform(-1, 1, form, dtype, 5)
                given.append(mask > -0.5 if number % 2 else mask)
            if dropped:
                given += [np.array([7, 3], np.int64), np.array([0.75], dtype.numpy)]
            for causal in (False, True):
                yield samples.with_attrs(tuple(given), scale=0.5, causal=causal, rows=rows)


def _gradient_samples(masked: bool, dropped: bool) -> Iterable[Sample]:
    for number, sample in enumerate(_samples(masked, dropped)):
        query, _, value = sample.args[:3]
        dtype = d.float32 if query.dtype == np.float32 else d.float64
        g = samples.uniform(-1, 1, (*query.shape[:2], value.shape[2]), dtype, 9)
        yield samples.with_attrs((*sample.args, g), **dict(sample.attrs), of=number * 2 % 3)


@dataclass(frozen=True, slots=True)
class _AttentionKind:
    """One of the four kinds of attention: with a mask or without, with dropout or without.

    Its methods are what the declarations of the two ops ask for. They take query, key, value and `given`: the mask if
    there is one, then the two operands of the dropout if there is some; those of the gradient take the cotangent last.
    """

    masked: bool
    dropped: bool

    @property
    def more(self) -> tuple[str, ...]:
        """The names of the operands behind query, key and value."""
        return (*(["mask"] if self.masked else []), *(["place", "kept"] if self.dropped else []))

    @property
    def name(self) -> str:
        """The name of the op."""
        return "_".join(["attention", *(["masked"] if self.masked else []), *(["dropped"] if self.dropped else [])])

    def split(self, given: Sequence[Value]) -> tuple[Value | None, Sequence[Value]]:
        """The mask, and the operands of the dropout."""
        return given[0] if self.masked else None, given[-2:] if self.dropped else ()

    def meta(self, q: TensorType, k: TensorType, v: TensorType, *given: TensorType, **attrs: Any) -> TensorType:
        """The type of the result."""
        if len(given) != len(self.more):
            raise TypeError(f"attention takes {3 + len(self.more)} operands here, got {3 + len(given)}")
        return attention_type(q, k, v, *given, **attrs)

    def eager(self, q: Array, k: Array, v: Array, *given: Array, rows: int, **attrs: Any) -> Array:
        """The result in NumPy."""
        if is_at_once(q.shape, k.shape[1], rows):
            return attention_at_once(ARRAYS, q, k, v, *self.split(given), in_primitives=False, **attrs)  # type: ignore[no-any-return]
        return eager_attention(Blocks(q, k, *self.split(given), **attrs), v, rows)

    def expand(self, f: Emitter, q: Value, k: Value, v: Value, *given: Value, rows: int, **attrs: Any) -> Value:
        """The result in primitives."""
        if is_at_once(f.shape(q), f.shape(k)[1], rows):
            return attention_at_once(f, q, k, v, *self.split(given), in_primitives=True, **attrs)
        return attention_by_blocks(f, q, k, v, *self.split(given), rows=rows, **attrs)

    def on_devices(self, f: Emitter, q: Value, k: Value, v: Value, *given: Value, **attrs: Any) -> Value:
        """The result by a step of a device; None where it has none for these operands."""
        return fused_attention(f, q, k, v, *self.split(given), **attrs)

    def rule(self, f: Emitter, g: Value, query: Value, key: Value, value: Value, *given: Value, **attrs: Any) -> Any:
        """The cotangents of query, key and value."""
        return _gradients(f, g, query, key, value, *self.split(given), **attrs)

    def gradient_meta(
        self, q: TensorType, k: TensorType, v: TensorType, *given: TensorType, of: int, **attrs: Any
    ) -> TensorType:
        """The type of the cotangent of operand number `of`."""
        *others, g = given
        result = self.meta(q, k, v, *others, **attrs)
        if g.shape != result.shape or g.dtype is not result.dtype:
            raise OpError(f"the gradients of attention take that of its result, {result}, got {g}")
        return (q, k, v)[of]

    def eager_gradient(self, q: Array, k: Array, v: Array, *given: Array, rows: int, of: int, **attrs: Any) -> Array:
        """The cotangent in NumPy."""
        *others, g = given
        return eager_gradients(Blocks(q, k, *self.split(others), **attrs), g, v, rows)[of]

    def expand_gradient(self, f: Emitter, q: Value, k: Value, v: Value, *given: Value, of: int, **attrs: Any) -> Value:
        """The cotangent in primitives."""
        *others, g = given
        return gradients_by_blocks(f, g, q, k, v, *self.split(others), **attrs)[of]

    def gradient_on_devices(self, f: Emitter, q: Value, k: Value, v: Value, *given: Value, **attrs: Any) -> Value:
        """The cotangent by a step of a device; None where it has none for these operands."""
        *others, g = given
        return fused_gradient(f, g, q, k, v, *self.split(others), **attrs)

    def gradient_rule(
        self, f: Emitter, w: Value, query: Value, key: Value, value: Value, *given: Value, **attrs: Any
    ) -> Any:
        """The cotangents of query, key, value and the cotangent, made of `w`, that of the gradient."""
        *others, g = given
        return _second_gradients(f, w, g, query, key, value, *self.split(others), **attrs)


def _define(kind: _AttentionKind) -> OpDef:
    """Attention of a kind, and before it the op that gives its gradients."""
    operands, none = ("query", "key", "value", *kind.more), (None,) * len(kind.more)
    GRADIENTS[kind.masked, kind.dropped] = define_op(
        f"{kind.name}_gradient",
        meta=kind.gradient_meta,
        eager=kind.eager_gradient,
        lower=Composite(kind.expand_gradient, on_devices=kind.gradient_on_devices),
        exact=False,
        operands=(*operands, "slope"),
        vjp=(*(Part(kind.gradient_rule, place) for place in range(3)), *none, Part(kind.gradient_rule, 3)),
        samples=lambda: _gradient_samples(kind.masked, kind.dropped),
    )
    return define_op(
        kind.name,
        meta=kind.meta,
        eager=kind.eager,
        lower=Composite(kind.expand, on_devices=kind.on_devices),
        exact=False,
        operands=operands,
        vjp=(*(Part(kind.rule, place) for place in range(3)), *none),
        grad_name="ScaledDotProductFlashAttentionForCpu",
        kernel_from=WINDOW_KERNEL,
        samples=lambda: _samples(kind.masked, kind.dropped),
    )


ATTENTION = {
    (masked, dropped): _define(_AttentionKind(masked, dropped)) for masked in (False, True) for dropped in (False, True)
}
"""The ops, by whether they have a mask and whether they drop shares."""
