"""`Module` under the name of the file that PyTorch has it in, and hooks that are called with every module."""

# Note [Hooks of all modules]
# While there is such a hook, `Module.__call__` is another function, so that a call of a module looks for nothing where
# there is none. Compiled code relies on that function, as on any method of a class.

from __future__ import annotations

import itertools
from typing import Any

from ...core.records import replace
from ..errors import LayerArgumentError
from ..hooks import _IDS, Hook, ModuleHooks, call_with_hooks
from ..module import Module

_held = ModuleHooks()
_plain_call = Module.__call__
_AROUND = ("before", "after", "backward_before", "backward")


def _hooks_of(module: Module) -> ModuleHooks:
    """The hooks of all modules, then those of the module."""
    own = module._hooks
    if own is None:
        return _held
    joined = {name: getattr(_held, name) | getattr(own, name) for name in _AROUND}
    return replace(own, **joined, always=tuple(itertools.chain(_held.always, own.always)))


def _call(self: Module, *args: Any, **kwargs: Any) -> Any:
    return call_with_hooks(self, args, kwargs, _hooks_of)


def _hold(hooks: ModuleHooks) -> None:
    global _held
    _held = hooks
    Module.__call__ = _call if hooks.any_left() else _plain_call  # type: ignore[method-assign]


class GlobalHookHandle:
    """The handle of a hook of all modules; `remove()` takes the hook away, also as a context manager at the end."""

    __slots__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id = id

    def remove(self) -> None:
        """Takes the hook away; a second call does nothing."""
        _hold(_held.without(self.id))

    def __enter__(self) -> GlobalHookHandle:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.remove()


def _register(when: str, hook: Hook, with_kwargs: bool = False, always: bool = False) -> GlobalHookHandle:
    if not callable(hook):
        raise LayerArgumentError(f"a hook of all modules is a callable, got {type(hook).__name__}")
    handle = GlobalHookHandle(next(_IDS))
    hooks = replace(_held, **{when: getattr(_held, when) | {handle.id: (hook, with_kwargs)}})
    _hold(replace(hooks, always=(*hooks.always, handle.id)) if always else hooks)
    return handle


def register_module_forward_pre_hook(hook: Hook) -> GlobalHookHandle:
    """Calls ``hook(module, args)`` before the `forward` of every module; it may return new arguments."""
    return _register("before", hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> GlobalHookHandle:
    """Calls ``hook(module, args, result)`` after the `forward` of every module; it may return another result.

    with_kwargs: ``hook(module, args, kwargs, result)``.   always_call: also where something raises, with None.
    """
    return _register("after", hook, with_kwargs, always_call)


def register_module_full_backward_pre_hook(hook: Hook) -> GlobalHookHandle:
    """Calls ``hook(module, grad_output)`` with the gradients of the results of every module; it may return others."""
    return _register("backward_before", hook)


def register_module_full_backward_hook(hook: Hook) -> GlobalHookHandle:
    """Calls ``hook(module, grad_input, grad_output)`` with the gradients of arguments and results of every module.

    It may return gradients that take the place of `grad_input`.
    """
    return _register("backward", hook)


__all__ = [
    "GlobalHookHandle",
    "Module",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
]
