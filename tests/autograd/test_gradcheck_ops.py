"""Derived from the declarations: first and second derivatives of every op, over its samples, by `gradcheck`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import starmap
from typing import Any

import numpy as np
import pytest
from ops.derivative_operands import NOT_SWEPT, on_regular, on_symmetric

import guardlift as gl
from guardlift.autograd import gradcheck, gradgradcheck
from guardlift.ops import OPS, OpDef
from guardlift.ops.movement import EXPAND
from guardlift.ops.pointwise_gradients import zero
from guardlift.ops.registry import Array, Pointwise, Sample
from guardlift.tensor.dispatch import apply
from guardlift.tensor.tensor import Tensor

SMALL = 40
"""Up to so many elements whole Jacobians are compared; beyond, slopes along drawn directions."""
LARGE = 100
"""Samples beyond it are there for loops and sums over much memory."""
WIDE = {"f": np.dtype(np.float64), "c": np.dtype(np.complex128)}
"""By NumPy's kind, the dtype in which derivatives are checked."""
DIFFERENTIABLE = [op for op in OPS.values() if op.vjp is not None and any(op.vjp) and op.name not in NOT_SWEPT]
every_op = pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)


# The operands at which an op is checked.
def rules_of(op: OpDef, count: int) -> tuple[bool, ...]:
    """For each of `count` operands, whether it has a rule."""
    assert op.vjp is not None
    rules = op.vjp * count if op.variadic else op.vjp[:count]
    return tuple(rule is not None for rule in rules)


def as_float64(sample: Sample) -> Sample:
    arrays = tuple(each.astype(WIDE.get(each.dtype.kind, each.dtype)) for each in sample.args)
    return Sample(arrays, sample.attrs)


def is_ordinary(op: OpDef, sample: Sample) -> bool:
    """Whether the op has a derivative here that differences can show: floats of ordinary size in and out."""
    floats = [
        array
        for array, has_rule in zip(sample.args, rules_of(op, len(sample.args)), strict=True)
        if has_rule and array.dtype.kind in WIDE
    ]
    if not floats or sum(each.size for each in floats) > LARGE:
        return False
    with np.errstate(all="ignore"):
        result = np.asarray(op.eager(*sample.args, **dict(sample.attrs)))
    return result.dtype in WIDE.values() and all(
        np.isfinite(each).all() and abs(each).max(initial=0) < 1e6 for each in (*floats, result)
    )


def cases(op: OpDef) -> list[Sample]:
    """The samples of `op` in float64, one for each combination of shapes, indices and attributes."""
    found: dict[Any, Sample] = {}
    for sample in map(as_float64, op.samples()):
        if is_ordinary(op, sample):
            kind = [each.shape if each.dtype.kind in WIDE else each.tolist() for each in sample.args]
            found.setdefault((repr(kind), repr(sample.attrs)), sample)
    return list(found.values())


def leaves(op: OpDef, sample: Sample) -> tuple[Tensor, ...]:
    """The operands as tensors over copies; those with a derivative require grad."""
    return tuple(
        Tensor._wrap(array.copy()).requires_grad_(has_rule and array.dtype.kind in WIDE)
        for array, has_rule in zip(sample.args, rules_of(op, len(sample.args)), strict=True)
    )


def check(op: OpDef, attrs: Any, given: tuple[Tensor, ...], prepare: Callable[..., Any] | None = None) -> None:
    """Both orders, of `op` applied to what `prepare` makes of the leaves."""
    keywords = dict(attrs)
    prepare = prepare or on_symmetric(op, attrs)

    def function(*operands: Tensor) -> Tensor:
        return apply(op, *prepare(*operands), **keywords)

    fast = sum(each.numel() for each in given) > SMALL
    assert gradcheck(function, given, fast_mode=fast)
    assert gradgradcheck(function, given, fast_mode=fast, gen_non_contig_grad_outputs=True)


# Samples as they are.
@every_op
def test_first_and_second_derivatives_are_those_of_the_values(op: OpDef) -> None:
    listed = cases(op)
    assert any(all(each.size for each in sample.args) for sample in listed), f"{op.name}: no smooth sample"
    for sample in listed:
        check(op, sample.attrs, leaves(op, sample))


# The checks themselves: for each op there is a wrong rule that they find.
def spoilt(op: OpDef, spoil: Callable[..., Any]) -> OpDef:
    """`op` with what `spoil` makes of the answers of its rules."""

    def wrong(rule: Any) -> Any:
        @functools.wraps(rule)
        def instead(f: Any, *values: Any, **attrs: Any) -> Any:
            answer = rule(f, *values, **attrs)
            return [spoil(f, each) for each in answer] if isinstance(answer, list) else spoil(f, answer)

        return instead

    assert op.vjp is not None
    return replace(op, vjp=tuple(rule and wrong(rule) for rule in op.vjp))


def passes(op: OpDef, wrong: OpDef, sample: Sample, checker: Callable[..., bool]) -> bool:
    """Whether `checker` finds no fault with the rules of `wrong` at a sample of `op`."""

    def function(*operands: Tensor) -> Tensor:
        return apply(wrong, *on_symmetric(op, sample.attrs)(*operands), **dict(sample.attrs))

    return checker(function, leaves(op, sample), raise_exception=False, fast_mode=True)


@every_op
def test_a_rule_that_is_off_is_found(op: OpDef) -> None:
    wrong = spoilt(op, lambda f, answer: f.add(answer, 0.01))
    assert not all(passes(op, wrong, sample, gradcheck) for sample in cases(op))


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if set(op.vjp or ()) != {zero}], ids=lambda op: op.name)
def test_a_rule_that_cannot_be_differentiated_is_found(op: OpDef) -> None:
    wrong = spoilt(op, lambda f, answer: answer.detach() if isinstance(answer, Tensor) else answer)
    found = next(sample for sample in cases(op) if not passes(op, wrong, sample, gradgradcheck))
    assert passes(op, wrong, found, gradcheck)


# Broadcasting and shapes without elements.
def broadcast(sample: Sample) -> Iterator[tuple[Array, ...]]:
    """The operands with one of them narrower: along its first axis, along its last, and without axes."""
    for place, array in enumerate(sample.args):
        for narrow in (array[:1], array[..., :1], array[0], array[0, 0]):
            yield (*sample.args[:place], np.asarray(narrow), *sample.args[place + 1 :])


def matrix_case(op: OpDef) -> Sample:
    return next(each for each in cases(op) if each.args[0].ndim == 2 and each.args[0].size)


POINTWISE = [op for op in DIFFERENTIABLE if isinstance(op.lower, Pointwise)]


@pytest.mark.parametrize("op", [op for op in POINTWISE if len(op.operands) > 1], ids=lambda op: op.name)
def test_derivatives_of_operands_that_broadcast(op: OpDef) -> None:
    sample = matrix_case(op)
    for arrays in broadcast(sample):
        check(op, sample.attrs, leaves(op, Sample(tuple(each[:2] if each.ndim == 2 else each for each in arrays))))


@pytest.mark.parametrize("op", POINTWISE, ids=lambda op: op.name)
def test_derivatives_of_no_axes_and_of_no_elements(op: OpDef) -> None:
    sample = matrix_case(op)
    for part in ((0, 0), (slice(0), slice(None)), (slice(None), slice(0))):
        check(op, sample.attrs, leaves(op, Sample(tuple(np.asarray(each[part]) for each in sample.args))))


# Memory in another order than the elements.
def transposed(array: Array) -> Array:
    return array.copy(order="F")


def with_gaps(array: Array) -> Array:
    return np.repeat(array[..., None], 2, axis=-1)[..., 0]


def backwards(array: Array) -> Array:
    turned = tuple(slice(None, None, -1) for _ in array.shape)
    return np.asarray(array[turned].copy()[turned])


LAYOUTS = (transposed, with_gaps, backwards)


@every_op
def test_derivatives_of_operands_that_are_not_contiguous(op: OpDef) -> None:
    for layout in LAYOUTS:
        sample = max(cases(op), key=lambda each: max((array.ndim, -array.size) for array in each.args))
        given = tuple(
            Tensor._wrap(layout(each._array)).requires_grad_(each.requires_grad) for each in leaves(op, sample)
        )
        check(op, sample.attrs, given)


@every_op
def test_derivatives_of_operands_that_are_expanded(op: OpDef) -> None:
    """The gradient of a repeated element is the sum of those of its copies."""
    sample = next((each for each in cases(op) if any(array.ndim for array in each.args)), None)
    if sample is None:
        return
    shapes = [array.shape for array in sample.args]

    shift = gl.eye(*shapes[0][-2:], dtype=gl.float64) * 3.0 if len(shapes[0]) > 1 else 0.0

    def expanded(*operands: Tensor) -> tuple[Tensor, ...]:
        wide = tuple(starmap(lambda each, shape: apply(EXPAND, each, shape=shape), zip(operands, shapes)))
        return on_regular(op, sample.attrs, shift)(*wide)

    narrow = Sample(tuple(array[:1] if array.ndim and array.size else array for array in sample.args))
    check(op, sample.attrs, leaves(op, narrow), expanded)


# One operand at a time, and the two ways in which rules run.
@pytest.mark.parametrize(
    "op", [op for op in DIFFERENTIABLE if len(op.operands) > 1 or op.variadic], ids=lambda op: op.name
)
def test_derivatives_by_one_operand_alone(op: OpDef) -> None:
    sample = max(cases(op), key=lambda each: len(each.args))
    for chosen, operand in enumerate(leaves(op, sample)):
        if operand.requires_grad:
            given = tuple(each if place == chosen else each.detach() for place, each in enumerate(leaves(op, sample)))
            check(op, sample.attrs, given)


@every_op
def test_gradients_with_a_graph_of_them_are_the_same_and_of_their_operands_dtype(op: OpDef) -> None:
    for sample in op.samples():
        given = leaves(op, sample)
        wanted = [each for each in given if each.requires_grad]
        result = apply(op, *given, **dict(sample.attrs))
        if not result.requires_grad:
            continue
        weight = gl.tensor(np.linspace(-1, 2, result.numel()).reshape(result.shape), dtype=result.dtype)
        plain = gl.autograd.grad(result, wanted, weight, retain_graph=True)
        weight = weight.detach().requires_grad_()
        recorded = gl.autograd.grad(result, wanted, weight, create_graph=True)
        for one, other, operand in zip(plain, recorded, wanted, strict=True):
            assert one.dtype is other.dtype is operand.dtype
            np.testing.assert_array_equal(one.numpy(), other.detach().numpy())
        slopes = [each for each in recorded if each.requires_grad]
        if slopes:
            parts = [gl.view_as_real(each) if each.dtype.is_complex else each for each in slopes]
            totals = [(each.float() if each.dtype.is_narrow else each).sum() for each in parts]
            again = gl.autograd.grad(totals, [weight, *wanted], allow_unused=True)
            for second, operand in zip(again, [weight, *wanted], strict=True):
                assert second is None or (second.dtype is operand.dtype and second.shape == operand.shape)
