"""State dicts: what a module is trained to, by dotted name; and what pickle and deepcopy keep of a module."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..autograd.modes import no_grad
from ..core.dtypes import held
from ..core.watched_containers import WatchedDict
from ..tensor import Tensor
from ..tensor.creation import array_of_another_library, as_tensor, tensor
from ..tensor.dispatch import named_type
from ..tensor.parameter import Parameter
from ..tensor.uninitialized import is_lazy
from . import hooks, tree
from .errors import StateDictError

if TYPE_CHECKING:
    from .module import Module

_CONTAINERS = ("_parameters", "_buffers", "_modules")
EXTRA = "_extra_state"
"""The key, after those of a module's tensors, of what `get_extra_state` gives."""


class IncompatibleKeys(NamedTuple):
    """The keys that `load_state_dict` missed, and those that it did not expect."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


def entries(module: Module, prefix: str = "") -> list[tuple[str, Module, str, str]]:
    """The tensors that a state dict of `module` holds, in order: key, and the place by module, container and name.

    A module that is met twice is listed under both names.
    """
    return [
        (f"{prefix}{start}{name}", place, container, name)
        for start, place in _with_prefixes(module)
        for container, name in _own(place)
    ]


def state_dict(
    module: Module, destination: dict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
) -> dict[str, Any]:
    """The tensors by key, in a plain ordered dict: the parameters themselves if `keep_vars`, else detached.

    What `get_extra_state` gives stands behind a module's own tensors. Modules below are asked for theirs.
    """
    result = OrderedDict() if destination is None else destination
    for hook in hooks.called(module, "before_state_dict"):
        hook(module, prefix, keep_vars)
    for container, name in _own(module):
        tensor = getattr(module, container)[name]
        result[prefix + name] = tensor if keep_vars else tensor.detach()
    if has_extra_state(module):
        result[prefix + EXTRA] = module.get_extra_state()
    for name, child in module._modules.items():
        if child is not None:
            child.state_dict(destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    for hook in hooks.called(module, "after_state_dict"):
        hook(module, result, prefix, {})
    return result


def _own(module: Module) -> Iterator[tuple[str, str]]:
    """The containers and names of the tensors of a module itself that are part of its state."""
    for name, param in module._parameters.items():
        if param is not None:
            yield "_parameters", name
    for name, buffer in module._buffers.items():
        if buffer is not None and name not in module._non_persistent_buffers:
            yield "_buffers", name


def has_extra_state(module: Module) -> bool:
    """Whether its class says by `get_extra_state` what else belongs to the state."""
    from .module import Module

    return type(module).get_extra_state is not Module.get_extra_state


def load_state_dict(
    module: Module, state: Mapping[str, Any], strict: bool = True, assign: bool = False
) -> IncompatibleKeys:
    """Copies every value that has a place; gives the keys that were missing or not expected.

    With `assign` the tensors themselves take the places, so that dtype and memory become theirs.
    Errors: StateDictError lists all keys at fault; the values that do fit are loaded nevertheless.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"a state dict is a mapping, got {type(state).__name__}")
    state = OrderedDict(state)  # hooks may rename entries
    found = IncompatibleKeys([], [])
    faults: list[str] = []
    for start, below in _with_prefixes(module):
        for hook in hooks.called(below, "before_load"):
            hook(below, state, start, {}, strict, found.missing_keys, found.unexpected_keys, faults)
    wanted = entries(module)
    extra = {start + EXTRA: below for start, below in _with_prefixes(module) if has_extra_state(below)}
    keys = dict.fromkeys([*(key for key, *_ in wanted), *extra])
    found.missing_keys.extend(key for key in keys if key not in state)
    found.unexpected_keys.extend(key for key in state if key not in keys)
    with no_grad():
        for key, place, container, name in wanted:
            if key in state:
                faults += _load(key, place, container, name, state[key], assign)
    for key, below in extra.items():
        if key in state:
            below.set_extra_state(state[key])
    _run_hooks_after(module, found)
    if strict:
        faults += _texts_of(found)
    if faults:
        raise StateDictError(f"the state dict does not fit {type(module).__name__}:\n  " + "\n  ".join(faults))
    return found


def _run_hooks_after(module: Module, found: IncompatibleKeys) -> None:
    """Runs the hooks after a load, those of modules below first; they may change the keys."""
    for _, below in reversed(list(_with_prefixes(module))):
        for hook in hooks.called(below, "after_load"):
            if hook(below, found) is not None:
                raise AssertionError("a hook after load_state_dict changes the keys it is given, and returns nothing")


def _texts_of(found: IncompatibleKeys) -> Iterator[str]:
    """The lines of an error that list the keys."""
    if found.missing_keys:
        yield "missing: " + ", ".join(map(repr, found.missing_keys))
    if found.unexpected_keys:
        yield "not expected: " + ", ".join(map(repr, found.unexpected_keys))


def _with_prefixes(module: Module) -> Iterator[tuple[str, Module]]:
    """`module` and all below, each with what its keys begin with."""
    for path, place in tree.named_modules(module, remove_duplicate=False):
        yield f"{path}." if path else "", place


def _load(key: str, place: Module, container: str, name: str, value: Any, assign: bool) -> list[str]:
    """The texts of the errors that keep the value out of its place; none once it is loaded."""
    held = getattr(place, container)
    target = held[name]
    if isinstance(value, (np.ndarray, np.generic)):
        value = _of_numpy(np.asarray(value), target, assign)
    if not isinstance(value, Tensor):
        given = array_of_another_library(value)
        if given is value:
            return [f"{key!r}: expected a Tensor, got {named_type(value)}"]
        value = as_tensor(given)
    if is_lazy(value) and is_lazy(target):
        return []
    if not target.ndim and value.ndim == 1 and value.shape[0]:
        value = value[0]  # old checkpoints hold single numbers so
    if tuple(value.shape) != tuple(target.shape):
        return [f"{key!r}: shape {tuple(value.shape)} does not fit, the module has {tuple(target.shape)}"]
    if not assign:
        target.copy_(value)
        return []
    if container == "_parameters" and not isinstance(value, Parameter):
        value = Parameter(value, requires_grad=target.requires_grad)
    held[name] = value
    return []


def _of_numpy(array: Any, target: Tensor, assign: bool) -> Any:
    """The tensor of an array, of memory of its own if `assign`; the array itself where it holds no numbers.

    Of a dtype that NumPy does not have (bfloat16, say), files of NumPy's keep only the size; the module's own, if it
    has that size, says what the elements are.
    """
    if array.dtype.kind == "V" and array.dtype.names is None and not is_lazy(target):
        own = target.dtype.numpy
        if own.kind == "V" and own.itemsize == array.itemsize:
            array = array.view(own)
    if held(array.dtype) is None:
        return array
    return tensor(array) if assign else as_tensor(array)


def without_watchers(saved: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The attributes and slots that pickle and copy keep: all of `saved` but who watches the module."""
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
        object.__setattr__(module, name, value)
