"""The place of an optimizer's counters, once its steps are compiled for parameters on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.devices import HOST
from ..tensor import Tensor

if TYPE_CHECKING:
    from .optimizer import Optimizer


def prepare_groups(optimizer: Optimizer) -> None:
    """Switches `capturable` on in groups that have it, whose parameters all lie on a device and have no state yet.

    Their counters will then be made on the device, which a compiled step need not copy to and fro.
    """
    for group in optimizer.param_groups:
        params = group["params"]
        if group.get("capturable") is not False or not params:
            continue
        if all(each.device != HOST and not dict.get(optimizer.state, each) for each in params):
            group["capturable"] = True


def place_counters(optimizer: Optimizer) -> None:
    """Moves counters of parameters on a device there: an old checkpoint may have them on the CPU."""
    for param, state in optimizer.state.items():
        if not isinstance(param, Tensor) or param.device == HOST or not isinstance(state, dict):
            continue
        for name in optimizer._singles & state.keys():
            if isinstance(state[name], Tensor) and state[name].device != param.device:
                state[name] = state[name].to(param.device)
