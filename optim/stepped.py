"""Optimizers whose step is one formula for every element: all of them follow their declaration (see `updates`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..core import dtypes
from ..core.devices.host_or_device import empty_beside, on_host
from ..core.strided import strided
from ..ops.pointwise import CAST
from ..tensor import Tensor
from ..tensor.creation import full, full_like
from ..tensor.ignored_errstate import ignoring_errstate
from ..tensor.narrow import check_computes, widened
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.writes import WRITES, announce_all
from .optimizer import Optimizer, evaluated
from .pieces import Row
from .programs import StepProgram
from .settings import CHECKS, Check, check_gradient, check_settings, number
from .updates import Remembered, Update

_SINGLE_TYPES: dict[Any, Any] = {dtypes.float32: np.float32, dtypes.float64: float}


class SteppedOptimizer(Optimizer):
    """Base of the optimizers here. A subclass declares its `_update`, and gives the defaults of its groups."""

    _update: ClassVar[Update]
    _checks: ClassVar[Mapping[str, Check]] = CHECKS
    """The checks of its settings."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls._singles = Optimizer._singles | {each.name for each in cls._update.state if each.single}

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        check_settings(defaults, type(self)._checks)
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group: a dict with "params", one tensor or several, and whatever is to differ from the defaults."""
        super().add_param_group(param_group)
        update = type(self)._update
        if update.state_from_the_start:
            group = self.param_groups[-1]
            for param in group["params"]:
                _begin(update.state, param, self.state[param], group)

    def _init_group(self, group: dict[str, Any], params: list[Tensor], grads: list[Tensor], *lists: list[Any]) -> None:
        """Fills the lists with the parameters that have a gradient, their gradients, and each entry of their state.

        There is a list for each entry in `_update.state`; those not kept stay empty. State that is missing is made, and
        what the first step makes is None until then.
        """
        update, states = type(self)._update, self.state
        places = update.kept_in(group)
        kept = [update.state[place] for place in places]
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            check_gradient(type(self).__name__, param, grad, update.along_sparse is not None, group)
            params.append(param)
            grads.append(grad)
            if not kept:
                continue
            state = states[param]
            if not state:
                _begin(kept, param, state, group)
            for place, entry in zip(places, kept):
                lists[place].append(state[entry.name] if entry.starts_as is not None else state.get(entry.name))

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            step_group(self, group)
        return loss


def _begin(entries: Iterable[Remembered], param: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
    """Makes the entries of a parameter's state: all of them, or none where that is interrupted."""
    made: dict[str, Any] = {}
    for each in entries:
        start = group[each.starts_as] if isinstance(each.starts_as, str) else each.starts_as
        if start is not None:
            start = number(start)
            if each.single:
                made[each.name] = _counter(param, start, group)
            else:
                made[each.name] = full_like(param, complex(start, start) if param.dtype.is_complex else start)
    state.update(made)


def _counter(param: Tensor, start: float, group: dict[str, Any]) -> Tensor:
    """One number for a parameter: on its device if the group is `capturable` or `fused`, else on the CPU."""
    there = group.get("capturable") or group.get("fused")
    counter: Tensor = full((), start, dtype=dtypes.float32, device=param.device if there else None)
    return counter


def step_group(optimizer: Any, group: dict[str, Any]) -> None:
    """One step for the parameters of a group, in place; every written tensor counts one more version.

    The tracer has a rule for this function.
    """
    update: Update = type(optimizer)._update
    params: list[Tensor] = []
    grads: list[Tensor] = []
    lists: list[list[Any]] = [[] for _ in update.state]
    optimizer._init_group(group, params, grads, *lists)
    numbers, booleans = update.numbers_in(group), update.booleans_in(group)
    kept = update.kept(booleans)
    state = {update.state[place].name: lists[place] for place in kept}
    late = [update.state[place].name for place in kept if update.state[place].starts_as is None]
    if WRITES.observers is not None:
        announce_all(params, *state.values())
    ignoring_errstate(_step_all, update, kept, params, grads, state, numbers, booleans)
    for name in late:
        for param, made in zip(params, state[name]):
            optimizer.state[param][name] = made


def _step_all(
    update: Update,
    kept: tuple[int, ...],
    params: list[Tensor],
    grads: list[Tensor],
    state: dict[str, list[Any]],
    numbers: dict[str, float],
    booleans: dict[str, bool],
) -> None:
    entries = [(update.state[place], state[update.state[place].name]) for place in kept]
    alike: dict[Any, _Alike] = {}
    for index, (param, grad) in enumerate(zip(params, grads)):
        if update.along_sparse is not None and _is_sparse(grad, entries, index):
            mine = {entry.name: column[index] for entry, column in entries}
            update.along_sparse(param, grad, mine, numbers, booleans)
            for entry, column in entries:
                column[index] = mine[entry.name]
            continue
        array = param._array
        seen = in_parts if array.dtype.kind == "c" else _as_it_is
        row, singles, missing, key = [seen(array), seen(grad._array)], [], [], [array.dtype]
        param._counter.value += 1
        for entry, column in entries:
            tensor = column[index]
            if tensor is None:
                tensor = column[index] = Tensor._wrap(empty_beside(array, array.shape, array.dtype))
                missing.append(entry.name)
            else:
                tensor._counter.value += 1
            if entry.single:
                single = tensor._array
                singles.append(single)
                key += (single.dtype, single.item())
            else:
                row.append(seen(tensor._array))
        which = (*key, *missing)
        together = alike.get(which)
        if together is None:
            together = alike[which] = _Alike(missing)
        together.rows.append(tuple(row))
        together.singles.append(singles)
    for each in alike.values():
        _run(update, kept, each, numbers, booleans)


def in_parts(array: Any) -> Any:
    """A view of complex numbers as floats, along a new last axis: a step is of each part by itself, as in PyTorch."""
    real = array.real
    return strided(real, (*array.shape, 2), (*array.strides, real.itemsize))


def _as_it_is(array: Any) -> Any:
    return array


def _is_sparse(grad: Tensor, entries: list[tuple[Remembered, list[Any]]], index: int) -> bool:
    return type(grad) is SparseTensor or any(type(column[index]) is SparseTensor for _, column in entries)


class _Alike:
    """Parameters of one dtype, that were stepped equally often, and what their first step makes."""

    __slots__ = ("missing", "rows", "singles")

    def __init__(self, missing: list[str]) -> None:
        self.missing = missing
        self.rows: list[Row] = []
        self.singles: list[list[Any]] = []


def _run(
    update: Update, kept: tuple[int, ...], alike: _Alike, numbers: dict[str, float], booleans: dict[str, bool]
) -> None:
    singles = alike.singles[0]
    # A counter of another dtype than float32, as an old checkpoint may have, is computed with in float64.
    types = tuple(dtypes.float32 if each.dtype == np.float32 else dtypes.float64 for each in singles)
    dtype = dtypes.held(alike.rows[0][0].dtype)
    assert dtype is not None
    check_computes("a step of an optimizer", dtype)
    computed = dtypes.float32 if dtype.is_narrow else dtype
    program = update.program(kept, types, computed, tuple(alike.missing), booleans)
    known = dict(numbers)
    for name, kind, single in zip(program.given, types, singles):
        known[name] = _SINGLE_TYPES[kind](single.item())
    rows, new = program.run_by_kernels(alike.rows, known)
    if rows:
        new = _run_wide(program, rows, known) if dtype.is_narrow else program.run(rows, known)
    for row in alike.singles:
        for single, name in zip(row, program.given):
            single[()] = new[name]


def _run_wide(program: StepProgram, rows: Iterable[Row], known: dict[str, Any]) -> dict[str, Any]:
    """Steps rows of narrow floats in place, one after the other: computed in float32, and rounded once.

    Gives the new value of every scalar that is remembered.
    """
    new: dict[str, Any] = {}
    for row in rows:
        wide = tuple(np.array(widened(on_host(each))) for each in row)
        new = program.run([wide], known)
        for place in program.written:
            row[place][...] = CAST.eager(wide[place], dtype=dtypes.held(row[place].dtype))
    return new
