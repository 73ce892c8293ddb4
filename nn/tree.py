"""Walks over the tree of modules; a module or a tensor that is met twice counts once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .errors import ModuleAttributeError

if TYPE_CHECKING:
    from .module import Module


def named_modules(module: Module, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
    """`module` and all below it, parents first, with dotted names."""
    return _walk(module, prefix, set() if remove_duplicate else None)


def _walk(module: Module, prefix: str, seen: set[Module] | None) -> Iterator[tuple[str, Module]]:
    if seen is not None:
        if module in seen:
            return
        seen.add(module)
    yield prefix, module
    for name, child in module._modules.items():
        if child is not None:
            yield from _walk(child, f"{prefix}.{name}" if prefix else name, seen)


def named_children(module: Module) -> Iterator[tuple[str, Module]]:
    """The modules directly below, each under its first name."""
    seen: set[Module] = set()
    for name, child in module._modules.items():
        if child is not None and child not in seen:
            seen.add(child)
            yield name, child


def named_members(
    module: Module, container: str, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
) -> Iterator[tuple[str, Any]]:
    """The parameters or buffers (which, says `container`) of `module`, and of all below it if `recurse`."""
    seen: set[int] = set()
    places = named_modules(module, prefix, remove_duplicate) if recurse else iter([(prefix, module)])
    for path, place in places:
        for name, tensor in getattr(place, container).items():
            if tensor is None or id(tensor) in seen:
                continue
            if remove_duplicate:
                seen.add(id(tensor))
            yield f"{path}.{name}" if path else name, tensor


def submodule(module: Module, target: str) -> Module:
    """The module at the dotted path. Errors: ModuleAttributeError that names the step which failed."""
    for name in target.split(".") if target else ():
        child = module._modules.get(name)
        if child is None:
            raise ModuleAttributeError(f"{type(module).__name__} has no module {name!r} (asked for {target!r})")
        module = child
    return module


def member(module: Module, target: str, container: str, kind: str) -> Any:
    """The parameter or buffer at the dotted path. Errors: ModuleAttributeError when there is none."""
    path, _, name = target.rpartition(".")
    place = submodule(module, path)
    found = getattr(place, container).get(name)
    if found is None:
        raise ModuleAttributeError(f"{type(place).__name__} has no {kind} {name!r} (asked for {target!r})")
    return found


def clear_gradient(param: Any, set_to_none: bool) -> None:
    """Takes the gradient of `param` away, or fills it with zeros, cut off from the graph that made it."""
    gradient = param.grad
    if gradient is None:
        return
    if set_to_none:
        param.grad = None
        return
    if gradient.grad_fn is not None:
        gradient.detach_()
    else:
        gradient.requires_grad_(False)
    gradient.zero_()
