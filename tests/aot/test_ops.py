"""Derived from the declarations: the derivative of every op, compiled, gives what the eager engine gives."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import broken, interpreted
from ops.derivative_operands import IN_PART

import guardlift as gl
from guardlift.core.dtypes import NARROW, held
from guardlift.ops import OPS, OpDef
from guardlift.ops.registry import Sample
from guardlift.tensor import Tensor
from guardlift.tensor.dispatch import apply
from guardlift.tensor.surface import SURFACE

LEFT_OUT = {"segment", *IN_PART}
DIFFERENTIABLE = [op for op in OPS.values() if op.vjp is not None and any(op.vjp) and op.name not in LEFT_OUT]
"""All but the part of a joined vector, of which optimizers make their tables and nothing takes a view."""
every_op = pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
PRECISE = {"float64": {"f": "float64", "c": "complex128"}, "float32": {"f": "float32", "c": "complex64"}}
Values = list[Tensor]


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> Callable[[OpDef, Sample], Callable[..., Any]]:
    """Gives functions of the surface that apply an op with the attributes of a sample, and nothing else."""

    def make(op: OpDef, sample: Sample) -> Callable[..., Any]:
        attrs = dict(sample.attrs)

        def function(*operands: Any) -> Any:
            return apply(op, *operands, **attrs)

        monkeypatch.setitem(SURFACE, function, op.name)
        return function

    return make


def samples_of(op: OpDef, dtype: str) -> Iterator[Sample]:
    """The samples with a float or complex operand that has a rule, in that precision; each combination once."""
    seen = set()
    assert op.vjp is not None
    for sample in op.samples():
        args = tuple(each.astype(PRECISE[dtype].get(each.dtype.kind, each.dtype)) for each in sample.args)
        attrs = tuple((key, value) for key, value in sample.attrs)
        rules = op.vjp * len(args) if op.variadic else op.vjp
        if not any(rule is not None and each.dtype.kind in "fc" for rule, each in zip(rules, args, strict=False)):
            continue
        if any(held(each.dtype) in NARROW for each in args) or dict(attrs).get("dtype") in NARROW:
            continue  # their derivatives are left to Python
        key = repr([(each.shape, each.dtype, each.tobytes()) for each in args]) + repr(attrs)
        if key not in seen:
            seen.add(key)
            yield Sample(args, attrs)


def leaves(sample: Sample) -> Values:
    """The operands as tensors over copies; floats and complex numbers require grad."""
    return [Tensor._wrap(each.copy()).requires_grad_(each.dtype.kind in "fc") for each in sample.args]


def backward(function: Callable[..., Any], operands: Values, tangent: Tensor) -> Any:
    """The result; the gradients are in the `.grad` of the operands."""
    result = function(*operands) * 1
    result.backward(tangent)
    return result.detach()


def tangent_like(result: Tensor) -> Tensor:
    """Ordinary numbers in the shape of a result."""
    numbers = np.random.default_rng(5).uniform(0.5, 1.5, result.shape)
    return Tensor._wrap(numbers.astype(result._array.dtype))


def same(name: str, eager: Tensor | None, compiled: Tensor | None, tolerance: float) -> None:
    """Asserts that two results agree, element by element."""
    assert (eager is None) == (compiled is None), name
    if eager is None or compiled is None:
        return
    assert (eager.dtype, eager.shape) == (compiled.dtype, compiled.shape), name
    one, other = eager.detach().numpy(), compiled.detach().numpy()
    ordinary = np.abs(one[np.isfinite(one)]).astype(np.float64)
    scale = float(ordinary[ordinary < 1e6].max(initial=0.0))
    np.testing.assert_allclose(other, one, rtol=tolerance, atol=tolerance * 1e-2 * scale, err_msg=name)


def check(op: OpDef, dtype: str, applied: Any, way: str, context: AbstractContextManager[Any]) -> int:
    """The number of samples that were compared."""
    count = 0
    with context, np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples_of(op, dtype):
            function = applied(op, sample)
            result = function(*leaves(sample))
            if result._array.dtype.kind not in "fc":
                continue
            tangent = tangent_like(result)
            plain, given = leaves(sample), leaves(sample)
            eager = backward(function, plain, tangent)
            if way == "inside":
                jitted = gl.jit(backward)
                compiled = jitted(function, given, tangent)
            else:
                jitted = gl.jit(lambda *operands: function(*operands) * 1)  # noqa: B023
                compiled = backward(jitted, given, tangent)
            assert not broken(jitted), broken(jitted)
            same(f"{op.name} {sample.attrs}", eager, compiled, TOLERANCE[dtype])
            for place, (one, other) in enumerate(zip(plain, given, strict=True)):
                same(f"{op.name} {sample.attrs}, operand {place}", one.grad, other.grad, TOLERANCE[dtype])
            count += 1
    return count


@pytest.mark.parametrize("dtype", TOLERANCE)
@every_op
def test_the_derivative_of_an_op_is_that_of_eager_mode(op: OpDef, dtype: str, applied: Any) -> None:
    assert check(op, dtype, applied, "inside", interpreted())


@pytest.mark.long
@pytest.mark.parametrize("way", ["inside", "outside"])
@pytest.mark.parametrize("dtype", TOLERANCE)
@every_op
def test_the_derivative_of_an_op_is_that_of_eager_mode_through_kernels(
    op: OpDef, dtype: str, applied: Any, way: str
) -> None:
    assert check(op, dtype, applied, way, nullcontext())
