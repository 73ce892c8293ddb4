"""Jitted functions for cloudpickle: what travels is the original and the settings, and what arrives is jitted anew."""

# Note [Functions by value]
# pickle, and cloudpickle for functions of modules, write a function's name, and whoever reads it finds the jitted one.
# cloudpickle writes functions of the main program, closures and lambdas by their parts (so do Dask, joblib and others
# that use it). The parts of a jitted function are its entries: addresses and objects of this process. Functions cannot
# say how they are pickled, and cloudpickle has no register for them. So its method for functions is wrapped, when it
# is there or once it is imported: a jitted function is written as the original, to be jitted where it is read.
# Everything else goes the way it went. What was compiled comes from the caches on disk, which all processes share.

from __future__ import annotations

import importlib.util
import sys
import types
from _pickle import PicklingError  # without the rest of pickle, which not every process imports
from collections.abc import Callable, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from typing import Any

from ...backend.plugins.registry import NUMBA, Backend, lookup_backend
from ...core.errors import SettingValueError
from ...core.package import PACKAGE
from ...guards.sources import STATE
from .registry import state_of

_MODULES = ("cloudpickle.cloudpickle", "joblib.externals.cloudpickle.cloudpickle")
_OWN = ("__wrapped__", "compile")


@cache
def teach_cloudpickle() -> None:
    """Makes cloudpickle write jitted functions, now or when it is imported. See Note [Functions by value]."""
    sys.meta_path.insert(0, _Watch())
    for name in _MODULES:
        if name in sys.modules:
            _teach(sys.modules[name])


class _Watch:
    """A finder of modules that finds nothing by itself: it sees cloudpickle being imported."""

    def __init__(self) -> None:
        self._inside = False

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if name not in _MODULES or self._inside:
            return None
        self._inside = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._inside = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Teaching(spec.loader)  # type: ignore[assignment]
        return spec


class _Teaching:
    """A loader of cloudpickle, which then learns of jitted functions."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        self._loader.exec_module(module)
        _teach(module)


def _teach(module: types.ModuleType) -> None:
    pickler = getattr(module, "Pickler", None) or getattr(module, "CloudPickler", None)
    before = getattr(pickler, "reducer_override", None)
    if before is None or hasattr(before, "__wrapped__"):
        return

    def reducer_override(self: Any, obj: Any) -> Any:
        reduced = before(self, obj)
        if type(obj) is not types.FunctionType or reduced is NotImplemented or state_of(obj) is None:
            return reduced
        return _reduced(obj, lambda original: before(self, original))

    reducer_override.__wrapped__ = before  # type: ignore[attr-defined]
    pickler.reducer_override = reducer_override  # type: ignore[union-attr]


def _reduced(function: types.FunctionType, by_value: Callable[[types.FunctionType], Any]) -> tuple[Any, ...]:
    """The parts of a jitted function. It may refer to itself: so it is made first, and gets its parts then.

    Errors: PicklingError for one whose backend has no name.
    """
    state = state_of(function)
    assert state is not None
    make, arguments, parts, *_, put = by_value(vars(function)["__wrapped__"])
    settings = (state.fullgraph, state.dynamic, state.asked_on_limit, _name_of(state.backend))
    more = {name: each for name, each in vars(function).items() if name not in _OWN}
    return _empty, (make, arguments), (put, parts, settings, more), None, None, _fill


def _name_of(backend: Backend) -> str | None:
    if backend is NUMBA:
        return None
    try:
        known = lookup_backend(backend.name, "its backend is")
    except SettingValueError:
        known = None
    if known is not backend:
        raise PicklingError(
            f"the function is jitted for a backend without a name ({backend.name}): give it one by register_backend, "
            "here and where the function is read"
        )
    return backend.name


def _empty(make: Callable[..., types.FunctionType], arguments: tuple[Any, ...]) -> types.FunctionType:
    """A function without parts yet, which knows the original as its `__wrapped__`."""
    original = make(*arguments)
    code = original.__code__
    code = code.replace(co_freevars=(*code.co_freevars, STATE))
    closure = (*(original.__closure__ or ()), types.CellType())
    made = types.FunctionType(code, original.__globals__, original.__name__, None, closure)
    made.__wrapped__ = original  # type: ignore[attr-defined]
    return made


def _fill(made: types.FunctionType, parts: tuple[Any, ...]) -> None:
    """Gives the original its parts, and makes what was empty a jitted function."""
    from importlib import import_module

    put, of_original, (fullgraph, dynamic, on_limit, backend), more = parts
    original = vars(made)["__wrapped__"]
    put(original, of_original)
    jit: Any = import_module(f"{PACKAGE}.frontend.jit")
    fresh = jit.jit(original, fullgraph=fullgraph, dynamic=dynamic, on_limit=on_limit, backend=backend)
    state = state_of(fresh)
    if state is None:  # left alone here, where guardlift may be switched off
        made.__code__ = original.__code__.replace(co_freevars=(*original.__code__.co_freevars, STATE))
    else:
        cell = (made.__closure__ or ())[-1]
        made.__code__, made.__defaults__ = fresh.__code__, fresh.__defaults__
        cell.cell_contents = state.cell.cell_contents
        state.becomes(made, cell)
    made.__defaults__ = original.__defaults__
    jit.dress(made, original)
    vars(made).update({name: each for name, each in more.items() if name not in vars(made)})
