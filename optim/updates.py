"""The declaration of an optimizer: its formula, what it remembers, which entries of a group it reads, and how.

The eager step (`stepped`) and the traced one (`frontend/tensors/optim/step.py`) both follow the declaration.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.records import dataclass
from .programs import StepProgram, program
from .settings import number

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {"!=": operator.ne, ">": operator.gt, "<=": operator.le}

Path = str | tuple[str, int]
"""The place of a number in a group: under a key, or at a position of the tuple under a key."""


@dataclass(frozen=True)
class Remembered:
    """One entry of a parameter's state: a tensor like the parameter, or (`single`) one float32 number for it.

    starts_as: the value of all its elements, or the key of the group's entry that says it; None if the first step makes
    it.   kept_if: the flag or condition under which it is there at all.
    """

    name: str
    single: bool = False
    starts_as: float | str | None = 0.0
    kept_if: str = ""


STEP = Remembered("step", single=True)
"""The number of times that a parameter was stepped."""


@dataclass(frozen=True, eq=False)
class Update:
    """The steps of one optimizer, as data.

    formula:     the arithmetic (see `formulas`); it takes everything below by name, and gives new values by name.
    state:       what is remembered of a parameter, in the order of PyTorch's state dicts.
    numbers:     the scalars of the formula, and where in the group they stand. Compiled steps read them at each call.
    flags:       the entries of the group that are booleans. Compiled steps are made for their values.
    conditions:  further booleans: (number, operator, constant). Compiled steps are made for their outcomes.
    along_sparse: what happens along a sparse gradient: ``(param, grad, state by name, numbers, booleans) -> None``.
    """

    formula: Callable[..., dict[str, Any]]
    state: tuple[Remembered, ...]
    numbers: Mapping[str, Path]
    flags: tuple[str, ...] = ("maximize",)
    conditions: Mapping[str, tuple[str, str, float]] = field(default_factory=dict)
    along_sparse: Callable[..., None] | None = None
    state_from_the_start: bool = False
    """Whether state is made with the optimizer, and not at the first step of a parameter."""

    def numbers_in(self, group: Mapping[str, Any]) -> dict[str, float]:
        """The scalars, as Python's own floats: NumPy's would widen float32 arrays."""
        return {name: number(at(group, path)) for name, path in self.numbers.items()}

    def booleans_in(self, group: Mapping[str, Any]) -> dict[str, bool]:
        """The flags and the outcomes of the conditions."""
        return {name: self._boolean_in(group, name) for name in (*self.flags, *self.conditions)}

    def _boolean_in(self, group: Mapping[str, Any], name: str) -> bool:
        if name not in self.conditions:
            return bool(group[name])
        left, sign, right = self.conditions[name]
        return bool(OPERATORS[sign](number(at(group, self.numbers[left])), right))

    def kept_in(self, group: Mapping[str, Any]) -> tuple[int, ...]:
        """`kept` under the booleans of a group, of which no others are read."""
        return self.kept({each.kept_if: self._boolean_in(group, each.kept_if) for each in self.state if each.kept_if})

    def kept(self, booleans: Mapping[str, bool]) -> tuple[int, ...]:
        """The places in `state` of what is remembered under these booleans."""
        return tuple(place for place, each in enumerate(self.state) if not each.kept_if or booleans[each.kept_if])

    def program(
        self, kept: tuple[int, ...], singles: tuple[DType, ...], dtype: DType, missing: tuple[str, ...], booleans: Any
    ) -> StepProgram:
        """The formula for eager steps. singles: dtypes of the numbers that are remembered; missing: what is not yet."""
        return _program(self, kept, singles, dtype, missing, tuple(booleans.items()))


@cache
def _program(
    update: Update,
    kept: tuple[int, ...],
    singles: tuple[DType, ...],
    dtype: DType,
    missing: tuple[str, ...],
    booleans: tuple[tuple[str, bool], ...],
) -> StepProgram:
    state = [update.state[place] for place in kept]
    columns = ["param", "grad", *[each.name for each in state if not each.single]]
    scalars = dict(zip([each.name for each in state if each.single], singles, strict=True))
    scalars.update(dict.fromkeys(update.numbers, dtypes.float64))
    return program(update.formula, columns, scalars, dtype, missing, dict(booleans))


def at(group: Mapping[str, Any], path: Path) -> Any:
    """The entry of a group at a path."""
    return group[path] if isinstance(path, str) else group[path[0]][path[1]]


BETAS: dict[str, Path] = {"beta1": ("betas", 0), "beta2": ("betas", 1)}
DECAYS: dict[str, tuple[str, str, float]] = {"decays": ("weight_decay", "!=", 0.0)}
