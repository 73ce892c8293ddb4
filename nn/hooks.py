"""Forward hooks of modules: called around `forward`, they may replace its arguments or its result."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..core.watch import changed
from .errors import LayerArgumentError

if TYPE_CHECKING:
    from .module import Module

_IDS = itertools.count()

Hook = Callable[..., Any]


@dataclass(slots=True)
class ModuleHooks:
    """The hooks of one module, by id, in the order in which they are called; the bool says: with keyword arguments."""

    before: dict[int, tuple[Hook, bool]] = field(default_factory=dict)
    after: dict[int, tuple[Hook, bool]] = field(default_factory=dict)


class HookHandle:
    """What `register_forward_hook` gives; `remove()` takes the hook away, also as a context manager at the end."""

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
        if hooks.before.pop(self.id, None) or hooks.after.pop(self.id, None):
            kept = hooks if hooks.before or hooks.after else None
            object.__setattr__(module, "_hooks", kept)
            changed(module, "_hooks", "a forward hook was removed")

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.remove()


def register(module: Module, when: str, hook: Hook, prepend: bool, with_kwargs: bool) -> HookHandle:
    """The handle of a hook called `when` ("before" or "after") `forward`."""
    if not callable(hook):
        raise LayerArgumentError(f"a forward hook is a callable, got {type(hook).__name__}")
    hooks = module._hooks or ModuleHooks()
    handle = HookHandle(module, next(_IDS))
    listed = hooks.before if when == "before" else hooks.after
    later = dict(listed) if prepend else {}
    if prepend:
        listed.clear()
    listed[handle.id] = (hook, with_kwargs)
    listed.update(later)
    object.__setattr__(module, "_hooks", hooks)
    changed(module, "_hooks", "a forward hook was registered")
    return handle


def call_with_hooks(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `forward` gives once every hook has had its say; what a hook returns, if not None, takes the place."""
    hooks: ModuleHooks = module._hooks  # type: ignore[assignment]
    for hook, with_kwargs in list(hooks.before.values()):
        if with_kwargs:
            answer = hook(module, args, kwargs)
            if answer is not None:
                args, kwargs = _arguments(answer)
        else:
            answer = hook(module, args)
            if answer is not None:
                args = answer if isinstance(answer, tuple) else (answer,)
    result = module.forward(*args, **kwargs)
    for hook, with_kwargs in list(hooks.after.values()):
        answer = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
        if answer is not None:
            result = answer
    return result


def _arguments(answer: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer
    raise LayerArgumentError(
        f"a forward pre-hook with keyword arguments returns None or (args, kwargs), got {type(answer).__name__}"
    )
