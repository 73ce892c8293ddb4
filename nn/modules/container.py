"""Modules made of modules."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any, overload

from ...core.names.import_paths import names_of
from ..errors import LayerArgumentError, ModuleAssignmentError
from ..module import Module
from ..tree import list_text


class _Numbered(Module):
    """Modules in an order, under the names "0", "1", …"""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())  # type: ignore[arg-type]

    def __getitem__(self, index: int | slice) -> Any:
        items: list[Any] = list(self._modules.items())
        return self._like(items[index]) if isinstance(index, slice) else items[index][1]

    def __setitem__(self, index: int, module: Module) -> None:
        self.register_module(list(self._modules)[index], module)

    def __delitem__(self, index: int | slice) -> None:
        modules = list(self._modules.values())
        del modules[index]
        self._refill(modules)  # type: ignore[arg-type]

    def append(self, module: Module) -> Any:
        """Itself, with `module` at the end."""
        self.register_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Itself, with `modules` at the end."""
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Itself, with `module` before the one at `index`."""
        modules: list[Any] = list(self._modules.values())
        modules.insert(index, module)
        self._refill(modules)
        return self

    def _refill(self, modules: list[Module]) -> None:
        for name in list(self._modules):
            delattr(self, name)
        self.extend(modules)

    def _like(self, items: list[tuple[str, Module]]) -> Any:
        """A container of the same kind with some of the contents."""
        raise NotImplementedError


class Sequential(_Numbered):
    """Calls its modules one after the other, each with what the one before gave.

    Made from modules, or from one dict of modules by name.
    """

    @overload
    def __init__(self, *args: Module) -> None: ...
    @overload
    def __init__(self, arg: dict[str, Module], /) -> None: ...
    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args)
        for name, module in named:
            self.register_module(str(name), module)

    def forward(self, input: Any) -> Any:
        """The result of the last module."""
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input

    def _like(self, items: list[tuple[str, Module]]) -> Sequential:
        return Sequential(dict(items))


class ModuleList(_Numbered):
    """A list of modules, whose parameters count as those of the module that holds it."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if isinstance(modules, Module) and not isinstance(modules, _Numbered):
            raise LayerArgumentError(f"ModuleList takes an iterable of modules, got one {type(modules).__name__}")
        if modules is not None:
            self.extend(modules)

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __repr__(self) -> str:
        return list_text(self)

    def _like(self, items: list[tuple[str, Module]]) -> ModuleList:
        return ModuleList(module for _, module in items)


class ModuleDict(Module):
    """A dict of modules by name, whose parameters count as those of the module that holds it; it keeps its order."""

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]  # type: ignore[return-value]

    def __setitem__(self, key: str, module: Module) -> None:
        self.register_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Takes all modules out."""
        for key in list(self._modules):
            del self[key]

    def pop(self, key: str) -> Module:
        """The module of that name, which is taken out. Errors: KeyError for a name that is not there."""
        module = self[key]
        del self[key]
        return module

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def items(self) -> ItemsView[str, Any]:
        """The modules with their names."""
        return self._modules.items()

    def values(self) -> ValuesView[Any]:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Takes in modules by name, from a mapping or from pairs; those of the same name give way.

        Errors: TypeError for what is neither, ValueError for an item that is no pair.
        """
        if not isinstance(modules, Iterable):
            raise ModuleAssignmentError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(modules).__name__}"
            )
        if isinstance(modules, (Mapping, ModuleDict)):
            for key, module in modules.items():
                self[key] = module
            return
        pair: Any
        for place, pair in enumerate(modules):
            if not isinstance(pair, Iterable):
                raise ModuleAssignmentError(
                    f"ModuleDict update sequence element #{place} should be Iterable; is {type(pair).__name__}"
                )
            found = tuple(pair)
            if len(found) != 2:
                raise LayerArgumentError(
                    f"ModuleDict update sequence element #{place} has length {len(found)}; 2 is required"
                )
            self[found[0]] = found[1]


__getattr__ = names_of("nn", __name__)
