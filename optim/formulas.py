"""The arithmetic of one optimizer step, written once over an emitter: eager and compiled steps are both made of it.

`f` makes operations: a `GraphEmitter` appends nodes, an `ArrayEmitter` computes at once, a `programs.UpdateRecorder`
takes notes for steps in place. Tensors are values of `f`; scalars (rates, betas, …) are Python numbers or 0-d float64
values of `f`. Which terms exist at all is said by booleans, which the caller decides: a formula never looks at a
number. State that is not kept is None. A formula gives the new value of everything that it changes, by name.
"""

# Note [Scalars of a step]
# Arithmetic between scalars is float64, as Python's own, whatever the parameter's dtype; a scalar is rounded to the
# dtype of a tensor only where it meets one. What a parameter remembers as one number (`step`) is a float32 tensor.

from __future__ import annotations

from typing import Any

from ..core import dtypes

V = Any
Scalar = Any
New = dict[str, Any]


def adam_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    exp_avg: V,
    exp_avg_sq: V,
    max_exp_avg_sq: V | None = None,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    decoupled_weight_decay: bool = False,
    amsgrad: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """`nearer_to_new` says whether beta1 is at most 0.5.

    Source: Kingma & Ba 2015, algorithm 1; Loshchilov & Hutter 2019 (decoupled); Reddi et al. 2018 (AMSGrad).
    """
    step = f.add(step, 1.0)
    bias1, bias2 = bias_correction(f, step, beta1), bias_correction(f, step, beta2)
    if decays and decoupled_weight_decay:
        param = _shrunk(f, param, lr, weight_decay)
    grad = _slope(f, param, grad, weight_decay, decays and not decoupled_weight_decay, maximize)
    exp_avg = _interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    exp_avg_sq = second = _square_average(f, exp_avg_sq, grad, beta2)
    if amsgrad:
        second = max_exp_avg_sq = f.maximum(max_exp_avg_sq, exp_avg_sq)
    denominator = f.add(f.divide(f.sqrt(second), _like(f, param, f.sqrt(bias2))), _like(f, param, eps))
    param = _moved(f, param, _negative(f, _divide(f, lr, bias1)), exp_avg, denominator)
    new = {"param": param, "step": step, "exp_avg": exp_avg, "exp_avg_sq": exp_avg_sq}
    return {**new, "max_exp_avg_sq": max_exp_avg_sq} if amsgrad else new


def nadam_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    mu_product: V,
    exp_avg: V,
    exp_avg_sq: V,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    momentum_decay: Scalar = 4e-3,
    decays: bool = False,
    decoupled_weight_decay: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """The new values of a NAdam step: Adam's, looking one step of the momentum ahead.

    Source: Dozat 2016, "Incorporating Nesterov Momentum into Adam"; the schedule of mu is the paper's.
    """
    step = f.add(step, 1.0)
    bias2 = bias_correction(f, step, beta2)
    if decays and decoupled_weight_decay:
        param = _shrunk(f, param, lr, weight_decay)
    grad = _slope(f, param, grad, weight_decay, decays and not decoupled_weight_decay, maximize)
    count = f.cast(step, dtype=dtypes.float64)
    mu = _nadam_momentum(f, count, beta1, momentum_decay)
    mu_next = _nadam_momentum(f, f.add(count, 1.0), beta1, momentum_decay)
    mu_product = f.multiply(mu_product, _like(f, mu_product, mu))
    product = f.cast(mu_product, dtype=dtypes.float64)
    exp_avg = _interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    exp_avg_sq = _square_average(f, exp_avg_sq, grad, beta2)
    denominator = f.add(f.sqrt(f.divide(exp_avg_sq, _like(f, param, bias2))), _like(f, param, eps))
    back = _negative(f, lr)
    of_grad = f.divide(f.multiply(back, f.subtract(1.0, mu)), f.subtract(1.0, product))
    of_average = f.divide(f.multiply(back, mu_next), f.subtract(1.0, f.multiply(product, mu_next)))
    param = _moved(f, param, of_grad, grad, denominator)
    param = _moved(f, param, of_average, exp_avg, denominator)
    return {"param": param, "step": step, "mu_product": mu_product, "exp_avg": exp_avg, "exp_avg_sq": exp_avg_sq}


def adagrad_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    sum: V,
    lr: Scalar,
    lr_decay: Scalar = 0.0,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
) -> New:
    """Source: Duchi, Hazan & Singer 2011, "Adaptive Subgradient Methods"."""
    step = f.add(step, 1.0)
    rate = adagrad_rate(f, step, lr, lr_decay)
    grad = _slope(f, param, grad, weight_decay, decays, maximize)
    sum = f.add(sum, f.multiply(grad, grad))
    denominator = f.add(f.sqrt(sum), _like(f, param, eps))
    return {"param": _moved(f, param, _negative(f, rate), grad, denominator), "step": step, "sum": sum}


def rmsprop_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    square_avg: V,
    momentum_buffer: V | None = None,
    grad_avg: V | None = None,
    lr: Scalar,
    alpha: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    momentum: Scalar = 0.0,
    decays: bool = False,
    has_momentum: bool = False,
    centered: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """`nearer_to_new` says whether alpha is at most 0.5.

    Source: Hinton's lecture 6e (2012); Graves 2013, equations 38 to 45 (centered).
    """
    new = {"step": f.add(step, 1.0)}
    grad = _slope(f, param, grad, weight_decay, decays, maximize)
    new["square_avg"] = average = _square_average(f, square_avg, grad, alpha)
    if centered:
        new["grad_avg"] = grad_avg = _interpolate(f, grad_avg, grad, alpha, nearer_to_new)
        average = f.subtract(average, f.multiply(grad_avg, grad_avg))
    denominator = f.add(f.sqrt(average), _like(f, param, eps))
    back = _negative(f, lr)
    if has_momentum:
        kept = f.multiply(momentum_buffer, _like(f, param, momentum))
        new["momentum_buffer"] = momentum_buffer = f.add(kept, f.divide(grad, denominator))
        return {"param": f.add(param, f.multiply(momentum_buffer, _like(f, param, back))), **new}
    return {"param": _moved(f, param, back, grad, denominator), **new}


def lion_update(
    f: Any,
    *,
    param: V,
    grad: V,
    exp_avg: V,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
) -> New:
    """Source: Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms", program 1."""
    if decays:
        param = _shrunk(f, param, lr, weight_decay)
    grad = _slope(f, param, grad, weight_decay, False, maximize)
    way = f.sign(_weighted(f, exp_avg, grad, beta1))
    param = f.add(param, f.multiply(way, _like(f, param, _negative(f, lr))))
    return {"param": param, "exp_avg": _weighted(f, exp_avg, grad, beta2)}


def sgd_update(
    f: Any,
    *,
    param: V,
    grad: V,
    momentum_buffer: V | None = None,
    lr: Scalar,
    momentum: Scalar = 0.0,
    dampening: Scalar = 0.0,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    has_momentum: bool = False,
    nesterov: bool = False,
    maximize: bool = False,
) -> New:
    """With momentum, no buffer means the first step.

    Source: Sutskever et al. 2013, with the rate outside of the buffer.
    """
    new: New = {}
    grad = _slope(f, param, grad, weight_decay, decays, maximize)
    if has_momentum:
        if momentum_buffer is None:
            momentum_buffer = grad
        else:
            fresh = f.multiply(grad, _like(f, param, _subtract(f, 1.0, dampening)))
            momentum_buffer = f.add(f.multiply(momentum_buffer, _like(f, param, momentum)), fresh)
        new["momentum_buffer"] = momentum_buffer
        if nesterov:
            grad = f.add(f.multiply(momentum_buffer, _like(f, param, momentum)), grad)
        else:
            grad = momentum_buffer
    return {"param": f.add(param, f.multiply(grad, _like(f, param, _negative(f, lr)))), **new}


def bias_correction(f: Any, step: V, beta: Scalar) -> V:
    """``1 - beta**step``, of the steps counted so far, this one among them.

    Shapes: step f32[] or f32[n] (the counters of n parameters, stacked) -> f64 of that shape.
    """
    return f.subtract(1.0, f.power(beta, f.cast(step, dtype=dtypes.float64)))


def adagrad_rate(f: Any, step: V, lr: Scalar, lr_decay: Scalar) -> V:
    """``lr / (1 + (step - 1) * lr_decay)``, of the steps counted so far, this one among them."""
    before = f.subtract(f.cast(step, dtype=dtypes.float64), 1.0)
    return f.divide(lr, f.add(f.multiply(before, lr_decay), 1.0))


def _nadam_momentum(f: Any, count: V, beta1: Scalar, momentum_decay: Scalar) -> V:
    """``beta1 * (1 - 0.5 * 0.96**(count * momentum_decay))``."""
    decayed = f.power(0.96, f.multiply(count, momentum_decay))
    return f.multiply(beta1, f.subtract(1.0, f.multiply(0.5, decayed)))


def _slope(f: Any, param: V, grad: V, weight_decay: Scalar, decays: bool, maximize: bool) -> V:
    """The gradient to follow: with its sign for maximizing, and the gradient of the penalty on large weights."""
    if maximize:
        grad = f.negative(grad)
    return f.add(f.multiply(param, _like(f, param, weight_decay)), grad) if decays else grad


def _shrunk(f: Any, param: V, lr: Scalar, weight_decay: Scalar) -> V:
    return f.multiply(param, _like(f, param, _subtract(f, 1.0, _multiply(f, lr, weight_decay))))


def _square_average(f: Any, old: V, grad: V, beta: Scalar) -> V:
    squared = f.multiply(f.multiply(grad, _like(f, grad, _subtract(f, 1.0, beta))), grad)
    return f.add(f.multiply(old, _like(f, old, beta)), squared)


def _weighted(f: Any, old: V, new: V, beta: Scalar) -> V:
    fresh = f.multiply(new, _like(f, old, _subtract(f, 1.0, beta)))
    return f.add(f.multiply(old, _like(f, old, beta)), fresh)


def _interpolate(f: Any, old: V, new: V, beta: Scalar, nearer_to_new: bool) -> V:
    """``beta * old + (1 - beta) * new``, counted from the end that weighs more, which keeps ``beta = 0`` exact."""
    way = f.subtract(new, old)
    if nearer_to_new:
        return f.subtract(new, f.multiply(way, _like(f, old, _subtract(f, 1.0, _subtract(f, 1.0, beta)))))
    return f.add(old, f.multiply(way, _like(f, old, _subtract(f, 1.0, beta))))


def _moved(f: Any, param: V, rate: Scalar, way: V, denominator: V) -> V:
    return f.add(param, f.divide(f.multiply(way, _like(f, param, rate)), denominator))


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
