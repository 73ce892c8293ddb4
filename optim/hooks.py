"""Hooks of an optimizer: called around `step`, and around taking and loading its state dict."""

# Note [Hooks around any step]
# `step` belongs to the subclasses, and users write their own. So a class below `Optimizer` that defines `step` gets it
# wrapped, when the class is made: the wrapper asks one attribute, which is None unless hooks were registered. Where a
# `step` calls that of a base class, only the outermost one, the class's own, runs the hooks.

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from ..core.records import dataclass, replace
from .errors import OptimizerTypeError, StepError

if TYPE_CHECKING:
    from .optimizer import Optimizer

Hook = Callable[..., Any]
Hooks = dict[int, Hook]

_IDS = itertools.count()


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class OptimizerHooks:
    """The hooks of one optimizer, by id, in the order of their calls. It is never changed: another takes its place."""

    before_step: Hooks = field(default_factory=dict)
    after_step: Hooks = field(default_factory=dict)
    before_state_dict: Hooks = field(default_factory=dict)
    after_state_dict: Hooks = field(default_factory=dict)
    before_load: Hooks = field(default_factory=dict)
    after_load: Hooks = field(default_factory=dict)

    def any_left(self) -> bool:
        """Whether there is a hook of any kind."""
        return any(getattr(self, field.name) for field in fields(self))


class OptimizerHookHandle:
    """The handle that the `register_…_hook` methods give.

    `remove()` takes the hook away, also as a context manager at the end.
    """

    __slots__ = ("_optimizer", "_when", "id")

    def __init__(self, optimizer: Optimizer, when: str) -> None:
        self._optimizer = weakref.ref(optimizer)
        self._when = when
        self.id = next(_IDS)

    def remove(self) -> None:
        """Takes the hook away; a second call does nothing."""
        optimizer = self._optimizer()
        hooks = None if optimizer is None else optimizer._hooks
        if optimizer is not None and hooks is not None and self.id in getattr(hooks, self._when):
            left = {number: hook for number, hook in getattr(hooks, self._when).items() if number != self.id}
            hooks = replace(hooks, **{self._when: left})
            optimizer._hooks = hooks if hooks.any_left() else None

    def __enter__(self) -> OptimizerHookHandle:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.remove()


def register(optimizer: Optimizer, when: str, hook: Hook, prepend: bool = False) -> OptimizerHookHandle:
    """The handle of a hook, which is called at a time that is named as a field of `OptimizerHooks`."""
    if not callable(hook):
        raise OptimizerTypeError(f"a hook of an optimizer is a callable, got {type(hook).__name__}")
    hooks = OptimizerHooks() if optimizer._hooks is None else optimizer._hooks
    listed: Hooks = getattr(hooks, when)
    handle = OptimizerHookHandle(optimizer, when)
    listed = {handle.id: hook, **listed} if prepend else {**listed, handle.id: hook}
    optimizer._hooks = replace(hooks, **{when: listed})
    return handle


def around_step(step: Callable[..., Any]) -> Callable[..., Any]:
    """A `step` that runs the hooks of its optimizer, if there are any; see Note [Hooks around any step]."""

    @functools.wraps(step)
    def step_with_hooks(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        if self._hooks is None or type(self).step is not step_with_hooks:
            return step(self, *args, **kwargs)
        return _with_hooks(step, self, args, kwargs)

    return step_with_hooks


def _with_hooks(step: Callable[..., Any], optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    for hook in called(optimizer, "before_step"):
        answer = hook(optimizer, args, kwargs)
        if answer is not None:
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise StepError(f"a hook before a step returns None or (args, kwargs), got {type(answer).__name__}")
            args, kwargs = answer
    result = step(optimizer, *args, **kwargs)
    for hook in called(optimizer, "after_step"):
        hook(optimizer, args, kwargs)
    return result


def called(optimizer: Optimizer, when: str) -> list[Hook]:
    """The hooks for a time, in their order."""
    return [] if optimizer._hooks is None else list(getattr(optimizer._hooks, when).values())
