"""Terms of the formulas, which are the arithmetic of one optimizer step.

A formula is written once over an emitter, in its optimizer's file; eager and compiled steps are both made of it.

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


def bias_correction(f: Any, step: V, beta: Scalar) -> V:
    """``1 - beta**step``, of the steps counted so far, this one among them.

    Shapes: step f32[] or f32[n] (the counters of n parameters, stacked) -> f64 of that shape.
    """
    return f.subtract(1.0, f.power(beta, f.cast(step, dtype=dtypes.float64)))


def adagrad_rate(f: Any, step: V, lr: Scalar, lr_decay: Scalar) -> V:
    """``lr / (1 + (step - 1) * lr_decay)``, of the steps counted so far, this one among them."""
    before = f.subtract(f.cast(step, dtype=dtypes.float64), 1.0)
    return f.divide(lr, f.add(f.multiply(before, lr_decay), 1.0))


def slope(f: Any, param: V, grad: V, weight_decay: Scalar, decays: bool, maximize: bool) -> V:
    """The gradient to follow: with its sign for maximizing, and the gradient of the penalty on large weights."""
    if maximize:
        grad = f.negative(grad)
    return f.add(f.multiply(param, like(f, param, weight_decay)), grad) if decays else grad


def shrunk(f: Any, param: V, lr: Scalar, weight_decay: Scalar) -> V:
    """The parameter after AdamW's decay: less `lr * weight_decay` of itself."""
    return f.multiply(param, like(f, param, subtract(f, 1.0, multiply(f, lr, weight_decay))))


def square_average(f: Any, old: V, grad: V, beta: Scalar) -> V:
    """``beta * old + (1 - beta) * grad**2``."""
    squared = f.multiply(f.multiply(grad, like(f, grad, subtract(f, 1.0, beta))), grad)
    return f.add(f.multiply(old, like(f, old, beta)), squared)


def weighted(f: Any, old: V, new: V, beta: Scalar) -> V:
    """``beta * old + (1 - beta) * new``."""
    fresh = f.multiply(new, like(f, old, subtract(f, 1.0, beta)))
    return f.add(f.multiply(old, like(f, old, beta)), fresh)


def interpolate(f: Any, old: V, new: V, beta: Scalar, nearer_to_new: bool) -> V:
    """``beta * old + (1 - beta) * new``, counted from the end that weighs more, which keeps ``beta = 0`` exact."""
    way = f.subtract(new, old)
    if nearer_to_new:
        return f.subtract(new, f.multiply(way, like(f, old, subtract(f, 1.0, subtract(f, 1.0, beta)))))
    return f.add(old, f.multiply(way, like(f, old, subtract(f, 1.0, beta))))


def moved(f: Any, param: V, rate: Scalar, way: V, denominator: V) -> V:
    """``param + rate * way / denominator``."""
    return f.add(param, f.divide(f.multiply(way, like(f, param, rate)), denominator))


def is_number(value: Scalar) -> bool:
    """Whether a scalar is a Python number, and no value of the emitter."""
    return isinstance(value, int | float)


def like(f: Any, tensor: V, scalar: Scalar) -> Scalar:
    """The scalar in the dtype of `tensor`; emitters give a Python number the dtype of the other operands."""
    if is_number(scalar) or f.dtype(scalar) is f.dtype(tensor):
        return scalar
    return f.cast(scalar, dtype=f.dtype(tensor))


def subtract(f: Any, left: Scalar, right: Scalar) -> Scalar:
    """``left - right`` of scalars."""
    return left - right if is_number(left) and is_number(right) else f.subtract(left, right)


def multiply(f: Any, left: Scalar, right: Scalar) -> Scalar:
    """``left * right`` of scalars."""
    return left * right if is_number(left) and is_number(right) else f.multiply(left, right)


def divide(f: Any, left: Scalar, right: Scalar) -> Scalar:
    """``left / right`` of scalars."""
    return left / right if is_number(left) and is_number(right) else f.divide(left, right)


def negative(f: Any, value: Scalar) -> Scalar:
    """``-value`` of a scalar."""
    return -value if is_number(value) else f.negative(value)
