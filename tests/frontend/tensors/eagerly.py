"""A program run in eager mode and jitted, in two worlds made alike: all that can be seen of both is compared."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from frontend.tensors.scenario import interpreted

import guardlift as gl

Program = Callable[..., Any]
PLACES = 5
"""Decimal places to which numbers are compared: sums of a compiled step may differ in the last bits."""


def told(value: Any, seen: list[Any]) -> Any:
    """The visible parts of a result as plain data: values and flags of tensors, and which of `seen` they share with."""
    if isinstance(value, gl.Tensor):
        memory = [k for k, each in enumerate(seen) if each._storage is value._storage]
        counted = [k for k, each in enumerate(seen) if each._counter is value._counter]
        base = [k for k, each in enumerate(seen) if each is value._base]
        seen.append(value)
        version = None if value.is_inference() else value._version
        data = np.round(value.detach().numpy().astype(np.float64), PLACES).tolist()
        flags = value.requires_grad, value.is_leaf, value.is_inference()
        return data, flags, version, value.stride(), memory, counted, base
    if isinstance(value, (tuple, list)):
        return [told(each, seen) for each in value]
    if isinstance(value, dict):
        return {key: told(each, seen) for key, each in value.items()}
    return round(value, PLACES) if isinstance(value, float) else value


def outcome(program: Program, arguments: Sequence[Any], known: Sequence[Any] = ()) -> Any:
    """The result of a call, or type and text of what it raised; then the state of the modes."""
    try:
        found = told(program(*arguments), list(known))
    except Exception as error:
        found = type(error).__name__, re.sub(r"which is output \d+ of \w+", "which is an output", str(error))
    return found, gl.is_grad_enabled(), gl.is_inference_mode_enabled()


def tensors_in(value: Any) -> list[Any]:
    """All tensors of a result, in order."""
    if isinstance(value, gl.Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return [each for part in parts for each in tensors_in(part)]


def state(tensors: Sequence[Any]) -> Any:
    """Values, versions and gradients of tensors that were there before a call."""
    return [(told(each, []), None if each.grad is None else told(each.grad, [])) for each in tensors]


def agree(
    program: Program, make: Callable[[], Sequence[Any]], calls: int = 3, known: Callable[[Any], Any] = tensors_in
) -> Any:
    """The jitted program, after calls that did what those of the plain one do. make: the arguments, alike each time.

    known: of the arguments, the tensors whose state is compared.
    """
    jitted = gl.jit(program)
    with interpreted(), warnings.catch_warnings():
        warnings.simplefilter("ignore", gl.GraphBreakWarning)
        for _ in range(calls):
            plain, compiled = make(), make()
            expected = outcome(program, plain, known(plain))
            gl.set_grad_enabled(True)
            found = outcome(jitted, compiled, known(compiled))
            gl.set_grad_enabled(True)
            assert found == expected
            assert state(known(compiled)) == state(known(plain))
    return jitted


def breaks_of(jitted: Any) -> list[str]:
    """The codes of the graph breaks of a function."""
    return [each.code for each in gl.explain(jitted).breaks]
