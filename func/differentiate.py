"""Derivatives between the tensors of a function under a transform, whatever `vmap` is around it."""

# Note [One tape]
# All transforms share the tape. A function that is differentiated gets leaves of its own (or, where its argument is
# differentiated from outside too, a clone of it), and the derivative is that by these; so derivatives of
# derivatives do not get mixed up, in whatever order they are taken. Derivatives are carried forward by two passes
# backward: see Note [Forward products by two backward passes] in `autograd/functional.py`.
# A result is handed out with its history only if that leads to other leaves as well, which is what lets outer
# transforms, and a `backward()` outside, go on from it; and derivatives are recorded only where that is so.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..autograd.functional_tensors import gradients as gradients_between
from ..autograd.functional_tensors import tangents_between
from ..autograd.inference import is_inference_mode_enabled
from ..autograd.modes import MODES
from ..autograd.outside import leading_outside, pass_over
from ..tensor.creation import zeros_like
from .levels import base_of, in_each_call, levels_of, spelled_out, taken_in

Tensors = list[Any]


def entering(x: Any) -> Any:
    """An argument as a function sees it that is differentiated by it. Errors: RuntimeError in inference mode."""
    if is_inference_mode_enabled():
        raise RuntimeError(
            "derivatives of functions go by what is recorded, and inference mode records nothing: leave it first, or "
            "use no_grad around the transform, which has no effect inside"
        )
    own = in_each_call(x)
    if own.requires_grad:
        return own.clone()
    leaf = own.detach()
    base_of(leaf).requires_grad_()
    return leaf


def lead_outside(tensors: Sequence[Any], own: Sequence[Any]) -> bool:
    """Whether one of the tensors depends on a leaf that is none of `own`, what `entering` gave."""
    return any(_ways([base_of(each) for each in tensors], [base_of(each) for each in own]))


def leaving(tensors: Tensors, own: Sequence[Any]) -> Tensors:
    """The tensors as they are handed out: with their history if it leads to others than `own`."""
    kept = _ways([base_of(each) for each in tensors], [base_of(each) for each in own])
    return [each if keep else each.detach() for each, keep in zip(tensors, kept)]


def done_with(own: Sequence[Any]) -> None:
    """Says that the function which got `own` has been differentiated, or will be by whoever asks for it by name."""
    pass_over([base_of(each) for each in own])


def _ways(tensors: Tensors, own: Tensors) -> tuple[bool, ...]:
    return leading_outside(tensors, own) if tensors else ()


def gradients(outputs: Tensors, inputs: Tensors, weights: Tensors, record: bool) -> Tensors:
    """The gradients of the outputs, weighted, by each of the inputs; zeros where there is none.

    weights: one for each output, in its shape; they may differ over calls of `vmap` over which the outputs do not.
    """
    found = gradients_between(
        tuple(base_of(each) for each in outputs),
        tuple(base_of(each) for each in inputs),
        tuple(spelled_out(weight, levels_of(each)) for each, weight in zip(outputs, weights)),
        record,
    )
    return [
        zeros_like(each) if slope is None else taken_in(slope, levels_of(each)) for each, slope in zip(inputs, found)
    ]


def tangents_of(outputs: Tensors, inputs: Tensors, tangents: Tensors, record: bool) -> Tensors:
    """The derivatives of the outputs along `tangents`, one for each input in its shape; None where there is none."""
    found = tangents_between(
        tuple(base_of(each) for each in outputs),
        tuple(base_of(each) for each in inputs),
        tuple(spelled_out(tangent, levels_of(each)) for each, tangent in zip(inputs, tangents)),
        record,
    )
    return [None if each is None else taken_in(each, levels_of(output)) for each, output in zip(found, outputs)]


def begin_tangents() -> None:
    """Says that derivatives are carried forward from here on; see `autograd.modes`."""
    MODES.tangents += 1


def end_tangents() -> None:
    """Says that they are not any more."""
    MODES.tangents -= 1
