"""The Tensor itself: what it says of itself, and whom it tells when it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift.core.watch import Validity, watch


def test_a_tensor_is_made_of_data_in_float32() -> None:
    x = gl.Tensor([1, 2])
    assert (x.dtype, x.tolist(), x.is_leaf, x.requires_grad) == (gl.float32, [1.0, 2.0], True, False)
    assert gl.Tensor().shape == (0,)


def test_what_it_says_of_itself() -> None:
    x = gl.zeros(2, 3, dtype=gl.int16)
    assert (x.shape, x.ndim, x.dtype, x.device, x.size(), x.size(-1), x.numel()) == (
        (2, 3),
        2,
        gl.int16,
        "cpu",
        (2, 3),
        3,
        6,
    )
    assert (x.element_size(), x.stride(), x.stride(0), x.is_contiguous(), x.grad_fn, x.grad) == (
        2,
        (3, 1),
        3,
        True,
        None,
        None,
    )
    y = gl.ones(1, requires_grad=True) * 2
    assert not y.is_leaf and y.output_nr == 0 and y.grad_fn.name() == "MulBackward0"


def test_only_floats_can_require_grad_and_only_leaves_can_stop() -> None:
    with pytest.raises(RuntimeError, match="only Tensors of floating point and complex dtype can require gradients"):
        gl.arange(3).requires_grad_()
    x = gl.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        (x * 2).requires_grad = False
    x.requires_grad = False
    assert not (x * 2).requires_grad


CHANGES: dict[str, tuple[str, Callable[[gl.Tensor], Any]]] = {
    "another memory": ("data", lambda x: setattr(x, "data", gl.zeros(2))),
    "the flag": ("requires_grad", lambda x: x.requires_grad_(not x.requires_grad)),
    "a write that records": ("requires_grad", lambda x: x.mul_(gl.ones(2, requires_grad=True))),
    "detaching": ("requires_grad", lambda x: x.detach_()),
    "a hook": ("hooks", lambda x: x.register_hook(print)),
    "a hook after accumulation": (
        "hooks",
        lambda x: x.register_post_accumulate_grad_hook(print),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_whoever_relies_on_a_fact_is_told_of_the_change_and_the_line(name: str) -> None:
    key, change = CHANGES[name]
    x = gl.ones(2, requires_grad=name != "a write that records")
    validity = Validity("payload")
    watch(x, key, validity, f"x.{key}")
    change(x)
    assert validity.broken is not None and validity.payload is None
    assert validity.broken.fact == f"x.{key}"
    assert validity.broken.file == __file__ and validity.broken.line > 0


def test_writes_of_values_and_gradients_tell_nobody() -> None:
    x = gl.ones(2, requires_grad=True)
    validities = []
    for key in ("data", "requires_grad", "hooks"):
        validities.append(Validity(key))
        watch(x, key, validities[-1], key)
    with gl.no_grad():
        x.add_(1)
        x[0] = 5.0
    x.data.mul_(2)
    x.grad = gl.ones(2)
    x.requires_grad_()
    (x * 2).sum().backward()
    assert [each.broken for each in validities] == [None] * 3
