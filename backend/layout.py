"""How a graph's inputs and outputs lie in memory, as the caller of `compile_graph` says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.types import TensorType


@dataclass(frozen=True, slots=True)
class InputLayout:
    """One input. `kind`: array, lifted, float, int, bool or numpy_scalar.

    A lifted input is an array that is given once, when the plan is built, and no argument of the call. Lifted inputs
    of which one is written share no memory with each other, nor with arguments.
    Units: strides count elements; arrays only."""

    kind: str
    type: TensorType
    strides: tuple[int, ...] = ()
    writeable: bool = False


@dataclass(frozen=True, slots=True)
class OutputLayout:
    """One result.

    `kind`: fresh (a new array with `strides`), scalar (a NumPy scalar), input (argument `input` itself) or view (over
    `base`, which is ("input", i) or ("output", j), with `shape`, `strides` and `offset`). Both count all inputs, but
    name no lifted one. `node` is the position in the graph's outputs of the value computed for it; None when nothing
    is. Units: strides and offset count elements."""

    kind: str
    node: int | None = None
    strides: tuple[int, ...] = ()
    input: int = -1
    base: tuple[str, int] | None = None
    shape: tuple[int, ...] = ()
    offset: int = 0


@dataclass(frozen=True, slots=True)
class CallLayout:
    """All inputs and outputs.

    After the inputs the call passes `objects`, which must be those very objects. `disjoint` lists pairs of array inputs
    that never share memory, none of them lifted; `unwrap`: one bare result."""

    inputs: tuple[InputLayout, ...]
    outputs: tuple[OutputLayout, ...]
    disjoint: frozenset[tuple[int, int]] = frozenset()
    unwrap: bool = False
    objects: tuple[Any, ...] = ()
