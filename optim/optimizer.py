"""`Optimizer`: parameter groups, and what is remembered of each parameter between steps."""

# Note [What of an optimizer is watched]
# The list of groups, each group's list of parameters, the state and the state of each parameter are watched containers,
# and so is every attribute of the optimizer: whoever relies on them is told. The groups themselves are plain dicts,
# because users write into them at every step (schedulers do), so what is read of them is looked at each time.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from ..autograd.clearing import clear_gradient
from ..autograd.modes import enable_grad
from ..core.watch import Watchers, changing
from ..core.watched_containers import WatchedDict, WatchedList
from ..tensor import Tensor
from . import groups, hooks, saved
from .errors import OptimizerTypeError

_MISSING = object()

Hook = hooks.Hook
Handle = hooks.OptimizerHookHandle


class OptimizerState(WatchedDict[Any, Any]):
    """The state of an optimizer, by parameter; a parameter that is asked for the first time gets an empty dict."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Any:
        fresh: WatchedDict[str, Any] = WatchedDict()
        self[key] = fresh
        return fresh


class Optimizer:
    """Base of all optimizers. Subclasses define `step`, and give `defaults` for what groups leave out."""

    __slots__ = ("__dict__", "__weakref__", "_watchers")

    param_groups: list[dict[str, Any]]
    state: dict[Any, dict[str, Any]]
    defaults: dict[str, Any]
    _watchers: Watchers | None
    _singles: ClassVar[frozenset[str]] = frozenset()
    """The entries of a parameter's state that are one float32 number for it, made a tensor when they are loaded."""

    _reals_only: ClassVar[bool] = False
    """Whether it refuses complex parameters."""
    _hooks: hooks.OptimizerHooks | None = None
    """None when there are none."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "step" in vars(cls):
            cls.step = hooks.around_step(vars(cls)["step"])  # type: ignore[method-assign]

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Any:
        optimizer = object.__new__(cls)
        object.__setattr__(optimizer, "_watchers", None)
        return optimizer

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise OptimizerTypeError("params is an iterable of tensors or of dicts, got one Tensor; give [tensor]")
        self.defaults = defaults
        self.state = OptimizerState()
        self.param_groups = WatchedList()
        given = list(groups.ordered(params))
        if not given:
            groups.refuse_empty()
        for group in given if isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_watchers" or self.__dict__.get(name, _MISSING) is value:
            object.__setattr__(self, name, value)
            return
        with changing(self, name, "the attribute was assigned"):
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        with changing(self, name, "the attribute was deleted"):
            object.__delattr__(self, name)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group: a dict with "params", one tensor or several, and whatever is to differ from the defaults."""
        made = groups.checked(param_group, self.defaults, self.param_groups)
        if self._reals_only and any(each.dtype.is_complex for each in made["params"]):
            raise OptimizerTypeError(
                f"{type(self).__name__} does not take complex parameters; keep them as floats, by view_as_real, or use "
                "Adam or SGD"
            )
        self.param_groups.append(made)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first."""
        raise NotImplementedError(f"{type(self).__name__} has no step(); define one")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drops the gradient of every parameter, or fills it with zeros."""
        for group in self.param_groups:
            for param in group["params"]:
                clear_gradient(param, set_to_none)

    def state_dict(self) -> dict[str, Any]:
        """The state and the groups in plain containers, with parameters by number; tensors are shared, not copied."""
        for hook in hooks.called(self, "before_state_dict"):
            hook(self)
        found = saved.state_dict(self)
        for hook in hooks.called(self, "after_state_dict"):
            answer = hook(self, found)
            found = found if answer is None else answer
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over a state that `state_dict` gave; tensors are copied, in the dtype of their parameter."""
        state_dict = dict(state_dict) if isinstance(state_dict, Mapping) else state_dict
        for hook in hooks.called(self, "before_load"):
            answer = hook(self, state_dict)
            state_dict = state_dict if answer is None else answer
        saved.load_state_dict(self, state_dict)
        for hook in hooks.called(self, "after_load"):
            hook(self)

    def register_step_pre_hook(self, hook: Hook) -> Handle:
        """Calls ``hook(optimizer, args, kwargs)`` before each step; what it returns, if not None, are its arguments."""
        return hooks.register(self, "before_step", hook)

    def register_step_post_hook(self, hook: Hook) -> Handle:
        """Calls ``hook(optimizer, args, kwargs)`` after each step."""
        return hooks.register(self, "after_step", hook)

    def register_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Calls ``hook(optimizer)`` before a state dict is made."""
        return hooks.register(self, "before_state_dict", hook, prepend)

    def register_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Calls ``hook(optimizer, state_dict)`` after it was made; what it returns, if not None, takes its place."""
        return hooks.register(self, "after_state_dict", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Calls ``hook(optimizer, state_dict)`` before loading; what it returns, if not None, is loaded instead."""
        return hooks.register(self, "before_load", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Calls ``hook(optimizer)`` after loading."""
        return hooks.register(self, "after_load", hook, prepend)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the hooks: they belong to this very optimizer."""
        return {name: value for name, value in self.__dict__.items() if name != "_hooks"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        state = OptimizerState()
        for key, value in kept["state"].items():
            state[key] = WatchedDict(value) if isinstance(value, dict) else value
        self.state = state
        self.param_groups = WatchedList(
            {name: WatchedList(value) if name == "params" else value for name, value in group.items()}
            for group in kept["param_groups"]
        )

    def __repr__(self) -> str:
        return groups.text(type(self).__name__, self.param_groups)


def evaluated(closure: Callable[[], Any]) -> Any:
    """The result of a step's closure, called with gradients recorded whatever the mode."""
    with enable_grad():
        return closure()
