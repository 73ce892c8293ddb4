"""State dicts: what a module is trained to, by dotted name; and what pickle and deepcopy keep of a module."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..autograd.modes import no_grad
from ..core.watch import changed
from ..core.watched_containers import WatchedDict
from ..tensor import Tensor
from ..tensor.parameter import Parameter
from . import tree
from .errors import StateDictError
from .hooks import ModuleHooks

if TYPE_CHECKING:
    from .module import Module

_CONTAINERS = ("_parameters", "_buffers", "_modules")


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found too few and too many."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


def entries(module: Module, prefix: str = "") -> list[tuple[str, Module, str, str]]:
    """What a state dict of `module` holds, in order: its key, and the place by module, container and name.

    A module that is met twice is listed under both names.
    """
    found = []
    for path, place in tree.named_modules(module, remove_duplicate=False):
        start = f"{prefix}{path}." if path else prefix
        for name, param in place._parameters.items():
            if param is not None:
                found.append((start + name, place, "_parameters", name))
        for name, buffer in place._buffers.items():
            if buffer is not None and name not in place._non_persistent_buffers:
                found.append((start + name, place, "_buffers", name))
    return found


def state_dict(
    module: Module, destination: dict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
) -> dict[str, Any]:
    """The tensors by key, in a plain ordered dict: the parameters themselves if `keep_vars`, else detached."""
    result = OrderedDict() if destination is None else destination
    for key, place, container, name in entries(module, prefix):
        tensor = getattr(place, container)[name]
        result[key] = tensor if keep_vars else tensor.detach()
    return result


def load_state_dict(
    module: Module, state: Mapping[str, Any], strict: bool = True, assign: bool = False
) -> IncompatibleKeys:
    """Copies every value that has a place; gives the keys that were missing or not expected.

    With `assign` the tensors themselves take the places, so that dtype and memory become theirs.
    Errors: StateDictError lists all keys at fault; the values that do fit are loaded nevertheless.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"a state dict is a mapping, got {type(state).__name__}")
    wanted = entries(module)
    keys = {key for key, *_ in wanted}
    missing = [key for key, *_ in wanted if key not in state]
    unexpected = [key for key in state if key not in keys]
    faults = []
    if strict and missing:
        faults.append("missing: " + ", ".join(map(repr, missing)))
    if strict and unexpected:
        faults.append("not expected: " + ", ".join(map(repr, unexpected)))
    with no_grad():
        for key, place, container, name in wanted:
            if key in state:
                faults += _load(key, place, container, name, state[key], assign)
    if faults:
        raise StateDictError(f"the state dict does not fit {type(module).__name__}:\n  " + "\n  ".join(faults))
    return IncompatibleKeys(missing, unexpected)


def _load(key: str, place: Module, container: str, name: str, value: Any, assign: bool) -> list[str]:
    """What keeps the value out of its place, or nothing."""
    held = getattr(place, container)
    target = held[name]
    if not isinstance(value, Tensor):
        return [f"{key!r}: expected a Tensor, got {type(value).__name__}"]
    if tuple(value.shape) != tuple(target.shape):
        return [f"{key!r}: shape {tuple(value.shape)} does not fit, the module has {tuple(target.shape)}"]
    if not assign:
        target.copy_(value)
        return []
    if container == "_parameters" and not isinstance(value, Parameter):
        value = Parameter(value, requires_grad=target.requires_grad)
    held[name] = value
    changed(place, name, "a state dict was loaded")
    return []


def without_watchers(saved: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What pickle and copy keep: attributes and slots, but not who watches the module."""
    attributes, slots = saved
    return dict(attributes or {}), {name: value for name, value in slots.items() if name != "_watchers"}


def restore(module: Module, saved: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Fills a new module with what `without_watchers` gave; containers are its own."""
    attributes, slots = saved
    module.__dict__.update(attributes)
    for name, value in slots.items():
        if name in _CONTAINERS:
            value = WatchedDict(value)
        elif name == "_non_persistent_buffers":
            value = set(value)
        elif name == "_hooks" and value is not None:
            value = ModuleHooks(dict(value.before), dict(value.after))
        object.__setattr__(module, name, value)
