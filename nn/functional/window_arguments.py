"""Arguments that say how windows lie: one number for all spatial axes, or one for each."""

from __future__ import annotations

from operator import index
from typing import Any

from ...core.sizes import Size
from ...tensor.dispatch import is_tensor_like, not_a_tensor
from ...tensor.shaping import reshape_to
from ..checks import shape_text
from ..errors import LayerShapeError

Value = Any
Ints = tuple[int, ...]


def whole(value: Any) -> Any:
    """A whole number, which may be a symbolic size. Errors: TypeError for anything else."""
    return value if isinstance(value, Size) else index(value)


def each_axis(name: str, argument: str, value: Any, rank: int) -> Ints:
    """An entry for each of `rank` axes. Errors: LayerShapeError for another number of entries."""
    if not isinstance(value, (tuple, list)):
        return (whole(value),) * rank
    if len(value) == 1:
        return (whole(value[0]),) * rank
    if len(value) != rank:
        raise LayerShapeError(f"{name}: {argument} takes one number or {rank}, got {list(value)}")
    return tuple(whole(each) for each in value)


def positive(name: str, **given: Ints) -> None:
    """Errors: LayerShapeError for an argument with a number that is not greater than 0."""
    for argument, values in given.items():
        if any(each <= 0 for each in values):
            raise LayerShapeError(f"{name}: {argument} should be greater than zero, but got {list(values)}")


def batched(name: str, input: Value, rank: int) -> tuple[Value, bool]:
    """`input` with an axis of images, and whether it had none.

    Shapes: [N, C, *S] or [C, *S], with `rank` axes S.
    Errors: TypeError for no tensor, LayerShapeError for other shapes.
    """
    if not is_tensor_like(input):
        raise not_a_tensor(name, "input", 1, input)
    if input.ndim == rank + 2:
        return input, False
    if input.ndim != rank + 1:
        raise LayerShapeError(
            f"{name}: Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input, "
            f"but got input of size: {shape_text(input)}"
        )
    return reshape_to(input, (1, *input.shape)), True


def without_batch(value: Value, single: bool) -> Value:
    """`value` without the axis of images, if `single` says that it was added."""
    return reshape_to(value, tuple(value.shape[1:])) if single else value
