"""`warm` compiles functions ahead of their calls; `python -m guardlift.warm` does so to fill the caches on disk."""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import re
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..core.config import config
from ..core.errors import GuardliftError, NotAFunctionError, SpecError
from ..core.package import is_layer
from ..frontend import jit, state_of
from ..frontend.dispatch.specs import ShapeDtypeStruct

_SPEC = re.compile(r"(gl\.)?([A-Za-z_][A-Za-z_0-9]*)\[([0-9, ]*)\]")


def warm(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> bool:
    """Compiles a function for a call with these arguments that does not take place; whether it is compiled as a whole.

    The next call with arguments like them compiles nothing, and both caches on disk have what it needs. An argument is
    an example, or a `ShapeDtypeStruct`, which stands for zeros and may lie in lists, tuples and dicts: the values of
    arrays do not matter, unless the function branches on them. Nothing that the function does is done: no argument is
    written, nothing printed or drawn, no optimizer steps. (State that an optimizer makes in its first step is made.)

    function: what `jit` gave, a method or a partial application of that, or a module whose call or `forward` is
    compiled. Anything else that `jit` takes is compiled for the caches on disk alone.
    Where the function is compiled in part or not at all, a `GraphBreakWarning` says why.
    Errors: TypeError where the function does not take such arguments; `NotAFunctionError` for what `jit` refuses;
    `Unsupported` where it was jitted with ``fullgraph=True`` and cannot be traced to its end.
    """
    from ..frontend.dispatch.ahead import compile_ahead, tell_left_alone

    found, given, named = _definition(function, args, kwargs)
    state = state_of(found)
    if state is None:
        tell_left_alone(found)
        return False
    return compile_ahead(state, given, named)


def _definition(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, Sequence[Any], Any]:
    """The jitted function that a call runs, and its arguments. Errors: `NotAFunctionError` where there is none."""
    if isinstance(function, functools.partial):
        return _definition(function.func, (*function.args, *args), {**function.keywords, **kwargs})
    if isinstance(function, types.MethodType):
        return _definition(function.__func__, (function.__self__, *args), kwargs)
    if is_layer(function):
        from ..nn.jitted_module import JittedModule, compiled_call

        forward = function.forward
        if not isinstance(function, JittedModule):
            if state_of(getattr(forward, "__func__", forward)) is not None:
                return _definition(forward, args, kwargs)
            function = jit(function)
        call = compiled_call(function)
        return call.function(), (call.module, *args), kwargs
    if isinstance(function, types.FunctionType):
        return (function if hasattr(function, "compile") else jit(function)), args, kwargs
    if not callable(function):
        raise NotAFunctionError(f"gl.warm takes a function, not a value of type {type(function).__name__}")
    return _definition(jit(function), args, kwargs)


def parse_spec(text: str) -> Any:
    """An argument from its text: ``float32[64,3]`` for an array, ``gl.float32[64,3]`` for a tensor, else a literal.

    Errors: `SpecError` for any other text.
    """
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            raise SpecError(
                f"{text!r} is neither an array (float32[64,3]), a tensor (gl.float32[64,3]) nor a literal of Python"
            ) from None
    ours, name, sizes = found.groups()
    shape = tuple(int(size) for size in sizes.split(",") if size.strip())
    if not ours:
        return ShapeDtypeStruct(shape, name)
    from ..core import dtypes

    dtype = getattr(dtypes, "bool_" if name == "bool" else name, None)
    if not isinstance(dtype, dtypes.DType):
        raise SpecError(f"gl.{name}, in {text!r}, is no dtype")
    return ShapeDtypeStruct(shape, dtype)


CODES = {
    0: "all was compiled as a whole",
    1: "something was compiled in part or not at all; a line says why",
    2: "wrong usage, or there is no such function, or it takes no such arguments",
}
"""The exit codes of the command."""


def warm_parser() -> argparse.ArgumentParser:
    """The parser of the command ``python -m guardlift.warm``."""
    parser = argparse.ArgumentParser(
        prog="python -m guardlift.warm",
        usage="python -m guardlift.warm module:function [spec ...] [--args module:make]",
        description="Compile a function, so that later processes find it on disk.",
        epilog=f"Exit codes: {'; '.join(f'{code}: {meaning}' for code, meaning in CODES.items())}.",
    )
    parser.add_argument("function", metavar="module:function", help="what is compiled: a function, method or module")
    parser.add_argument(
        "specs",
        nargs="*",
        metavar="spec",
        help="an argument: float32[64,3] for an array, gl.float32[64,3] for a tensor, a literal such as 0.5; "
        "name=spec for one passed by name",
    )
    parser.add_argument(
        "--args", metavar="module:make", help="a function that returns the arguments as a tuple, or a list of such"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m guardlift.warm``. Exit code 1: not all was compiled; 2: it cannot be begun."""
    options = warm_parser().parse_args(arguments)
    try:
        function = _named(options.function)
        calls = _calls(options.specs, options.args)
        return max([_warmed(options.function, function, *call) for call in calls], default=0)
    except (_NotFound, SpecError, NotAFunctionError) as error:
        print(f"guardlift.warm: {error}", file=sys.stderr)
        return 2


class _NotFound(Exception):
    """Something that the command was told to use is not there."""


def _named(text: str) -> Any:
    """The object that ``module:name`` stands for. Errors: `_NotFound`."""
    module, colon, path = text.partition(":")
    if not (module and colon and path):
        raise _NotFound(f"{text!r} does not name a function as in module:function")
    try:
        found: Any = importlib.import_module(module)
    except Exception as error:
        raise _NotFound(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as error:
            raise _NotFound(f"{module} has no {path}: {error}") from None
    return found


def _calls(specs: Sequence[str], maker: str | None) -> Iterable[tuple[Sequence[Any], dict[str, Any]]]:
    """The arguments of each call that is compiled for. Errors: `SpecError`, `_NotFound`."""
    if maker is None:
        args, kwargs = [], {}
        for text in specs:
            name, equals, spec = text.partition("=")
            if equals and name.isidentifier():
                kwargs[name] = parse_spec(spec)
            else:
                args.append(parse_spec(text))
        return [(args, kwargs)]
    if specs:
        raise SpecError("arguments are described by specs or by --args, not by both")
    made = _named(maker)()
    calls = made if isinstance(made, list) else [made]
    if not all(isinstance(call, tuple) for call in calls):
        raise SpecError(
            f"{maker} returned {type(made).__name__}; it has to return a tuple of arguments, or a list of such"
        )
    return [(call, {}) for call in calls]


def _warmed(name: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> int:
    """The exit code, after one call was compiled for and told of."""
    from ..backend.cpu.compiler.kernels import statistics

    before, began = (statistics.compiled, statistics.loaded), time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            whole = warm(function, *args, **kwargs)
        except (TypeError, GuardliftError) as error:
            print(f"guardlift.warm: {error}", file=sys.stderr)
            return 2
    for each in caught:
        print(f"guardlift.warm: {each.message}", file=sys.stderr)
    compiled, loaded = statistics.compiled - before[0], statistics.loaded - before[1]
    seconds = time.perf_counter() - began
    print(f"{name}: {compiled} kernels compiled, {loaded} found in {config.cache_folder} ({seconds:.1f} s)")
    return 0 if whole else 1
