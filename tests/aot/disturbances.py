"""Things that users do to intermediates, leaves and calls beside the mathematics: views, writes, detaching, hooks.

A model says `tap("hidden", t)` where it may be disturbed. Each disturbance is legal for some tensors and an error for
others (a write into what backward needs, say); eager mode decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import guardlift as gl
from guardlift.autograd.graph import saved_tensors_hooks

Tensor = Any


# -- at a tap ----------------------------------------------------------------------------------------------------------
def half_detached(t: Tensor) -> Tensor:
    return (t + t.detach()) / 2


def written_detached(t: Tensor) -> Tensor:
    t.detach().mul_(0.5)
    return t


def turned_twice(t: Tensor) -> Tensor:
    return t.transpose(0, -1).contiguous().transpose(0, -1) if t.ndim else t


def flattened(t: Tensor) -> Tensor:
    return t.reshape(-1).view(t.shape)


def cut_and_joined(t: Tensor) -> Tensor:
    return gl.cat([t[:1], t[1:]]) if t.ndim else t


def strided(t: Tensor) -> Tensor:
    return gl.stack([t, t * 2], -1)[..., 0]


def added_to(t: Tensor) -> Tensor:
    return t.add_(0.25)


def scaled_in_place(t: Tensor) -> Tensor:
    t.mul_(0.5)
    return t


def multiplied_by_itself(t: Tensor) -> Tensor:
    copy = t.clone()
    copy *= t
    return copy + t


def copy_with_a_row_written(t: Tensor) -> Tensor:
    copy = t * 1
    if t.ndim:
        copy[:1] = copy[-1:] * 0.5
    return copy


def view_of_a_copy_written(t: Tensor) -> Tensor:
    copy = t.clone()
    copy.reshape(-1)[::2].mul_(0.5)
    return copy


def row_zeroed(t: Tensor) -> Tensor:
    copy = t + 0
    if t.ndim:
        copy[0].zero_()
    return copy


def partly_without_grad(t: Tensor) -> Tensor:
    with gl.no_grad():
        factor = t.sigmoid()
    return t * factor


def written_without_grad(t: Tensor) -> Tensor:
    with gl.no_grad():
        t.mul_(0.5)
    return t


def written_through_data(t: Tensor) -> Tensor:
    t.data.add_(0.1)
    return t


def new_leaf(t: Tensor) -> Tensor:
    return t.detach().requires_grad_() + t


def branch_on_requires_grad(t: Tensor) -> Tensor:
    return t * 0.5 if t.requires_grad and not t.is_leaf else t


def hooked(t: Tensor) -> Tensor:
    if t.requires_grad:
        t.register_hook(lambda gradient: gradient * 0.5)
    return t


def retained(t: Tensor) -> Tensor:
    if t.requires_grad and not t.is_leaf:
        t.retain_grad()
    return t


def gradient_of_it_asked(t: Tensor) -> Tensor:
    if not t.requires_grad:
        return t
    (slope,) = gl.autograd.grad((t * t).sum(), t)
    return t + 0.1 * slope


AT_TAPS: Mapping[str, Callable[[Tensor], Tensor]] = {
    each.__name__: each
    for each in (
        half_detached, written_detached, turned_twice, flattened, cut_and_joined, strided, added_to, scaled_in_place,
        multiplied_by_itself, copy_with_a_row_written, view_of_a_copy_written, row_zeroed, partly_without_grad,
        written_without_grad, written_through_data, new_leaf, branch_on_requires_grad, hooked, retained,
        gradient_of_it_asked,
    )
}  # fmt: skip


@dataclass(frozen=True)
class Taps:
    """Actions at the taps of one name; nothing at the others."""

    plan: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, name: str, t: Tensor) -> Tensor:
        disturbance = self.plan.get(name)
        return t if disturbance is None else AT_TAPS[disturbance](t)


# -- on leaves, before the calls ---------------------------------------------------------------------------------------
def scale_gradient(leaf: Tensor) -> None:
    leaf.register_hook(lambda gradient: gradient * 2)


def look_at_gradient(leaf: Tensor) -> None:
    leaf.register_hook(lambda gradient: None)


def clear_when_accumulated(leaf: Tensor) -> None:
    leaf.register_post_accumulate_grad_hook(lambda each: each.grad.mul_(0.5))


def begin_with_a_gradient(leaf: Tensor) -> None:
    leaf.grad = gl.ones_like(leaf)


def freeze(leaf: Tensor) -> None:
    leaf.requires_grad_(False)


def lie_in_columns(leaf: Tensor) -> None:
    leaf.data = leaf.data.t().contiguous().t() if leaf.ndim == 2 else leaf.data


ON_LEAVES: Mapping[str, Callable[[Tensor], None]] = {
    each.__name__: each
    for each in (
        scale_gradient, look_at_gradient, clear_when_accumulated, begin_with_a_gradient, freeze, lie_in_columns,
    )
}  # fmt: skip


# -- around the calls --------------------------------------------------------------------------------------------------
def packed_as_arrays() -> AbstractContextManager[Any]:
    """Saved tensors are kept as NumPy arrays, exactly."""
    return saved_tensors_hooks(lambda t: t.detach().numpy().copy(), gl.tensor)


AROUND: Mapping[str, Callable[[], AbstractContextManager[Any]]] = {
    "nothing": nullcontext,
    "saved-tensor hooks": packed_as_arrays,
    "enable_grad": gl.enable_grad,
    "no_grad": gl.no_grad,
}
