"""The oracle for tensor programs of any kind: a program run plainly and jitted, on arguments made alike."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
from reference_plan import compile_to_reference

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of

Program = Callable[..., Any]
Make = Callable[[], Sequence[Any]]


def normal(*shape: int, seed: int = 0) -> Any:
    """A tensor of normal numbers, the same at every call."""
    return gl.tensor(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def leaf(*shape: int, seed: int = 0) -> Any:
    """The made tensor as a parameter."""
    return nn.Parameter(normal(*shape, seed=seed))


@contextmanager
def interpreted() -> Iterator[None]:
    """A context in which graphs are interpreted and not compiled: quicker where kernels are not the point."""
    with mock.patch("guardlift.backend.compile.compile_graph", compile_to_reference):
        yield


# -- comparing ---------------------------------------------------------------------------------------------------------
def outcome(call: Callable[[], Any]) -> Any:
    """The result of a call, or type, text and last line in a test of what it raised."""
    try:
        return call()
    except Exception as error:
        text = re.sub(r", which is output \d+ of \w+,", "", str(error))
        return type(error), text, _last_line(error)


def _last_line(error: BaseException) -> tuple[str, int]:
    trace, found = error.__traceback__, ("", 0)
    while trace is not None:
        code = trace.tb_frame.f_code
        ours = str(trace.tb_frame.f_globals.get("__name__")).startswith("guardlift")
        if not ours and code.co_filename != __file__:
            found = (code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return found


def same(plain: Any, jitted: Any, relative: float = 1e-5, strides: bool = True) -> None:
    """Asserts that two structures agree in all that can be seen, down to who shares memory with whom."""
    ours, theirs = list(_leaves(plain, "")), list(_leaves(jitted, ""))
    names, others = [name for name, _ in ours], [name for name, _ in theirs]
    assert names == others, ([each for each in ours if each[0] not in others], [x for x in theirs if x[0] not in names])
    for (name, one), (_, other) in zip(ours, theirs, strict=True):
        _same_leaf(name, one, other, relative, strides)
    for relation in (_is, _shares_memory, _shares_counter):
        assert _related(ours, relation) == _related(theirs, relation), relation.__name__


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, f"{name}[{key!r}]")
    elif isinstance(value, (tuple, list)):
        yield f"type({name})", type(value)
        for place, each in enumerate(value):
            yield from _leaves(each, f"{name}[{place}]")
    elif isinstance(value, nn.Module):
        for key, each in [*value.named_parameters(), *value.named_buffers()]:
            yield from _leaves(each, f"{name}.{key}")
    elif isinstance(value, gl.Generator):
        yield name, value.get_state().tolist()
    elif isinstance(value, optim.Optimizer):
        for number, entry in enumerate(value.state.values()):
            yield from _leaves(dict(entry), f"{name}.state[{number}]")
    else:
        yield name, value
        if isinstance(value, gl.Tensor) and value.is_leaf:
            yield from _leaves(value.grad, f"{name}.grad")


def _same_leaf(name: str, one: Any, other: Any, relative: float, strides: bool) -> None:
    assert type(one) is type(other), (name, one, other)
    if isinstance(one, gl.Tensor):
        for attribute in ("shape", "dtype", "requires_grad", "is_leaf", "_version"):
            found = getattr(one, attribute), getattr(other, attribute)
            assert found[0] == found[1], (name, attribute, found)
        if strides and one.numel():
            assert one.stride() == other.stride(), (name, one.stride(), other.stride())
        one, other = one._array, other._array
    if isinstance(one, (np.ndarray, np.generic, float)):
        np.testing.assert_allclose(other, one, rtol=relative, atol=relative * 0.1, err_msg=name)
        assert np.asarray(one).dtype == np.asarray(other).dtype, name
    elif isinstance(one, type) or not callable(one):
        assert one == other, (name, one, other)


def _related(found: list[tuple[str, Any]], relation: Callable[[Any, Any], bool]) -> list[bool]:
    values = [each for _, each in found if isinstance(each, (gl.Tensor, np.ndarray))]
    return [relation(values[a], values[b]) for a in range(len(values)) for b in range(a)]


def _is(one: Any, other: Any) -> bool:
    return one is other


def _shares_memory(one: Any, other: Any) -> bool:
    arrays = [each._array if isinstance(each, gl.Tensor) else each for each in (one, other)]
    return bool(np.shares_memory(*arrays))


def _shares_counter(one: Any, other: Any) -> bool:
    return isinstance(one, gl.Tensor) and isinstance(other, gl.Tensor) and one._counter is other._counter


def drawing_alike(seed: int, *calls: Callable[[], Any]) -> list[Any]:
    """The outcomes of several calls, the default generator being where it was before the first; see `outcome`.

    Afterwards it is where the first one left it: asserted.
    """
    results, before, after = [], gl.manual_seed(seed).take(seed) and gl.get_rng_state(), []
    for call in calls:
        gl.set_rng_state(before)
        results.append(outcome(call))
        after.append(gl.get_rng_state().tolist())
    assert after == after[:1] * len(after), after
    return results


# -- running -----------------------------------------------------------------------------------------------------------
def check(
    program: Program,
    make: Callable[[int], Sequence[Any]] | None = None,
    *,
    arguments: Make | None = None,
    calls: int = 3,
    change: Callable[..., Any] | None = None,
    after: Callable[..., Any] | None = None,
    breaks: str | None = "",
    compiles: int | None = None,
    relative: float = 1e-5,
    kernels: bool = False,
    strides: bool = True,
) -> Any:
    """The jitted program, after it did the same as the plain one.

    make:      the arguments of call k, made anew for it; or arguments: made once, for all calls.
    change:    what happens to them before call k > 0.   after: what is done with the result and the arguments.
    breaks:    "" when none is expected, else words of the first one; None if either will do.
    compiles:  how many entries are to be made.   kernels: through compiled kernels.
    strides:   those are compared; a compiled backward that the engine runs gives gradients in rows.
    """
    fast = gl.jit(program)
    worlds = [list(arguments()), list(arguments())] if arguments is not None else [[], []]
    with nullcontext() if kernels else interpreted(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(calls):
            if make is not None:
                worlds = [list(make(number)), list(make(number))]
            if change is not None and number:
                for world in worlds:
                    change(number, *world)
            results = drawing_alike(number, lambda: program(*worlds[0]), lambda: fast(*worlds[1]))  # noqa: B023
            same([number, results[0], worlds[0]], [number, results[1], worlds[1]], relative, strides)
            if after is not None:
                calls_after = [partial(after, result, *world) for result, world in zip(results, worlds, strict=True)]
                then = drawing_alike(number, *calls_after)
                plain, jitted = ([number, then[k], results[k], worlds[k]] for k in (0, 1))
                same(plain, jitted, relative, strides)
    _check_history(fast, breaks, compiles)
    return fast


def _check_history(fast: Any, breaks: str | None, compiles: int | None) -> None:
    found = broken(fast)
    if breaks is not None:
        assert (breaks in found[0]) if breaks and found else not found and not breaks, found or "no break"
    if compiles is not None:
        made = [event for event in state_of(fast).history if event.kind in ("compile", "recompile")]
        assert len(made) == compiles, [[reason.text for reason in event.reasons] for event in made]


def broken(fast: Any) -> list[str]:
    """The breaks of the graphs of a jitted function, in words."""
    return [event.text for event in state_of(fast).history if event.kind == "break"]


def backward(result: Any, *arguments: Any) -> None:
    """A backward pass from everything in a result that has a history."""
    roots = [each for _, each in _leaves(result, "") if isinstance(each, gl.Tensor) and each.grad_fn is not None]
    if roots:
        sum((each * each).sum() for each in roots).backward()  # type: ignore[union-attr]
