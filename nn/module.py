"""`Module`: parameters, buffers and modules as attributes, and the tree they make."""

# Note [Where a module keeps things]
# What guardlift itself keeps lies in slots, out of reach of `vars(module)`: the three containers, the mode, the hooks
# and the watchers. The user's own attributes lie in `__dict__`, which is a watched container as well. Every write goes
# through `__setattr__` or through such a container, so that whoever relies on an attribute is told when it changes.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ..autograd.clearing import clear_gradient
from ..core import dtypes
from ..core.devices import cuda_device
from ..core.floors import JIT, asked
from ..core.watch import Watchers, changing, tell_all
from ..core.watched_containers import WatchedDict
from ..tensor import Tensor
from ..tensor.parameter import Buffer, Parameter
from . import conversion, hooks, parameter_table, state, tree
from .attributes import adopt, check_name, check_type, release, routed
from .errors import ModuleAttributeError
from .hooks import HookHandle
from .own_attributes import OwnAttributes

M = TypeVar("M", bound="Module")

_MISSING = object()
_SLOTS = ("_parameters", "_buffers", "_modules", "_non_persistent_buffers", "_hooks", "training")


class Module(tree.Tree):
    """Base of all layers and models. Subclasses define `forward`, and assign parameters and modules as attributes."""

    __slots__ = (*_SLOTS, "__dict__", "__weakref__", "_watchers")

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers: set[str]
    _hooks: hooks.ModuleHooks | None
    training: bool
    _watchers: Watchers | None

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Any:
        module = object.__new__(cls)
        object.__setattr__(module, "_watchers", None)
        object.__setattr__(module, "__dict__", OwnAttributes(module))
        return module

    def __init__(self) -> None:
        put = object.__setattr__
        for name in ("_parameters", "_buffers", "_modules"):
            put(self, name, WatchedDict())
        put(self, "_non_persistent_buffers", set())
        put(self, "_hooks", None)
        put(self, "training", True)

    def forward(self, *_args: Any, **_kwargs: Any) -> Any:
        """The result that the module computes; every subclass defines its own `forward`."""
        raise NotImplementedError(f"{type(self).__name__} has no forward(); define one")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._hooks is None:
            return self.forward(*args, **kwargs)
        return hooks.call_with_hooks(self, args, kwargs)

    # Attributes.

    def __getattr__(self, name: str) -> Any:
        if name in _SLOTS:
            text = f"{type(self).__name__} is not initialised yet: call super().__init__() first in its __init__"
            raise ModuleAttributeError(text, name=name, obj=self)
        if name in self._parameters:
            return self._parameters[name]
        if name in self._modules:
            return self._modules[name]
        if name in self._buffers:
            return self._buffers[name]
        raise ModuleAttributeError(f"{type(self).__name__} has no attribute {name!r}", name=name, obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
        elif name == "_watchers":
            object.__setattr__(self, name, value)
        elif name == "__dict__":
            tell_all(self, "its __dict__ was replaced")
            object.__setattr__(self, name, value)
            tell_all(self, "its __dict__ was replaced")
        elif isinstance(value, Parameter):
            adopt(self, "parameter", self._parameters, name, value)
        elif isinstance(value, Module):
            adopt(self, "module", self._modules, name, value)
        elif self.__dict__.get(name, _MISSING) is value:
            object.__setattr__(self, name, value)
        elif not routed(self, name, value):
            with changing(self, name, "the attribute was assigned"):
                object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if not release(self, name):
            with changing(self, name, "the attribute was deleted"):
                object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._parameters, *self._buffers, *self._modules})

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a parameter under `name`; None keeps the place for one."""
        check_type(self, "parameter", name, param, Parameter)
        check_name(self, "parameter", name, self._parameters)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a tensor that is state but no parameter; a persistent one is part of the state dict."""
        check_type(self, "buffer", name, tensor, Tensor)
        check_name(self, "buffer", name, self._buffers)
        self._buffers[name] = tensor
        (self._non_persistent_buffers.discard if persistent else self._non_persistent_buffers.add)(name)

    def register_module(self, name: str, module: Module | None) -> None:
        """Adds a module under `name`, which need not be an identifier."""
        check_type(self, "module", name, module, Module)
        check_name(self, "module", name, self._modules)
        self._modules[name] = module

    add_module = register_module

    # Mode and gradients.

    def train(self: M, mode: bool = True) -> M:
        """Puts this module and all below into training mode, or out of it."""
        if not isinstance(mode, bool):
            raise ValueError(f"the mode is a bool, got {type(mode).__name__}")
        for module in self.modules():
            # Nothing changes for whoever relies on the mode when it is the same again.
            if module.training is not mode:
                module.training = mode
        return self

    def eval(self: M) -> M:
        """Puts this module and all below into evaluation mode."""
        return self.train(False)

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Says of every parameter whether gradients are wanted."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drops the gradient of every parameter, or fills it with zeros."""
        for param in self.parameters():
            clear_gradient(param, set_to_none)

    # Dtypes.

    def to(self: M, *args: Any, **kwargs: Any) -> M:
        """Converts parameters and buffers of floats in place; the parameters stay the same objects."""
        return conversion.to(self, *args, **kwargs)

    def float(self: M) -> M:
        """``to(float32)``."""
        return conversion.to(self, dtypes.float32)

    def double(self: M) -> M:
        """``to(float64)``."""
        return conversion.to(self, dtypes.float64)

    def half(self: M) -> M:
        """``to(float16)``."""
        return conversion.to(self, dtypes.float16)

    def bfloat16(self: M) -> M:
        """``to(bfloat16)``."""
        return conversion.to(self, dtypes.bfloat16)

    def cpu(self: M) -> M:
        """``to("cpu")``."""
        return conversion.to(self, "cpu")

    def cuda(self: M, device: int | str | None = None) -> M:
        """Puts parameters and buffers on the GPU. Errors: RuntimeError where there is none."""
        return conversion.to(self, cuda_device(device))

    def xpu(self: M, device: int | str | None = None) -> M:
        """Errors: RuntimeError, always: there are no devices of that kind."""
        raise RuntimeError(f"there are no devices of the kind xpu (asked for {device!r}): use .cuda(), or .cpu()")

    def type(self: M, dst_type: Any) -> M:
        """Converts all parameters and buffers, those of integers too, to a dtype (or ``gl.FloatTensor`` and so on)."""
        return conversion.cast(self, dst_type)

    def to_empty(self: M, *, device: Any, recurse: bool = True) -> M:
        """Puts parameters and buffers on a device, with elements that are not set to anything in particular."""
        return conversion.to_empty(self, device, recurse)

    def share_memory(self: M) -> M:
        """Moves parameters, gradients and buffers on the CPU to memory that processes forked from here on share.

        What a process writes into them, all see. Modules on an NVIDIA GPU are left as they are.
        """
        return conversion.share_memory(self)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """From now on the module is called as ``gl.jit(..., *args, **kwargs)`` compiles its `forward`."""
        compiled = asked(JIT)
        self.forward = compiled(*args, **kwargs)(self.forward) if args or kwargs else compiled(self.forward)  # type: ignore[method-assign]

    # State.

    def get_extra_state(self) -> Any:
        """The part of the state dict besides tensors; a subclass that has such a part defines this method."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called: define get_extra_state() and "
            "set_extra_state() in the subclass"
        )

    def set_extra_state(self, state: Any) -> None:
        """Takes over what `get_extra_state` gave."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called: define get_extra_state() and "
            "set_extra_state() in the subclass"
        )

    def state_dict(
        self, *args: Any, destination: dict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """Parameters and persistent buffers by dotted name, in an ordered dict; they share memory with the module."""
        if args:  # the old, positional form
            given = [*args, *(destination, prefix, keep_vars)[len(args) :]]
            destination, prefix, keep_vars = given
        return state.state_dict(self, destination, prefix, keep_vars)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> state.IncompatibleKeys:
        """Copies values into parameters and buffers; gives the keys that were missing or not expected."""
        return state.load_state_dict(self, state_dict, strict, assign)

    def __getstate__(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return state.without_watchers(object.__getstate__(self))

    def __setstate__(self, saved: tuple[dict[str, Any], dict[str, Any]]) -> None:
        state.restore(self, saved)

    # Hooks.

    def register_forward_pre_hook(
        self, hook: hooks.Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Calls ``hook(module, args)`` before `forward`; it may return new arguments."""
        return hooks.register(self, "before", hook, prepend, with_kwargs)

    def register_forward_hook(
        self, hook: hooks.Hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> HookHandle:
        """Calls ``hook(module, args, result)`` after `forward`; it may return another result.

        always_call: also where something raises, with None for the result.
        """
        return hooks.register(self, "after", hook, prepend, with_kwargs, always_call)

    def register_full_backward_pre_hook(self, hook: hooks.Hook, prepend: bool = False) -> HookHandle:
        """Calls ``hook(module, grad_output)`` with the gradients of the results; it may return others."""
        return hooks.register(self, "backward_before", hook, prepend)

    def register_full_backward_hook(self, hook: hooks.Hook, prepend: bool = False) -> HookHandle:
        """Calls ``hook(module, grad_input, grad_output)`` with the gradients of the arguments and results.

        It may return gradients that take the place of `grad_input`.
        """
        return hooks.register(self, "backward", hook, prepend)

    def register_state_dict_pre_hook(self, hook: hooks.Hook) -> HookHandle:
        """Calls ``hook(module, prefix, keep_vars)`` before the state dict is made."""
        return hooks.register(self, "before_state_dict", hook)

    def register_state_dict_post_hook(self, hook: hooks.Hook) -> HookHandle:
        """Calls ``hook(module, state_dict, prefix, local_metadata)`` after it was made; it may change it."""
        return hooks.register(self, "after_state_dict", hook)

    def register_load_state_dict_pre_hook(self, hook: hooks.Hook) -> HookHandle:
        """Calls a hook before loading, which may change the state dict.

        ``hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)``.
        """
        return hooks.register(self, "before_load", hook)

    def register_load_state_dict_post_hook(self, hook: hooks.Hook) -> HookHandle:
        """Calls ``hook(module, incompatible_keys)`` after loading; it may empty the two lists of keys."""
        return hooks.register(self, "after_load", hook)

    # Printing.

    def extra_repr(self) -> str:
        """The text between the parentheses of the module's own line."""
        return ""

    def __repr__(self) -> str:
        return tree.module_text(self)

    def _repr_html_(self) -> str:
        return parameter_table.module_html(self)
