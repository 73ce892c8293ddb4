"""Walks over the tree of modules, and its text; a module or a tensor that is met twice counts once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ..tensor import Tensor
from ..tensor.parameter import Parameter
from .errors import ModuleAttributeError

if TYPE_CHECKING:
    from .module import Module

T = TypeVar("T", bound="Tree")


def named_modules(module: Any, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
    """`module` and all below it, parents first, with dotted names."""
    return _walk(module, prefix, set() if remove_duplicate else None)


def _walk(module: Any, prefix: str, seen: set[Module] | None) -> Iterator[tuple[str, Module]]:
    if seen is not None:
        if module in seen:
            return
        seen.add(module)
    yield prefix, module
    for name, child in module._modules.items():
        if child is not None:
            yield from _walk(child, f"{prefix}.{name}" if prefix else name, seen)


def named_children(module: Any) -> Iterator[tuple[str, Module]]:
    """The modules directly below, each under its first name."""
    seen: set[Module] = set()
    for name, child in module._modules.items():
        if child is not None and child not in seen:
            seen.add(child)
            yield name, child


def named_members(
    module: Any, container: str, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
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


def submodule(module: Any, target: str) -> Module:
    """The module at the dotted path. Errors: ModuleAttributeError that names the step which failed."""
    for name in target.split(".") if target else ():
        child = module._modules.get(name)
        if child is None:
            raise ModuleAttributeError(f"{type(module).__name__} has no module {name!r} (asked for {target!r})")
        module = child
    return module


def set_submodule(module: Any, target: str, new: Module, strict: bool) -> None:
    """Puts a module at the dotted path. Errors: ValueError for an empty one; ModuleAttributeError as `submodule`.

    strict: there must be a module at the path already.
    """
    path, _, name = target.rpartition(".")
    if not name:
        raise ValueError("Cannot set the submodule without a target name!")
    place = submodule(module, path)
    if not isinstance(new, Tree):
        raise ValueError(f'"module" is not an nn.Module, found {type(new)}')
    if strict and place._modules.get(name) is None:
        raise ModuleAttributeError(f"{type(place).__name__} has no module {name!r} (asked for {target!r})")
    setattr(place, name, new)


def member(module: Any, target: str, container: str, kind: str) -> Any:
    """The parameter or buffer at the dotted path. Errors: ModuleAttributeError when there is none."""
    path, _, name = target.rpartition(".")
    place = submodule(module, path)
    found = getattr(place, container).get(name)
    if found is None:
        raise ModuleAttributeError(f"{type(place).__name__} has no {kind} {name!r} (asked for {target!r})")
    return found


class Tree:
    """The walks as methods of `Module`."""

    __slots__ = ()

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below, with dotted names.   memo: modules that are left out, and noted as they come."""
        if memo is not None and remove_duplicate:
            return _walk(self, prefix, memo)
        return named_modules(self, prefix, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below, each once unless told otherwise."""
        return (module for _, module in named_modules(self, "", remove_duplicate))

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly below, each once."""
        return named_children(self)

    def children(self) -> Iterator[Module]:
        """The modules directly below, each once."""
        return (module for _, module in named_children(self))

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with dotted names; of one that has two names, the first."""
        return named_members(self, "_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once."""
        return (param for _, param in named_members(self, "_parameters", "", recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers with dotted names."""
        return named_members(self, "_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, each once."""
        return (buffer for _, buffer in named_members(self, "_buffers", "", recurse))

    def get_submodule(self, target: str) -> Module:
        """The module with that dotted name; "" is the module itself."""
        return submodule(self, target)

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Puts a module at the dotted path; with `strict` in the place of one that is there."""
        set_submodule(self, target, module, strict)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with that dotted name."""
        return member(self, target, "_parameters", "parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with that dotted name."""
        return member(self, target, "_buffers", "buffer")

    def apply(self: T, fn: Callable[[Any], object]) -> T:
        """Calls `fn` with every module below, then with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self


def module_text(module: Module) -> str:
    """``Name(extra)`` for a module with none below, else its children indented under ``Name(``."""
    extra = module.extra_repr()
    children = [f"({name}): {_indented(repr(child))}" for name, child in module._modules.items()]
    head = type(module).__name__
    if not children:
        return f"{head}({_indented(extra)})" if "\n" not in extra else f"{head}(\n  {_indented(extra)}\n)"
    lines = (extra.split("\n") if extra else []) + children
    return f"{head}(\n  " + "\n  ".join(lines) + "\n)"


def list_text(module: Module) -> str:
    """The text of a list of modules: neighbours of one text are told once, with their number: ``(0-2): 3 x Name()``."""
    runs: list[tuple[int, int, str]] = []
    for place, child in enumerate(module._modules.values()):
        text = repr(child)
        if runs and runs[-1][2] == text:
            runs[-1] = (runs[-1][0], place, text)
        else:
            runs.append((place, place, text))
    lines = [
        _indented(f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}")
        for first, last, text in runs
    ]
    head = type(module).__name__
    return f"{head}(\n  " + "\n  ".join(lines) + "\n)" if lines else f"{head}()"


def _indented(text: str) -> str:
    """All lines but the first, two spaces further in."""
    return text.replace("\n", "\n  ")
