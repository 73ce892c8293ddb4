"""The arithmetic of one optimizer step, written once over an emitter and in the order of the in-place forms.

`f` makes operations: a `GraphEmitter` appends nodes, an `ArrayEmitter` computes at once. Tensors are values of `f`;
scalars (rates, betas, …) are Python numbers or 0-d float64 values of `f`. Which terms exist at all is said by booleans,
which the caller decides: a formula never looks at a number.
"""

# Note [Scalars of a step]
# Arithmetic between scalars is float64, as Python's own, whatever the parameter's dtype; a scalar is rounded to the
# dtype of a tensor only where it meets one. `optim.inplace` follows the same order, so both forms agree bit for bit.

from __future__ import annotations

from typing import Any

from ..core import dtypes

V = Any
Scalar = Any


def is_nearer_to_new(beta: float) -> bool:
    """Whether a moving average with this decay is interpolated from its new end, which keeps ``beta = 0`` exact."""
    return abs(1.0 - beta) >= 0.5


def next_step(f: Any, step: V) -> V:
    """The step counters after this step. Shapes: step f32[...] -> f32[...]."""
    return f.add(step, 1.0)


def bias_corrections(f: Any, step: V, beta1: Scalar, beta2: Scalar) -> tuple[V, V]:
    """``1 - beta1**step`` and ``sqrt(1 - beta2**step)``; `step` is counted already (see `next_step`).

    Shapes: step f32[] or f32[n] (the counters of n parameters, stacked) -> two f64 of that shape.
    """
    exponent = f.cast(step, dtype=dtypes.float64)
    first = f.subtract(1.0, f.power(beta1, exponent))
    second = f.sqrt(f.subtract(1.0, f.power(beta2, exponent)))
    return first, second


def adam_update(
    f: Any,
    param: V,
    grad: V,
    exp_avg: V,
    exp_avg_sq: V,
    bias1: V,
    sqrt_bias2: V,
    *,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    max_exp_avg_sq: V | None = None,
    decays: bool = False,
    decoupled: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> tuple[V, V, V, V | None]:
    """The new param, exp_avg, exp_avg_sq and max_exp_avg_sq (None unless given: AMSGrad).

    `decays` says that weight_decay is not 0, `decoupled` that it is AdamW's; `nearer_to_new` is
    ``is_nearer_to_new(beta1)``.
    Shapes: tensors of one shape and dtype; bias1 and sqrt_bias2 as `bias_corrections` gives them, 0-d.
    Source: Kingma & Ba 2015, algorithm 1; Loshchilov & Hutter 2019 (decoupled); Reddi et al. 2018 (AMSGrad).
    """
    if maximize:
        grad = f.negative(grad)
    if decays and decoupled:
        param = f.multiply(param, _like(f, param, _subtract(f, 1.0, _multiply(f, lr, weight_decay))))
    elif decays:
        grad = f.add(f.multiply(param, _like(f, param, weight_decay)), grad)
    exp_avg = _interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    squared = f.multiply(f.multiply(grad, _like(f, grad, _subtract(f, 1.0, beta2))), grad)
    exp_avg_sq = f.add(f.multiply(exp_avg_sq, _like(f, param, beta2)), squared)
    second = exp_avg_sq
    if max_exp_avg_sq is not None:
        second = max_exp_avg_sq = f.maximum(max_exp_avg_sq, exp_avg_sq)
    denominator = f.add(f.divide(f.sqrt(second), _like(f, param, sqrt_bias2)), _like(f, param, eps))
    rate = _like(f, param, _negative(f, _divide(f, lr, bias1)))
    param = f.add(param, f.divide(f.multiply(exp_avg, rate), denominator))
    return param, exp_avg, exp_avg_sq, max_exp_avg_sq


def sgd_update(
    f: Any,
    param: V,
    grad: V,
    momentum_buffer: V | None,
    *,
    lr: Scalar,
    momentum: Scalar = 0.0,
    dampening: Scalar = 0.0,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    has_momentum: bool = False,
    nesterov: bool = False,
    maximize: bool = False,
) -> tuple[V, V | None]:
    """The new param and momentum buffer (None without momentum; a None given means the first step).

    Source: Sutskever et al. 2013, with the rate outside of the buffer.
    """
    if maximize:
        grad = f.negative(grad)
    if decays:
        grad = f.add(f.multiply(param, _like(f, param, weight_decay)), grad)
    if has_momentum:
        if momentum_buffer is None:
            momentum_buffer = grad
        else:
            fresh = f.multiply(grad, _like(f, param, _subtract(f, 1.0, dampening)))
            momentum_buffer = f.add(f.multiply(momentum_buffer, _like(f, param, momentum)), fresh)
        if nesterov:
            grad = f.add(f.multiply(momentum_buffer, _like(f, param, momentum)), grad)
        else:
            grad = momentum_buffer
    param = f.add(param, f.multiply(grad, _like(f, param, _negative(f, lr))))
    return param, momentum_buffer if has_momentum else None


def _interpolate(f: Any, old: V, new: V, beta: Scalar, nearer_to_new: bool) -> V:
    """``beta * old + (1 - beta) * new``, counted from the end that weighs more."""
    way = f.subtract(new, old)
    if nearer_to_new:
        return f.subtract(new, f.multiply(way, _like(f, old, _subtract(f, 1.0, _subtract(f, 1.0, beta)))))
    return f.add(old, f.multiply(way, _like(f, old, _subtract(f, 1.0, beta))))


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float)


def _like(f: Any, tensor: V, scalar: Scalar) -> Scalar:
    """The scalar in the dtype of `tensor`; emitters give a Python number the dtype of the other operands."""
    if _is_number(scalar) or f.dtype(scalar) is f.dtype(tensor):
        return scalar
    return f.cast(scalar, dtype=f.dtype(tensor))


def _subtract(f: Any, left: Scalar, right: Scalar) -> Scalar:
    return left - right if _is_number(left) and _is_number(right) else f.subtract(left, right)


def _multiply(f: Any, left: Scalar, right: Scalar) -> Scalar:
    return left * right if _is_number(left) and _is_number(right) else f.multiply(left, right)


def _divide(f: Any, left: Scalar, right: Scalar) -> Scalar:
    return left / right if _is_number(left) and _is_number(right) else f.divide(left, right)


def _negative(f: Any, value: Scalar) -> Scalar:
    return -value if _is_number(value) else f.negative(value)
