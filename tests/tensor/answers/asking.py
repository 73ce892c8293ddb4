"""Asking a world (PyTorch, or guardlift) what it makes of a case: values, gradients, second gradients, or an error."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from operands import build, cases_of

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_SCOPE = {"inf": float("inf"), "nan": float("nan")}


@dataclass(frozen=True)
class Case:
    """One question: an expression, and what its operands are called."""

    function: str
    expression: str
    operands: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which known differences speak of it."""
        return f"{self.expression} of {', '.join(self.operands)}"


def cases() -> list[Case]:
    """All there are, each once, by functions.txt."""
    found: dict[Case, None] = {}
    for line in (Path(__file__).parent / "functions.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        names, expression, lists = (part.strip() for part in line.split(" | "))
        for name in names.split():
            for text in lists.split():
                for operands in cases_of(text):
                    found[Case(name, expression.replace("NAME", name), operands)] = None
    return list(found)


def ask(world: Any, functional: Any, case: Case, wrap: Callable[[Any], Any] = lambda f: f) -> dict[str, Any]:
    """The answer: `error`, the name of an exception's class; or the lists `values`, `memory`, `first` and `second`.

    wrap: what the function that computes the expression goes through, such as `gl.jit`.
    """
    given = [build(world, name) for name in case.operands]
    names = ("x", "y", "w", "v")[: len(given)]
    scope = {**_SCOPE, "gl": world, "F": functional}
    exec(f"def question({', '.join(names)}):\n    return {case.expression}", scope)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            outs = list(_flat(wrap(scope["question"])(*given)))
        except Exception as error:
            return {"error": _class_of(error)}
        answer: dict[str, Any] = {"values": [_noted(each) for each in outs]}
        answer["memory"] = [_memory(world, each, given) for each in outs]
        leaves = [each for each in given if hasattr(each, "requires_grad") and each.requires_grad]
        answer |= _gradients(world, outs, leaves)
    return answer


def _class_of(error: BaseException) -> str:
    """The built-in classes that it is of, the nearest one first."""
    known = ("NotImplementedError", "IndexError", "ValueError", "TypeError", "AttributeError", "RuntimeError")
    return " ".join(each.__name__ for each in type(error).__mro__ if each.__name__ in known) or type(error).__name__


def _gradients(world: Any, outs: list[Any], leaves: list[Any]) -> dict[str, Any]:
    """The gradients of sums weighted unevenly, so that no two elements have one gradient."""
    tracked = [each for each in outs if hasattr(each, "requires_grad") and each.requires_grad]
    if not tracked or not leaves:
        return {}
    try:
        first = world.autograd.grad(_weighted(world, tracked), leaves, create_graph=True, allow_unused=True)
    except Exception as error:
        return {"first": _class_of(error)}
    found: dict[str, Any] = {"first": [_noted(each, dense=True) for each in first]}
    again = [each for each in first if each is not None and each.requires_grad]
    if not again:
        return found
    try:
        second = world.autograd.grad(_weighted(world, again), leaves, allow_unused=True)
    except Exception as error:
        return {**found, "second": _class_of(error)}
    return {**found, "second": [_noted(each) for each in second]}


def _weighted(world: Any, tensors: list[Any]) -> Any:
    total = None
    for place, each in enumerate(tensors):
        count = each.numel()
        weights = 1.0 + (np.arange(count, dtype=np.float32) * 7 % 5 + place) / 4
        weights = world.from_numpy(weights.reshape(tuple(each.shape))).to(each.dtype)
        part = (each * weights).sum().to(world.float64)
        total = part if total is None else total + part
    return total


def _flat(found: Any) -> Iterator[Any]:
    if isinstance(found, (tuple, list)):
        for each in found:
            yield from _flat(each)
    else:
        yield found


def _noted(value: Any, dense: bool = False) -> Any:
    """The parts of a result that are kept: its dtype, shape, strides, whether it requires grad, and its elements.

    dense: of the strides only whether no element of it is another one.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    dtype = str(value.dtype).removeprefix("torch.").removeprefix("gl.").removeprefix("guardlift.")
    array = value.detach()
    array = (array.to(_wide(value, dtype)) if dtype in ("bfloat16", "float16") else array).numpy(force=True)
    steps = (
        tuple(step if size > 1 else 1 for step, size in zip(value.stride(), value.shape, strict=True))
        if value.numel()
        else ()
    )
    tracked = bool(value.requires_grad)
    return {
        "dtype": dtype,
        "shape": tuple(value.shape),
        "strides": 0 not in steps if dense else steps,
        "tracked": tracked,
        "array": np.array(array, copy=True, order="C"),
    }


def _memory(world: Any, value: Any, given: list[Any]) -> str:
    """The place of a result's elements: it is an operand `itself`, `shares` the memory of one, or has its `own`.

    One that the world says to be a view is a `view that shares`, or a `view` of its `own` memory.
    """
    if any(value is each for each in given):
        return "itself"
    if not hasattr(value, "dtype"):
        return "own"
    arrays = [_array(world, each) for each in (value, *given) if hasattr(each, "dtype")]
    shares = "shares" if any(np.shares_memory(arrays[0], each) for each in arrays[1:]) else "own"
    return shares if value._base is None else f"view that {shares}" if shares == "shares" else f"view of its {shares}"


def _array(world: Any, value: Any) -> Any:
    """The memory of a tensor as an array."""
    value = value.detach()
    return (value.view(world.int16) if str(value.dtype).endswith("bfloat16") else value).numpy()


def _wide(value: Any, dtype: str) -> Any:
    """The dtype float32 of the world that `value` is of."""
    return value.float().dtype
