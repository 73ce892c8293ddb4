"""Dropout as functions: elements, or whole channels, set to 0 at random in training, the others scaled up."""

from __future__ import annotations

from typing import Any

from ..tensor.arithmetic import div, mul, mul_
from ..tensor.pointwise import lt
from ..tensor.promotion import to_dtype
from ..tensor.random import rand
from ..tensor.surface import surface

Value = Any


def _dropped(input: Value, p: float, training: bool, inplace: bool, shape: tuple[Any, ...]) -> Value:
    """`input` times 0 with probability `p`, times ``1 / (1 - p)`` otherwise; one decision for each place of `shape`."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0 or not input.numel():
        return input
    if p == 1:
        return mul_(input, 0.0) if inplace else mul(input, 0.0)
    kept = to_dtype(lt(rand(shape, dtype=input.dtype, device=input.device), 1 - p), input.dtype)
    noise = div(kept, 1 - p)
    return mul_(input, noise) if inplace else mul(input, noise)


@surface
def dropout(input: Value, p: float = 0.5, training: bool = True, inplace: bool = False) -> Value:
    """`input`, of which each element is 0 with probability `p` in training, and else divided by ``1 - p``.

    Which ones is drawn from the default generator. Errors: ValueError for a probability out of range.
    """
    return _dropped(input, p, training, inplace, tuple(input.shape))


def _of_channels(name: str, rank: int) -> Any:
    def function(input: Value, p: float = 0.5, training: bool = True, inplace: bool = False) -> Value:
        whole = input.ndim == rank + 2
        channels = tuple(input.shape[: 2 if whole else 1])
        return _dropped(input, p, training, inplace, (*channels, *(1 for _ in range(input.ndim - len(channels)))))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`input`, of which each channel is 0 with probability `p`, or divided by ``1 - p``.

    Shapes: [N, C, *] or [C, *], with {rank} axes in the place of the star.
    """
    return surface(function)


dropout1d = _of_channels("dropout1d", 1)
dropout2d = _of_channels("dropout2d", 2)
dropout3d = _of_channels("dropout3d", 3)
