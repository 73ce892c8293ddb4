"""Parameter groups: checked when they are added, and printed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, NoReturn

from ..core.watched_containers import WatchedList
from ..tensor import Tensor
from .errors import OptimizerArgumentError, OptimizerTypeError


def refuse_empty() -> NoReturn:
    """Errors: OptimizerArgumentError, always."""
    raise OptimizerArgumentError("the optimizer got no parameters; was the generator of parameters used up before?")


def checked(group: Any, defaults: dict[str, Any], others: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """A group of our own: the parameters in a watched list, and the defaults where `group` says nothing.

    Errors: OptimizerTypeError for what is no tensor, or no order of tensors; OptimizerArgumentError for a tensor that
    cannot be optimised or is in another group already.
    """
    if not isinstance(group, dict):
        raise OptimizerTypeError(f"a parameter group is a dict, got {type(group).__name__}")
    if "params" not in group:
        raise OptimizerArgumentError(f"a parameter group has an entry 'params'; this one has {sorted(map(str, group))}")
    params, names = _parameters(group["params"])
    result = {**group, "params": WatchedList(params)}
    if names:
        result["param_names"] = names
    for name, default in defaults.items():
        result.setdefault(name, default)
    if len(set(params)) != len(params):
        warnings.warn("a parameter is in one group more than once; it would be updated as often", stacklevel=5)
    taken = {param for other in others for param in other["params"]}
    if not taken.isdisjoint(params):
        raise OptimizerArgumentError("a parameter is in another group already; one parameter has one group")
    return result


def ordered(params: Any) -> Iterable[Any]:
    """`params` itself. Errors: OptimizerTypeError for a set."""
    if isinstance(params, (set, frozenset)):
        raise OptimizerTypeError("the parameters are in a set, whose order is another in each run; give a list")
    return params  # type: ignore[no-any-return]


def _parameters(given: Any) -> tuple[list[Tensor], list[str]]:
    """The tensors, and their names if they came as pairs (name, tensor)."""
    if isinstance(given, Tensor):
        given = [given]
    params, names = [], []
    for each in ordered(given):
        name, param = each if isinstance(each, tuple) and len(each) == 2 else (None, each)
        _check_parameter(param)
        params.append(param)
        if name is not None:
            names.append(name)
    if names and len(names) != len(params):
        raise OptimizerArgumentError("some parameters of a group have names and some have not; name all or none")
    return params, names


def _check_parameter(param: Any) -> None:
    if not isinstance(param, Tensor):
        raise OptimizerTypeError(f"an optimizer works on tensors, got {type(param).__name__}")
    if not param.is_leaf:
        raise OptimizerArgumentError(
            f"cannot optimise a tensor that was computed ({param.grad_fn.name()}); "
            "give the tensors it was computed from, or detach() it first"
        )


def text(kind: str, groups: Iterable[dict[str, Any]]) -> str:
    """The optimizer's name and the entries of each group but the parameters, sorted."""
    lines = [f"{kind} ("]
    for number, group in enumerate(groups):
        lines += ["", f"Parameter Group {number}"] if number else [f"Parameter Group {number}"]
        lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
    return "\n".join([*lines, ")"])
