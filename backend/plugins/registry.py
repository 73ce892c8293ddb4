"""Backends by name: who runs what `gl.jit` has captured. `numba` is our own; the others get a graph module."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ...core.devices import CPU
from ...core.errors import KernelError, SettingValueError
from ...core.records import dataclass, replace
from ..artifacts.identity import PLAIN, BackendIdentity
from . import builtin_backends

if TYPE_CHECKING:
    import numpy as np

    from ...graph.module import GraphModule
    from ...graph.node import Graph
    from ..call_layout import CallLayout
    from ..compile import CompiledGraph
    from .python_plan import PluginGraph

    Run = Callable[..., Sequence[np.ndarray[Any, Any]]]
    Ask = Callable[[GraphModule, list[np.ndarray[Any, Any]]], Run]

A = TypeVar("A", bound="Ask")
_serials = itertools.count(1)


@dataclass(frozen=True, eq=False)
class Backend:
    """One of them. `ask` gives what runs a graph module; None for our own, which gets graphs and makes native plans.

    identity: what the artifact cache knows of the graphs that it is given, besides how they look.
    """

    name: str
    ask: Ask | None = None
    identity: BackendIdentity = field(default=PLAIN, repr=False)
    serial: int = field(default_factory=lambda: next(_serials), repr=False)

    @property
    def is_native(self) -> bool:
        """Whether graphs become native code of ours. Only that has loops and sizes of its own, and draws."""
        return self.ask is None

    def with_identity(self, identity: BackendIdentity) -> Backend:
        """This backend, for graphs of the identity."""
        return replace(self, identity=identity)

    @property
    def key(self) -> tuple[object, ...]:
        """The key that tells its compiled graphs from those of other backends."""
        if self.ask is not None:
            return "by", self.name, self.serial, *self._hooks()
        from .. import compile

        return "by", compile.compile_graph.__module__, compile.compile_graph.__qualname__

    def _hooks(self) -> tuple[object, ...]:
        """The part of the key that tells the hooks from others: the module that a backend gets has their graphs."""
        from ...graph.digest import NotComparable

        try:
            return *self.identity.hooks.graphs, self.identity.hooks.text()
        except NotComparable:
            return "like no others", next(_serials)

    def prepare(self, graph: Graph) -> Graph:
        """The form in which it is given a traced graph: after all passes, or as traced, without what nobody needs."""
        from ...graph.passes import run_passes
        from ...graph.passes.dce import drop_dead_nodes

        return run_passes(graph) if self.ask is None else drop_dead_nodes(graph)

    def compile(self, graph: Graph, layout: CallLayout) -> CompiledGraph | PluginGraph:
        """The compiled form of a prepared graph: a `CompiledGraph` of our own back end, a `PluginGraph` of another."""
        if self.ask is None:
            if graph.device != CPU:
                from ..cuda.kept_programs import compiled_for_device

                return compiled_for_device(graph, layout, self.identity)
            from ..artifacts.compiled_graphs import compiled

            return compiled(graph, layout, self.identity)
        if graph.device != CPU:
            raise KernelError(f"the backend {self.name!r} runs graphs on the CPU only")
        from .python_plan import PluginGraph

        return PluginGraph(graph, layout, self.name, self.ask, self.identity.hooks.graphs)


NUMBA = Backend("numba")
_BACKENDS: dict[str, Backend] = {
    "numba": NUMBA,
    **{
        ask.__name__: Backend(ask.__name__, ask)
        for ask in (builtin_backends.eager, builtin_backends.aot_eager, builtin_backends.reference)
    },
}


def list_backends() -> list[str]:
    """The names that `gl.jit(backend=...)` takes, in order."""
    return sorted(_BACKENDS)


@overload
def register_backend(function: A, name: str | None = None) -> A: ...
@overload
def register_backend(function: None = None, name: str | None = None) -> Callable[[A], A]: ...


def register_backend(function: Any = None, name: str | None = None) -> Any:
    """The function, which `gl.jit` knows by `name` from now on: by its own one, if None. Usable as a decorator.

    function: takes a `GraphModule` and the list of the arrays of the call at hand, and gives what runs the graph at
        each call. See docs/guides/backends.md.
    Errors: `SettingValueError` for what cannot be called, or a name that another function has.
    """
    if function is None:
        return lambda given: register_backend(given, name)
    if not callable(function):
        raise SettingValueError(f"gl.register_backend takes a function, not a {type(function).__name__}")
    wanted = name or _name_of(function)
    known = _BACKENDS.get(wanted)
    if known is not None and known.ask is not function:
        raise SettingValueError(f"there is a backend named {wanted!r} already; register this one by another name")
    _BACKENDS[wanted] = known or Backend(wanted, function)
    return function


def lookup_backend(backend: Any, what: str) -> Backend:
    """The backend of that name, or the one that a function is; `what` begins the error.

    Errors: `SettingValueError` for an unknown name, which lists near ones, and for anything else.
    """
    if isinstance(backend, str):
        if backend in _BACKENDS:
            return _BACKENDS[backend]
        from difflib import get_close_matches

        near = get_close_matches(backend, _BACKENDS) or list_backends()
        listed = ", ".join(map(repr, near))
        raise SettingValueError(f"{what} {backend!r}, which no backend is called; there is {listed}")
    if callable(backend):
        return Backend(_name_of(backend), backend)
    expected = "the name of a backend or a function (graph_module, example_inputs) -> callable"
    raise SettingValueError(f"{what} {backend!r}; it takes {expected}")


def _name_of(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))
