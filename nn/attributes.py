"""The place of an attribute of a module: its parameters, its modules, its buffers, or its own `__dict__`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.watch import changing
from ..tensor import Tensor
from .errors import ModuleAssignmentError, ModuleAttributeError, ModuleNameError

if TYPE_CHECKING:
    from .module import Module


def adopt(module: Module, kind: str, held: Any, name: str, value: Any) -> None:
    """Makes `value` the only meaning of `name`, kept in `held`, one of the module's containers."""
    check_leaf(name, value)
    if name not in held:
        # Looked up in the class: there a value would hide what the container holds.
        if hasattr(type(module), name):
            raise ModuleNameError(f"{type(module).__name__} has an attribute {name!r} of its class")
        release(module, name)
        if name in module.__dict__:
            with changing(module, name, "the attribute was assigned"):
                del module.__dict__[name]
        check_name(module, kind, name, held)
    held[name] = value


def routed(module: Module, name: str, value: Any) -> bool:
    """Whether `value`, neither a parameter nor a module, went into a container that holds `name` already."""
    try:
        containers = module._parameters, module._modules, module._buffers
    except ModuleAttributeError:
        return False
    held: Any
    for held, kind in zip(containers, ("Parameter", "Module", "Tensor")):
        if name in held:
            if value is not None and not (kind == "Tensor" and isinstance(value, Tensor)):
                found = type(value).__name__
                raise ModuleAssignmentError(
                    f"{name!r} of {type(module).__name__} is to be a {kind} or None, got {found}; "
                    f"`del` it first to give the name another meaning"
                )
            held[name] = value
            return True
    return False


def release(module: Module, name: str) -> bool:
    """Whether a container held `name`; it does not any more."""
    for held in (module._parameters, module._modules, module._buffers):
        if name in held:
            del held[name]
            module._non_persistent_buffers.discard(name)
            return True
    return False


def check_type(module: Module, kind: str, name: object, value: Any, wanted: type) -> None:
    """Errors: ModuleAssignmentError unless `value` is None or of the class `wanted`, and a leaf if a parameter."""
    if value is not None and not isinstance(value, wanted):
        raise ModuleAssignmentError(
            f"the {kind} {name!r} of {type(module).__name__} is to be a {wanted.__name__} or None, "
            f"got {type(value).__name__}"
        )
    if kind == "parameter":
        check_leaf(name, value)


def check_leaf(name: object, param: Any) -> None:
    """Errors: ModuleAssignmentError when the parameter was computed by a differentiable function."""
    if getattr(param, "grad_fn", None) is not None:
        raise ModuleAssignmentError(
            f"{name!r} was computed ({param.grad_fn.name()}); a parameter is a leaf: use detach(), or an attribute"
        )


def check_name(module: Module, kind: str, name: object, held: Any) -> None:
    """Errors: ModuleNameError when `name` is empty, has a dot, or means something else already."""
    if not isinstance(name, str):
        raise ModuleAssignmentError(f"the name of a {kind} is a string, got {type(name).__name__}")
    if not name or "." in name:
        raise ModuleNameError(f"a {kind} cannot be named {name!r}: a name is not empty and has no dot")
    if name not in held and hasattr(module, name):
        raise ModuleNameError(f"{type(module).__name__} has an attribute {name!r} already")
