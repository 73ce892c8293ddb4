"""Taking a gradient away: what `zero_grad` of modules and optimizers does to each parameter."""

from __future__ import annotations

from typing import Any


def clear_gradient(param: Any, set_to_none: bool) -> None:
    """Takes the gradient of `param` away, or fills it with zeros, cut off from the graph that made it."""
    gradient = param.grad
    if gradient is None:
        return
    if set_to_none:
        param.grad = None
        return
    if gradient.requires_grad:
        param.grad = gradient = gradient.detach()
    gradient.zero_()
