"""Layers that get their parameters with the first input, and become plain layers."""

from __future__ import annotations

from typing import Any

from ...tensor.uninitialized import UninitializedBuffer, UninitializedParameter, is_lazy
from ..errors import LazyModuleError
from ..hooks import HookHandle
from ..module import Module


class LazyModuleMixin(Module):
    """The base of lazy modules, before the class of the layer: its hooks run before the first call, and go with it.

    A class says in `initialize_parameters` how parameters follow from an input. It becomes the class of the layer, its
    last base, or what it says in `cls_to_become`.
    In a jitted function the first call, which makes the parameters, is Python's; call it once before.
    """

    cls_to_become: type[Any] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        plain = cls.__bases__[-1]
        if "cls_to_become" not in vars(cls) and plain is not Module and not issubclass(plain, LazyModuleMixin):
            cls.cls_to_become = plain

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        loading = self.register_load_state_dict_pre_hook(_prepare_for_loading)
        calling = self.register_forward_pre_hook(_initialize, with_kwargs=True)
        self._lazy_hooks = (loading.id, calling.id)  # no handles: those of a copy would take away these

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Gives the parameters their sizes, for a call with these arguments. Errors: NotImplementedError."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or a buffer of the module itself has no sizes yet."""
        return any(is_lazy(each) for each in (*self._parameters.values(), *self._buffers.values()))


def _initialize(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    module.initialize_parameters(*args, **kwargs)
    if module.has_uninitialized_params():
        raise LazyModuleError(f"module {type(module).__name__} has not been fully initialized")
    for each in module._lazy_hooks:
        HookHandle(module, each).remove()
    del module._lazy_hooks
    if module.cls_to_become is not None:
        module.__class__ = module.cls_to_become


def _prepare_for_loading(
    module: Any, state: dict[str, Any], prefix: str, _meta: Any, _strict: bool, *_found: list[str]
) -> None:
    """Gives what has no sizes yet those of the values that are about to be loaded."""
    for held in (module._parameters, module._buffers):
        for name, target in held.items():
            value = state.get(prefix + name)
            if value is None or is_lazy(value) or not is_lazy(target):
                continue
            if isinstance(target, UninitializedParameter):
                target.materialize(value.shape)
            elif isinstance(target, UninitializedBuffer):
                held[name] = value.new_empty(tuple(value.shape), dtype=target.dtype, device=target.device)


__all__ = ["LazyModuleMixin"]
