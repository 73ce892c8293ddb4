"""`jit`: a copy of the function whose code object checks guards, calls compiled plans, and falls through to the
original body."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from ..backend.plugins.registry import lookup_backend
from ..core.config import check_choice, config
from ..core.errors import NotAFunctionError
from ..core.package import is_layer
from .dispatch.registry import leave_alone, left_alone, state_of
from .tracing.control import why_disabled

if TYPE_CHECKING:
    from ..backend.plugins.registry import Ask, Backend
    from ..nn import Module

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound="Module")


@overload
def jit(
    function: M,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    on_limit: str | None = None,
    backend: str | Ask | None = None,
) -> M: ...
@overload
def jit(
    function: Callable[P, R],
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    on_limit: str | None = None,
    backend: str | Ask | None = None,
) -> Callable[P, R]: ...
@overload
def jit(
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    on_limit: str | None = None,
    backend: str | Ask | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def jit(
    function: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    on_limit: str | None = None,
    backend: str | Ask | None = None,
) -> Any:
    """A compiled copy of a Python function over NumPy arrays; usable as a decorator, with or without arguments.

    The result takes the same arguments and gives what the original gives: values, dtypes, aliasing, exceptions, writes
    into arrays. The original is its ``__wrapped__``. The first call with new kinds of arguments traces and compiles;
    what cannot be traced is run by Python, and what follows is compiled again (see `explain`).

    Besides functions `jit` takes what is called like one:

    - A bound method, as in ``gl.jit(optimizer.step)``: the result is a method of the same object, and no other one's.
    - A module: the result is that module, but for its call, which is compiled. It has the module's parameters, buffers,
      children, attributes, mode and hooks, not copies of them; `isinstance`, the state dict and pickling are as before.
      The module itself, its ``__wrapped__``, is called as before. (``module.compile()`` compiles a module in place.)
    - Another object whose class defines ``__call__``: the result is that method of the object, compiled.
    - A `functools.partial`: the result is a partial application of the compiled function.

    ``jit(f).compile(*args, **kwargs)`` compiles for a call with these arguments that does not take place: the function
    does nothing, and the next call with arguments like them compiles nothing. See also `gl.warm`.

    dynamic: whether the sizes of arrays are free, so that one compiled variant serves them all: True from the first
    call on, False never, None (as `gl.config.dynamic_sizes` says) once an array comes with other sizes. Sizes 0 and 1
    are always compiled apart. With sizes go strides, once an array has come with several that sizes do not explain.
    on_limit: what a call does that fits no entry, and may have none since there are too many: as `gl.config.on_limit`
    says, if None.
    fullgraph: raise `Unsupported` at the first thing that cannot be traced.
    backend: who runs what was captured: a name that `gl.list_backends` gives, or a function
    ``(graph_module, example_inputs) -> callable``; None for the one that `gl.config.backend` names now. Other backends
    than ``"numba"`` compile for sizes that are known, and leave loops over elements and draws to Python. Of a function
    that is jitted for another backend, the result is a second one.
    Errors: `NotAFunctionError` when `function` is none of these, or is written in C; `SettingValueError` for an
    `on_limit` or a `backend` that there is not. `BackendError`, of a call, when its backend fails.
    """
    if on_limit is not None:
        check_choice("on_limit", on_limit, "gl.jit got on_limit =")
    runs = _backend(backend)
    settings: dict[str, Any] = {"fullgraph": fullgraph, "dynamic": dynamic, "on_limit": on_limit, "backend": backend}
    if function is None:
        return functools.partial(jit, **settings)
    if not isinstance(function, types.FunctionType):
        return _jitted_callable(function, settings)
    known = state_of(function)
    if known is not None:
        if backend is None or runs is known.backend:
            return function
        function = vars(function)["__wrapped__"]
    why = left_alone(function)
    if why_disabled(function) is not None:
        leave_alone(function, why)
        return function
    if why:
        copy = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        leave_alone(copy, why)
        return dress(copy, function)
    from .dispatch.state import jitted

    return dress(jitted(function, fullgraph, dynamic, on_limit, runs), function)


def _backend(backend: str | Ask | None) -> Backend:
    """Errors: `SettingValueError` for one that there is not."""
    if backend is None:
        return lookup_backend(config.backend, "gl.config.backend is")
    return lookup_backend(backend, "gl.jit got backend =")


def dress(copy: types.FunctionType, original: types.FunctionType) -> types.FunctionType:
    """The copy, with what makes it look like the original, and the method by which it is compiled ahead."""
    copy.__kwdefaults__ = original.__kwdefaults__
    functools.update_wrapper(copy, original)
    if hasattr(original, "__type_params__"):
        copy.__type_params__ = original.__type_params__  # type: ignore[attr-defined]
    copy.compile = functools.partial(_compile_ahead, copy)  # type: ignore[attr-defined]
    return copy


def _compile_ahead(copy: types.FunctionType, /, *args: Any, **kwargs: Any) -> None:
    """The `compile` of a jitted function: see `jit`."""
    from .dispatch.ahead import compile_ahead, tell_left_alone

    state = state_of(copy)
    if state is None:
        tell_left_alone(copy)
    else:
        compile_ahead(state, args, kwargs)


def _jitted_callable(function: Any, settings: dict[str, Any]) -> Any:
    """The compiled form of what is called like a function. Errors: `NotAFunctionError` where there is none."""
    if is_layer(function):
        from ..nn.jitted_module import jitted_module

        return jitted_module(function, settings)
    if isinstance(function, types.MethodType):
        if isinstance(function.__func__, types.FunctionType):
            return types.MethodType(jit(function.__func__, **settings), function.__self__)
    elif type(function) is functools.partial:
        return functools.partial(jit(function.func, **settings), *function.args, **function.keywords)
    elif not isinstance(function, type):
        called = next((vars(cls)["__call__"] for cls in type(function).__mro__ if "__call__" in vars(cls)), None)
        if isinstance(called, types.FunctionType):
            return types.MethodType(jit(called, **settings), function)
    raise _no_function(function)


def _no_function(function: Any) -> NotAFunctionError:
    found = f"gl.jit takes a Python function, not {_named(function)}"
    if isinstance(function, type):
        advice = "put @gl.jit on its methods"
    elif isinstance(function, (staticmethod, classmethod)):
        advice = f"put @gl.jit below @{type(function).__name__}"
    elif callable(function):
        advice = "write a Python function that calls it: gl.jit(lambda x: f(x))"
    else:
        advice = "pass the function itself, as in gl.jit(f), without calling it"
    return NotAFunctionError(f"{found}; {advice}")


def _named(value: Any) -> str:
    name = getattr(value, "__qualname__", None)
    return f"the {type(value).__name__} {name}" if isinstance(name, str) else f"a value of type {type(value).__name__}"
