"""Complex numbers: taken apart into floats, and put together. What is computed with them is computed with floats.

The gradient of a complex number a + ib is dL/da + i dL/db, as PyTorch has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .exact import fused_multiply_add
from .pointwise import check_arity
from .registry import Array, Composite, OpDef, Pointwise, Rule, Sample, define_op

KEPT = frozenset(
    "where cat pad take gather slice slice_store permute reshape expand diagonal as_strided segment alias with_history "
    "real imag complex real_view imag_view view_as_real view_as_complex "
    "bitcast to_device region region_result call_out call_result cond cond_result loop loop_result "
    "saved join one_call placeholder fft rfft irfft".split()
)
"""The ops that take complex numbers as they are."""


def _numbers(shape: tuple[int, ...], dtype: dtypes.DType) -> Array:
    part = dtypes.PART[dtype]
    return np.asarray(
        samples.uniform(-4, 4, shape, part, 1) + np.asarray(samples.uniform(-4, 4, shape, part, 2) * 1j, dtype.numpy)
    )


def _taken_apart(name: str, text: str, eager: Callable[[Array], Array], rule: Rule) -> OpDef:
    def meta(*types: TensorType) -> TensorType:
        check_arity(name, 1, types)
        x = types[0]
        if not x.dtype.is_complex:
            raise OpError(f"{name} takes complex numbers, got {x}")
        return x.with_dtype(dtypes.PART[x.dtype])

    return define_op(
        name,
        meta=meta,
        eager=lambda x: np.array(eager(x)),
        lower=Pointwise(text),
        samples=lambda: [Sample((_numbers((3, 4), dtype),)) for dtype in dtypes.COMPLEX],
        operands=("self",),
        vjp=(rule,),
    )


REAL = _taken_apart("real", "{0}.real", np.real, lambda f, g: f.complex(g, 0.0))
IMAG = _taken_apart("imag", "{0}.imag", np.imag, lambda f, g: f.complex(0.0, g))


def _complex_meta(*types: TensorType) -> TensorType:
    check_arity("complex", 2, types)
    real, imag = types
    for dtype, part in dtypes.PART.items():
        if real == imag and real.dtype is part:
            return real.with_dtype(dtype)
    raise OpError(f"complex takes two operands of one float type, got {real} and {imag}")


def _complex_eager(real: Array, imag: Array) -> Array:
    shape = np.broadcast_shapes(np.shape(real), np.shape(imag))
    made: Any = np.empty(shape, np.result_type(real, imag, np.complex64))
    made.real, made.imag = real, imag
    return np.asarray(made)


def _pairs() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        left, right = np.meshgrid(samples.special_floats(dtype), samples.special_floats(dtype))
        yield Sample((left.copy(), right.copy()))
        yield Sample((samples.uniform(-4, 4, (3, 4), dtype, 1), samples.uniform(-4, 4, (3, 4), dtype, 2)))


COMPLEX = define_op(
    "complex",
    meta=_complex_meta,
    eager=_complex_eager,
    lower=Pointwise("complex({0}, {1})"),
    samples=_pairs,
    operands=("real", "imag"),
    vjp=(lambda f, g: f.real(g), lambda f, g: f.imag(g)),
)


# Views of the parts of complex numbers, and of pairs of floats as complex numbers.
def _pairs_of(f: Emitter, real: Any, imag: Any) -> Any:
    """Two values of one shape by turns, along a new last axis."""
    shape = f.shape(real)
    return f.cat(*(f.reshape(each, shape=(*shape, 1)) for each in (real, imag)), axis=len(shape))


def _parts_of(f: Emitter, x: Any) -> Any:
    """The real and the imaginary parts of `x`, along a new last axis."""
    return _pairs_of(f, f.real(x), f.imag(x))


def _joined(f: Emitter, x: Any) -> Any:
    """The complex numbers of whose parts the last axis of `x` holds two."""
    *lead, _ = f.shape(x)
    starts, sizes, steps = (0,) * len(lead), (*lead, 1), (1,) * (len(lead) + 1)
    halves = (f.slice(x, starts=(*starts, place), sizes=sizes, steps=steps) for place in range(2))
    return f.complex(*(f.reshape(each, shape=tuple(lead)) for each in halves))


def _part_view(name: str, of: OpDef, put_back: Callable[..., Any]) -> OpDef:
    return define_op(
        name,
        meta=of.meta,
        eager=np.real if of is REAL else np.imag,
        lower=Composite(lambda f, x: f.apply(of, x), put_back=put_back),
        samples=of.samples,
        operands=("self",),
        vjp=of.vjp,
        grad_name="Select",
    )


REAL_VIEW = _part_view("real_view", REAL, lambda f, whole, part: f.complex(part, f.imag(whole)))
IMAG_VIEW = _part_view("imag_view", IMAG, lambda f, whole, part: f.complex(f.real(whole), part))


def _view_as_real_meta(*types: TensorType) -> TensorType:
    check_arity("view_as_real", 1, types)
    x = types[0]
    if not x.dtype.is_complex:
        raise OpError(f"view_as_real takes complex numbers, got {x}")
    return TensorType((*x.shape, 2), dtypes.PART[x.dtype], x.device)


def _view_as_real_eager(x: Array) -> Array:
    return np.asarray(x)[..., np.newaxis].view(np.asarray(x).real.dtype)


def _view_as_complex_meta(*types: TensorType) -> TensorType:
    check_arity("view_as_complex", 1, types)
    x = types[0]
    whole = next((dtype for dtype, part in dtypes.PART.items() if part is x.dtype), None)
    if whole is None or not x.shape or x.shape[-1] != 2:
        raise OpError(f"view_as_complex takes floats with a last axis of size 2, got {x}")
    return TensorType(x.shape[:-1], whole, x.device)


def _view_as_complex_eager(x: Array) -> Array:
    """A view, where the parts lie side by side and pairs whole pairs apart; else a copy."""
    if x.strides[-1] != x.itemsize or any(step % (2 * x.itemsize) for step in x.strides[:-1]):
        x = np.ascontiguousarray(x)
    return x.view(np.result_type(x, np.complex64))[..., 0]


VIEW_AS_REAL = define_op(
    "view_as_real",
    meta=_view_as_real_meta,
    eager=_view_as_real_eager,
    lower=Composite(_parts_of, put_back=lambda f, whole, part: _joined(f, part)),
    samples=REAL.samples,
    operands=("self",),
    vjp=(lambda f, g: _joined(f, g),),
)
VIEW_AS_COMPLEX = define_op(
    "view_as_complex",
    meta=_view_as_complex_meta,
    eager=_view_as_complex_eager,
    lower=Composite(_joined, put_back=lambda f, whole, part: _parts_of(f, part)),
    samples=lambda: [Sample((samples.uniform(-4, 4, (3, 4, 2), dtype, 1),)) for dtype in dtypes.FLOATS],
    operands=("self",),
    vjp=(lambda f, g: _parts_of(f, g),),
)


# fused_multiply_add: a * b + c, rounded once.
def _fused_multiply_add_meta(*types: TensorType) -> TensorType:
    check_arity("fused_multiply_add", 3, types)
    a, b, c = types
    if not (a == b == c and a.dtype.is_float):
        raise OpError(f"fused_multiply_add takes three operands of one float type, got {a}, {b} and {c}")
    return a


def _fused_multiply_add_eager(a: Array, b: Array, c: Array) -> Array:
    arrays = np.broadcast_arrays(a, b, c)
    made = [fused_multiply_add(*each) for each in zip(*(each.ravel() for each in arrays), strict=True)]
    return np.array(made, arrays[0].dtype).reshape(arrays[0].shape)


FUSED_MULTIPLY_ADD = define_op(
    "fused_multiply_add",
    meta=_fused_multiply_add_meta,
    eager=_fused_multiply_add_eager,
    lower=Pointwise("fused_multiply_add_{t}({0}, {1}, {2})", 2),
    samples=lambda: [
        Sample(tuple(samples.uniform(-4, 4, (3, 4), dtype, seed) for seed in (1, 2, 3))) for dtype in dtypes.FLOATS
    ],
    operands=("self", "other", "added"),
)


# modulus: the length of a pair.
def _modulus_meta(*types: TensorType) -> TensorType:
    check_arity("modulus", 2, types)
    a, b = types
    if a != b or not a.dtype.is_float:
        raise OpError(f"modulus takes two operands of one float type, got {a} and {b}")
    return a


def _modulus_rule(side: str) -> Rule:
    """The cotangent of one part: its share of the length, and 0 where that is 0, as PyTorch has it."""

    def rule(f: Emitter, g: Any, self: Any, other: Any, result: Any) -> Any:
        length = f.where(f.equal(result, 0.0), 1.0, result)
        return f.multiply(g, f.divide(self if side == "self" else other, length))

    return rule


MODULUS = define_op(
    "modulus",
    meta=_modulus_meta,
    eager=lambda a, b: np.asarray(np.hypot(a, b)),
    lower=Pointwise("hypot_{t}({0}, {1})", 16),
    samples=_pairs,
    exact=False,
    vjp=(_modulus_rule("self"), _modulus_rule("other")),
    grad_name="Abs",
)
