"""The declaration of a model: what tensors it takes for given sizes, and where it may be disturbed.

    @takes("x: n k; w: h k grad; y: n c")
    def model(tap, x, w, y): ...

Each operand has its axes (names of sizes, or numbers) and what is in it: normal numbers unless it says `index=c`
(integers below that size), `unit` (numbers between 0.1 and 0.9) or `bits` (0 or 1, as floats); `grad` makes a leaf of
it. A class of `nn.Module` takes the sizes as keywords of its own, and its parameters are filled alike.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import guardlift as gl
from guardlift import nn

Tensor = Any
Tap = Callable[[str, Tensor], Tensor]
Sizes = Mapping[str, int]
SMALL: Sizes = {"n": 4, "k": 3, "h": 5, "c": 2, "t": 3}
"""n rows, k features, h hidden, c classes, t steps in time."""


def takes(operands: str) -> Callable[[Any], Any]:
    """Declares the operands of a model."""

    def declare(model: Any) -> Any:
        model.operands = [each.strip() for each in operands.split(";")]
        return model

    return declare


@dataclass(frozen=True)
class World:
    """One copy of all that a model works on: what it computes, the operands it gets, the leaves of both by name."""

    loss: Callable[..., Tensor]
    operands: Sequence[Tensor]
    leaves: Mapping[str, Tensor]


def world(model: Any, sizes: Sizes, dtype: str, tap: Tap, seed: int = 0) -> World:
    """A model and its operands, the same at every call with the same arguments."""
    rng = np.random.default_rng(seed)
    leaves: dict[str, Tensor] = {}
    operands = []
    for declaration in model.operands:
        name, _, text = declaration.partition(":")
        operand = _operand(text.split(), sizes, dtype, rng)
        operands.append(operand)
        if operand.requires_grad:
            leaves[name] = operand
    if not isinstance(model, type):
        return World(lambda *given: model(tap, *given), operands, leaves)
    module = model(**{name: sizes[name] for name in inspect.signature(model).parameters})
    module.to(getattr(gl, dtype))
    for name, parameter in module.named_parameters():
        parameter.data.copy_(gl.tensor(rng.standard_normal(parameter.shape) * 0.6))
        leaves[name] = parameter
    return World(lambda *given: module(tap, *given), operands, leaves)


def _operand(words: list[str], sizes: Sizes, dtype: str, rng: np.random.Generator) -> Tensor:
    shape = [sizes[word] if word in sizes else int(word) for word in words if word in sizes or word.isdigit()]
    kinds = [word for word in words if word not in sizes and not word.isdigit()]
    index = next((kind.partition("=")[2] for kind in kinds if kind.startswith("index=")), None)
    if index is not None:
        return gl.tensor(rng.integers(0, sizes[index] if index in sizes else int(index), shape))
    if "bits" in kinds:
        values = rng.integers(0, 2, shape)
    elif "unit" in kinds:
        values = rng.uniform(0.1, 0.9, shape)
    else:
        values = rng.standard_normal(shape) * 0.6
    array = np.asarray(values).astype(dtype)
    return nn.Parameter(gl.tensor(array)) if "grad" in kinds else gl.tensor(array)
