"""Custom functions that the tests of several files use."""

from __future__ import annotations

from typing import Any

from guardlift.autograd import Function


class Cube(Function):
    """One tensor, saved; its backward can be differentiated."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 3.0 * x * x


class Count(Function):
    """Adds to a buffer in backward, and reads it."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.b = b
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.b.add_(1.0)
        return g * ctx.b, None


class SineAndCosine(Function):
    """Two results; the gradient of one that is not used comes as zeros."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx: Any, s: Any, c: Any) -> Any:
        (x,) = ctx.saved_tensors
        return s * x.cos() - c * x.sin()
