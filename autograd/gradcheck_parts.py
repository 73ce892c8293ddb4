"""Functions of complex numbers as `gradcheck` takes them: as functions of real ones, both parts along a last axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..tensor.complex_parts import view_as_complex, view_as_real
from ..tensor.tensor import Tensor


def in_parts(func: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function of real tensors that does what `func` does, and its inputs: leaves like those of `func`."""
    whole = [isinstance(each, Tensor) and each.dtype.is_complex and each.requires_grad for each in inputs]

    def parts(*given: Any) -> Any:
        found = func(*(view_as_complex(each) if flag else each for flag, each in zip(whole, given, strict=True)))
        if isinstance(found, (tuple, list)):
            return tuple(map(real_form, found))
        return real_form(found)

    return parts, tuple(
        view_as_real(each.detach()).clone().requires_grad_() if flag else each
        for flag, each in zip(whole, inputs, strict=True)
    )


def real_form(value: Any) -> Any:
    """The parts of a complex tensor along a last axis; anything else as it is."""
    return view_as_real(value) if isinstance(value, Tensor) and value.dtype.is_complex else value
