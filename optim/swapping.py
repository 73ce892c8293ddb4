"""Other parameters and another state in an optimizer, for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..core.watched_containers import WatchedDict, WatchedList
from ..tensor import Tensor
from .errors import OptimizerSwapError
from .optimizer import Optimizer, OptimizerState

_NAME = "swap_in_optimizer_params_and_state"


@contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer, swapin_parameters: Mapping[str, Tensor], swapin_optim_state: dict[str, Any]
) -> Iterator[None]:
    """A context in which an optimizer has other parameters, another state and other settings.

    swapin_parameters: tensors in the order of the parameters, the names of which mean nothing.
    swapin_optim_state: as ``optimizer.state_dict()`` gives it. Writes into its tensors stay; anything else that changes
        in the state is forgotten, as are changes of settings.
    Errors: RuntimeError for an optimizer that has no state yet, and for what does not fit its groups.
    """
    state, groups = _checked(optimizer, swapin_parameters, swapin_optim_state)
    own_state, own_groups = optimizer.state, [dict(group) for group in optimizer.param_groups]
    try:
        swapped = OptimizerState()
        for group, settings, params in groups:
            for param, number in zip(params, settings["params"], strict=True):
                swapped[param] = WatchedDict(state.get(number, {}))
            group.update({**settings, "params": WatchedList(params)})
        optimizer.state = swapped
        yield
    finally:
        for group, before in zip(optimizer.param_groups, own_groups, strict=True):
            group.clear()
            group.update(before)
        optimizer.state = own_state


def _checked(
    optimizer: Optimizer, parameters: Mapping[str, Tensor], given: Any
) -> tuple[dict[Any, Any], list[tuple[dict[str, Any], dict[str, Any], list[Tensor]]]]:
    """The state by number, and each group with the settings and the parameters that it is to have."""
    if not optimizer.state:
        raise OptimizerSwapError(f"{_NAME} requires initialized optimizer state: take a step first")
    if not isinstance(given, dict) or not isinstance(given.get("state"), dict):
        raise OptimizerSwapError(f"{_NAME} takes what optimizer.state_dict() gives, got {type(given).__name__}")
    groups = given.get("param_groups")
    if not isinstance(groups, list) or len(groups) != len(optimizer.param_groups):
        raise OptimizerSwapError(
            f"swapin_optim_state has a different number of parameter groups than the live optimizer, which has "
            f"{len(optimizer.param_groups)}"
        )
    listed, found, numbers = list(parameters.values()), [], set()
    for place, (group, settings) in enumerate(zip(optimizer.param_groups, groups, strict=True)):
        if set(settings) != set(group) or len(settings["params"]) != len(group["params"]):
            raise OptimizerSwapError(
                f"group {place} of swapin_optim_state does not fit that of the live optimizer: it has "
                f"{sorted(settings)} and {len(settings.get('params', ()))} params, expected {sorted(group)} and "
                f"{len(group['params'])}"
            )
        count = len(settings["params"])
        if len(listed) < count:
            raise OptimizerSwapError(
                f"{_NAME} takes a tensor for each parameter of the optimizer, got {len(parameters)}"
            )
        found.append((group, settings, listed[:count]))
        listed = listed[count:]
        numbers.update(settings["params"])
    strange = [key for key in given["state"] if key not in numbers]
    if strange:
        raise OptimizerSwapError(f"swapin_optim_state['state'] has entries of no parameter: {strange}")
    return given["state"], found
