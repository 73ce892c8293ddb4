"""The `__dict__` of a module: what is put there past `setattr` is told to whoever watches the module, too."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from ..core.watch import Watchers
from ..core.watched_containers import WatchedDict

if TYPE_CHECKING:
    from .module import Module


class OwnAttributes(WatchedDict[str, Any]):
    """A dict whose watchers are those of the module that it belongs to, which it does not keep alive."""

    __slots__ = ("_module",)
    _module: weakref.ref[Module]

    def __new__(cls, module: Module) -> OwnAttributes:
        self = dict.__new__(cls)
        self._module = weakref.ref(module)
        return self

    def __init__(self, module: Module) -> None:
        super().__init__()

    @property
    def _watchers(self) -> Watchers | None:  # type: ignore[override]
        module = self._module()
        return None if module is None else module._watchers

    @_watchers.setter
    def _watchers(self, watchers: Watchers | None) -> None:
        module = self._module()
        if module is not None:
            object.__setattr__(module, "_watchers", watchers)
