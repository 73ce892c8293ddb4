"""The results of a backend: it is asked once for each graph, checked at each call, and blamed by name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from ...core.asynchronous import is_asynchronous
from ...core.errors import BackendError
from ...graph.interpreter import LeftRegion
from ...graph.module import PLACEHOLDER, GraphModule
from ...graph.passes.dce import may_raise
from ...graph.printer import format_type

Array = np.ndarray[Any, Any]


class Answers:
    """The values of a graph, computed by what a backend gives when it is asked, at the first call.

    Errors: BackendError when the backend or what it gave raises an error, gives something else than the graph's values
    or, at the first call, has written to an argument. `LeftRegion` where Python has to run the call: an IndexError or
    ValueError of a graph with a node that may raise.
    """

    def __init__(self, name: str, ask: Callable[..., Any], module: GraphModule) -> None:
        self._name, self._ask, self._module = name, ask, module
        self._results = module.graph.nodes[-1].args[0]
        self._expected = [(each.meta["dtype"], each.meta["shape"]) for each in self._results]
        self._may_raise = any(map(may_raise, module.ir.nodes))
        self._lock = threading.RLock()
        self._run: Callable[..., Any] | None = None
        self._is_tried = False

    def __call__(self, arrays: Sequence[Array]) -> list[Array]:
        if self._is_tried:
            return self._checked(self._given(arrays))
        with self._lock, self._unchanged(arrays):
            if self._run is None:
                self._run = self._asked(arrays)
            values = self._checked(self._given(arrays))
            self._is_tried = True
        return values

    def _asked(self, arrays: Sequence[Array]) -> Callable[..., Any]:
        try:
            run = self._ask(self._module, list(arrays))
        except Exception as error:
            if is_asynchronous(error):
                raise
            raise self._raised(f"{type(error).__name__}: {error}", "when it was asked for") from error
        if not callable(run):
            self._blame(f"gave a {type(run).__name__} for", "a function of the graph's arguments")
        return run  # type: ignore[no-any-return]

    def _given(self, arrays: Sequence[Array]) -> Any:
        assert self._run is not None
        try:
            return self._run(*arrays)
        except Exception as error:
            if is_asynchronous(error):
                raise
            if self._may_raise and isinstance(error, (IndexError, ValueError)):
                raise LeftRegion from error
            raise self._raised(f"{type(error).__name__}: {error}", "when what it gave ran") from error

    def _checked(self, values: Any) -> list[Array]:
        if not isinstance(values, (list, tuple)):
            self._blame(f"gave a {type(values).__name__} as the results of", self._wanted())
        if len(values) != len(self._expected):
            self._blame(f"gave {len(values)} results of", self._wanted())
        checked = []
        for number, (value, (dtype, shape)) in enumerate(zip(values, self._expected, strict=True)):
            if isinstance(value, np.generic):
                value = np.asarray(value)
            if type(value) is not np.ndarray or value.dtype != dtype or value.shape != shape:
                self._refuse(number, value)
            checked.append(value)
        return checked

    def _refuse(self, number: int, value: Any) -> NoReturn:
        node = self._results[number]
        found = f"a {type(value).__name__}"
        if isinstance(value, np.ndarray):
            found = f"{found} {value.dtype}{list(value.shape)}"
        place = node.meta["location"]
        line = f", computed at {place.file}:{place.line}," if place is not None else ""
        expected = f"an ndarray {node.meta['dtype']}{list(node.meta['shape'])} ({format_type(node.meta['type'])})"
        self._blame(f"gave {found} as result {number} ({node.name}{line}) of", expected)

    def _wanted(self) -> str:
        listed = ", ".join(f"{each.name}: {format_type(each.meta['type'])}" for each in self._results)
        return f"a list or tuple of {len(self._results)} arrays ({listed})"

    @contextmanager
    def _unchanged(self, arrays: Sequence[Array]) -> Iterator[None]:
        """A context that puts back what the backend has written to arguments and attributes, and blames it for that."""
        named = dict(zip([each.name for each in self._module.graph.find_nodes(op=PLACEHOLDER)], arrays, strict=True))
        named.update(
            (node.name, getattr(self._module, node.target)) for node in self._module.graph.find_nodes(op="get_attr")
        )
        before = {name: array.copy() for name, array in named.items()}
        written = ""
        try:
            yield
        finally:
            for name, array in named.items():
                if before[name].tobytes() != array.tobytes():
                    array[...] = before[name]
                    written = written or name
        if written:
            self._is_tried = False
            self._blame(f"has written to the argument {written} of", "a function that only reads its arguments")

    def _raised(self, what: str, when: str) -> BackendError:
        remedy = 'run the graph with gl.jit(backend="eager") to see whether the graph itself is to blame'
        return BackendError(f"the backend {self._name!r} raised {what}, {when} {self._place()}; {remedy}")

    def _blame(self, did: str, expected: str) -> NoReturn:
        raise BackendError(
            f"the backend {self._name!r} {did} {self._place()}; expected {expected}. See docs/guides/backends.md"
        )

    def _place(self) -> str:
        """The graph, by the first line of the user's that it computes."""
        places = [node.location for node in (*self._module.ir.nodes, *self._module.ir.inputs) if node.location]
        return f"the graph of {places[0].function} ({places[0].file}:{places[0].line})" if places else "a graph"
