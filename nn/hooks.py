"""Hooks of modules: around `forward`, at the gradients of a call, and around saving and loading of state."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from ..core.records import dataclass, replace
from ..core.watch import changing
from .errors import LayerArgumentError

if TYPE_CHECKING:
    from .module import Module

_IDS = itertools.count()

Hook = Callable[..., Any]
Listed = dict[int, tuple[Hook, bool]]


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class ModuleHooks:
    """The hooks of one module, by id, in the order of their calls. It is never changed: another takes its place.

    The bool says of those around `forward`: with keyword arguments.
    """

    before: Listed = field(default_factory=dict)
    after: Listed = field(default_factory=dict)
    backward_before: Listed = field(default_factory=dict)
    backward: Listed = field(default_factory=dict)
    before_state_dict: Listed = field(default_factory=dict)
    after_state_dict: Listed = field(default_factory=dict)
    before_load: Listed = field(default_factory=dict)
    after_load: Listed = field(default_factory=dict)
    always: tuple[int, ...] = ()
    """The hooks of `after` that are called even if `forward` raises."""

    def any_left(self) -> bool:
        """Whether there is a hook of any kind."""
        return any(getattr(self, each.name) for each in fields(self) if each.name != "always")

    def without(self, id: int) -> ModuleHooks:
        """These hooks but one."""
        others = {
            each.name: {key: hook for key, hook in getattr(self, each.name).items() if key != id}
            for each in fields(self)
            if each.name != "always"
        }
        return ModuleHooks(**others, always=tuple(key for key in self.always if key != id))


HooksOf = Callable[["Module"], ModuleHooks | None]


class HookHandle:
    """The handle of a registered hook; `remove()` takes the hook away, also as a context manager at the end."""

    __slots__ = ("_module", "id")

    def __init__(self, module: Module, id: int) -> None:
        self._module = weakref.ref(module)
        self.id = id

    def remove(self) -> None:
        """Takes the hook away; a second call does nothing."""
        module = self._module()
        hooks = None if module is None else module._hooks
        if module is None or hooks is None:
            return
        left = hooks.without(self.id)
        with changing(module, "_hooks", "a hook was removed"):
            object.__setattr__(module, "_hooks", left if left.any_left() else None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.remove()


def register(
    module: Module, when: str, hook: Hook, prepend: bool = False, with_kwargs: bool = False, always: bool = False
) -> HookHandle:
    """The handle of a hook of a module.   when: the occasion, by its name in `ModuleHooks`."""
    if not callable(hook):
        raise LayerArgumentError(f"a hook of a module is a callable, got {type(hook).__name__}")
    hooks = module._hooks or ModuleHooks()
    handle, listed = HookHandle(module, next(_IDS)), getattr(hooks, when)
    entry = {handle.id: (hook, with_kwargs)}
    hooks = replace(hooks, **{when: entry | listed if prepend else listed | entry})
    if always:
        hooks = replace(hooks, always=(*hooks.always, handle.id))
    with changing(module, "_hooks", "a hook was registered"):
        object.__setattr__(module, "_hooks", hooks)
    return handle


def called(module: Module, when: str) -> list[Hook]:
    """The hooks for an occasion, in their order."""
    hooks = module._hooks
    return [] if hooks is None else [hook for hook, _ in list(getattr(hooks, when).values())]


def own_hooks(module: Module) -> ModuleHooks | None:
    """The hooks that were registered with a module itself."""
    return module._hooks


def call_with_hooks(
    module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], hooks_of: HooksOf = own_hooks
) -> Any:
    """The result of `forward` once every hook has been called.

    An answer of a hook, if not None, takes the place of the arguments or the result that it was shown.
    hooks_of: gives the hooks of a module as they are at that moment.
    """
    hooks: ModuleHooks = hooks_of(module)  # type: ignore[assignment]
    if hooks.always:
        return _call_always(module, hooks, args, kwargs, hooks_of)
    return _called(module, args, kwargs, set(), hooks_of)


def _called(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], done: set[int], hooks_of: HooksOf) -> Any:
    for hook, with_kwargs in list(hooks_of(module).before.values()):  # type: ignore[union-attr]
        if with_kwargs:
            answer = hook(module, args, kwargs)
            if answer is not None:
                args, kwargs = _arguments(answer)
        else:
            answer = hook(module, args)
            if answer is not None:
                args = answer if isinstance(answer, tuple) else (answer,)
    hooks = hooks_of(module)  # which those called before `forward` may have changed
    if hooks is not None and (hooks.backward or hooks.backward_before):
        from .backward_hooks import CallWithBackwardHooks  # which needs more of autograd than a plain model

        watched = CallWithBackwardHooks(module, hooks)
        result = module.forward(*watched.of_arguments(args), **kwargs)
        return watched.of_result(_after(module, args, kwargs, result, done, hooks_of))
    return _after(module, args, kwargs, module.forward(*args, **kwargs), done, hooks_of)


def _after(
    module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any, done: set[int], hooks_of: HooksOf
) -> Any:
    hooks = hooks_of(module)
    if hooks is None:
        return result
    for key, (hook, with_kwargs) in list(hooks.after.items()):
        if key in hooks.always:
            done.add(key)
        answer = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
        if answer is not None:
            result = answer
    return result


def _call_always(
    module: Module, hooks: ModuleHooks, args: tuple[Any, ...], kwargs: dict[str, Any], hooks_of: HooksOf
) -> Any:
    """The result of `forward` with hooks, some of which are to be called though something raises.

    Those of `hooks.always` that were not called yet are then called with None for the result.
    """
    done: set[int] = set()
    try:
        return _called(module, args, kwargs, done, hooks_of)
    except Exception:
        for key in hooks.always:
            if key in done:
                continue
            hook, with_kwargs = hooks.after[key]
            if with_kwargs:
                hook(module, args, kwargs, None)
            else:
                hook(module, args, None)
        raise


def _arguments(answer: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer
    raise LayerArgumentError(
        f"a forward pre-hook with keyword arguments returns None or (args, kwargs), got {type(answer).__name__}"
    )
