"""The state dict of an optimizer: PyTorch's form, in which parameters are numbered through the groups."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import dtypes
from ..core.watched_containers import WatchedDict
from ..tensor import Tensor
from ..tensor.conversion import clone
from .errors import OptimizerStateError

if TYPE_CHECKING:
    from .optimizer import Optimizer

_SEQUENCES = (list, tuple, deque)
"""Containers in an entry of the state whose elements are looked at: two optimizers share none of them."""


def state_dict(optimizer: Optimizer) -> dict[str, Any]:
    """``{"state": {number: {...}}, "param_groups": [{..., "params": [numbers]}]}``."""
    numbers: dict[Any, int] = {}
    packed = []
    for group in optimizer.param_groups:
        for param in group["params"]:
            numbers.setdefault(param, len(numbers))
        entries = {name: value for name, value in group.items() if name != "params"}
        entries["params"] = [numbers[param] for param in group["params"]]
        packed.append(entries)
    state = {
        numbers.get(key, key) if isinstance(key, Tensor) else key: dict(value) if isinstance(value, dict) else value
        for key, value in optimizer.state.items()
    }
    return {"state": state, "param_groups": packed}


def load_state_dict(optimizer: Optimizer, saved: Mapping[str, Any]) -> None:
    """Replaces the entries of the groups and the whole state; the groups and their parameters stay the same objects.

    Tensors are copied, so that two optimizers never step on one another's state.
    Errors: OptimizerStateError when the number or the lengths of the groups differ; nothing is changed then.
    """
    _check_fit(optimizer, saved)
    by_number: dict[Any, Tensor] = {}
    groups: dict[Any, Mapping[str, Any]] = {}
    for group, entries in zip(optimizer.param_groups, saved["param_groups"]):
        by_number.update(zip(entries["params"], group["params"]))
        groups.update(dict.fromkeys(entries["params"], entries))
    state: dict[Any, Any] = {}
    for key, value in saved["state"].items():
        param = by_number.get(key)
        if param is None:
            state[key] = value
        else:
            entries, singles = groups[key], optimizer._singles
            stays = not (entries.get("capturable") or entries.get("fused"))
            state[param] = WatchedDict(
                {name: _fitting(param, name, each, singles, stays) for name, each in value.items()}
            )
    for group, entries in zip(optimizer.param_groups, saved["param_groups"]):
        params = group["params"]
        names = {"param_names": group["param_names"]} if "param_names" in group else {}
        taken = {name: _copied(value) for name, value in entries.items()}
        loaded = {**optimizer.defaults, **taken, **names, "params": params}
        order = [*(name for name in group if name in loaded), *loaded]
        group.clear()
        group.update({name: loaded[name] for name in order})
    optimizer.state.clear()
    optimizer.state.update(state)


def _check_fit(optimizer: Optimizer, saved: Mapping[str, Any]) -> None:
    if not isinstance(saved, Mapping) or not {"state", "param_groups"} <= saved.keys():
        raise OptimizerStateError("the state dict of an optimizer has the entries 'state' and 'param_groups'")
    given, own = saved["param_groups"], optimizer.param_groups
    if len(given) != len(own):
        raise OptimizerStateError(f"the state dict has {len(given)} parameter groups, the optimizer has {len(own)}")
    for number, (entries, group) in enumerate(zip(given, own)):
        if len(entries["params"]) != len(group["params"]):
            raise OptimizerStateError(
                f"parameter group {number} of the state dict has {len(entries['params'])} parameters, "
                f"that of the optimizer has {len(group['params'])}"
            )


def _fitting(param: Tensor, name: str, value: Any, singles: frozenset[str], stays: bool) -> Any:
    """A copy of one entry of a parameter's state: tensors in the parameter's dtype and place, the rest as it is.

    The entry `step` keeps its dtype and, if it `stays`, its device. `singles` are the entries that are to be tensors.
    """
    if isinstance(value, Tensor):
        copied = clone(value.detach())
        if name == "step" or name in singles:
            return copied if stays else copied.to(param.device, dtypes.float32)
        copied = copied.to(param.device)
        return copied.to(param.dtype) if param.dtype.is_float and value.dtype.is_float else copied
    if isinstance(value, dict):
        return {key: _fitting(param, key, each, singles, stays) for key, each in value.items()}
    if type(value) in _SEQUENCES:
        return type(value)(_fitting(param, name, each, frozenset(), stays) for each in value)
    if name in singles:
        number = Tensor._wrap(np.array(value, np.float32))
        return number if stays else number.to(param.device)
    return value


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    if type(value) in _SEQUENCES:
        return type(value)(map(_copied, value))
    return clone(value.detach()) if isinstance(value, Tensor) else value
