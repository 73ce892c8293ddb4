"""Every traced function of NumPy over operands at the edge: values, dtypes and warnings are those of plain NumPy.

Operands are empty, of one element, all NaN, zero, infinite. A warning that NumPy raises in Python counts with its
category, text and line; those that it makes of the processor's flags do not (decision 1).
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend.numpy import samples

OPERANDS = "a b m s t v w p i c d x q".split()

MORE = """
np.bincount(i, weights=q[:0], minlength=3)  np.bincount(i, weights=i * 0.5, minlength=3)  np.mean(i[:0])
np.nanpercentile(a, [10, 50])  np.nanpercentile(a, 10, axis=1, keepdims=True)  np.nanquantile(a, [0.2, 0.3], axis=0)
np.nanmedian(a)  np.nanmedian(a, axis=1)  np.nanmedian(t, axis=(0, 2))  np.nanmedian(a.T, axis=0)  np.nanmedian(v)
np.nanmean(a, axis=0)  np.nanmean(a, axis=1, keepdims=True)  np.nanstd(a, axis=0, ddof=1)  np.nanvar(a, axis=0, ddof=3)
np.nanmax(a, axis=0)  np.nanmin(a, axis=1, keepdims=True)  np.nanmax(v)  np.cov(a, ddof=5)  np.cov(v, w)  np.corrcoef(a)
np.polyfit(v * 0, w, 1)  np.polyfit(x, v, 5)  np.polyfit(x, w, 1, w=v * 0)  np.average(a, axis=1)
np.mean(a, axis=(0, 1))  a.mean()  a.mean(0, keepdims=True)  v[:0].mean()  v[1:1].std()  np.std(v[:1], ddof=1)
np.var(v[:2], ddof=3)  a.var(ddof=12)  np.var(c, ddof=1)  np.mean(a[:0], axis=1)  a[:0].std(axis=0)
(a + 1)[:, :0].mean(axis=1) + 1  np.std(v[:1], ddof=1) + np.mean(v[:0])  np.median(v[:0])  np.median(a[:0], axis=0)
np.mean(a, where=c)  np.histogram(v, bins=3)  np.percentile(t, [25, 75], axis=(0, 2))  np.real_if_close(v + 1j)
np.add.reduce(v)  np.maximum.reduce(a, axis=0)  np.linalg.lstsq(t[0].T, v[:4], rcond=None)  np.linalg.norm(a)
"""
"""Calls beside the examples that the page of coverage is made from."""


def worlds() -> Iterator[tuple[str, dict[str, Any]]]:
    """Operands by name, under a name of their own."""
    base = samples.operands("float64")
    floats = [name for name in OPERANDS if base[name].dtype.kind == "f"]
    for value in (np.nan, 0.0, 1.0):
        yield f"all {value}", {**base, **{name: np.full_like(base[name], value) for name in floats}}
    with_nan = {name: base[name].copy() for name in floats}
    for each in with_nan.values():
        each.flat[0] = np.nan
    yield "one nan", {**base, **with_nan}
    for sizes in ((1, 1, 1, 1), (0, 0, 0, 0), (2, 0, 4, 6), (2, 3, 0, 0)):
        for dtype in ("float64", "int64"):
            made = samples.operands(dtype, sizes)
            if 0 in sizes:
                made["i"] = made["i"][:0]
            yield f"{dtype} of {sizes}", made


WORLDS = dict(worlds())


def calls() -> list[str]:
    """All calls, as expressions over the operands."""
    found: list[str] = [line.strip() for row in MORE.strip().splitlines() for line in row.split("  ")]
    for example in [*samples.FUNCTIONS.values(), *map(samples.of_method, samples.methods.METHODS)]:
        tree = ast.parse(example, mode="eval").body
        found += [ast.unparse(each) for each in (tree.elts if isinstance(tree, ast.Tuple) else [tree])]
    without = ("empty", "np.linalg.svd", "np.fromfunction")
    return [each for each in dict.fromkeys(found) if not any(word in each for word in without)]


def function(expression: str) -> tuple[Callable[..., Any], list[str]]:
    """A function that gives the value of the expression, and the operands that it takes."""
    names = [node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name) and node.id != "np"]
    names = [name for name in dict.fromkeys(names) if name in WORLDS["all 1.0"]]
    scope: dict[str, Any] = {"np": np, "__name__": "edges"}
    exec(compile(f"def f({', '.join(names)}):\n    return {expression}\n", f"<{expression}>", "exec"), scope)
    return scope["f"], names


def outcome(f: Callable[..., Any], args: list[Any]) -> tuple[Any, list[Any]]:
    with warnings.catch_warnings(record=True) as log:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=gl.GraphBreakWarning)
        try:
            value = f(*args)
        except Exception as error:
            return error, []
    told = [(each.category, str(each.message), each.filename, each.lineno) for each in log]
    return value, [each for each in told if "encountered in" not in each[1]]


def described(value: Any) -> Any:
    """The parts of a value that count, as plain values; the strides of axes of one element do not."""
    if isinstance(value, (tuple, list)):
        return type(value), list(map(described, value))
    if isinstance(value, np.ndarray):
        steps = [step for n, step in zip(value.shape, value.strides, strict=True) if n > 1] if value.size else []
        numbers = value.tolist()
        if value.dtype.kind in "fc":  # sums may be rounded in another order
            numbers = [np.isnan(value).tolist(), np.nan_to_num(value, posinf=6e4, neginf=-6e4).round(5).tolist()]
        return value.dtype, value.shape, steps, value.flags.writeable, numbers
    if isinstance(value, np.generic):
        return type(value), described(np.asarray(value))
    return type(value), repr(value)


def differences(expression: str, names: list[str], backend: str = "reference") -> list[str]:
    """In which worlds a call differs from the plain one, at the first time or the second."""
    found = []
    f, operands = function(expression)
    for name in names:
        args = [WORLDS[name][each] for each in operands]
        value, told = outcome(f, copy.deepcopy(args))
        if isinstance(value, Exception):
            continue
        jitted = gl.jit(f, backend=backend)
        for turn in range(2):
            got, warned = outcome(jitted, copy.deepcopy(args))
            if described(got) != described(value) or warned != told:
                found.append(f"{expression} with {name}, call {turn}: {value!r} {told}, and jitted {got!r} {warned}")
                break
    return found


@pytest.mark.slow
def test_every_call_in_every_world() -> None:
    found = [each for expression in calls() for each in differences(expression, list(WORLDS))]
    assert not found, "\n".join(found)


def test_a_twelfth_of_the_calls_in_some_worlds() -> None:
    few = ["all nan", "float64 of (1, 1, 1, 1)", "float64 of (0, 0, 0, 0)"]
    found = [each for expression in calls()[::12] for each in differences(expression, few)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "expression", ["np.nanmedian(a, axis=0)", "a.mean()", "np.std(v[:1], ddof=1) + np.mean(v[:0])"]
)
def test_a_plan_warns_as_numpy_does(expression: str) -> None:
    assert not differences(expression, ["all nan", "all 1.0", "float64 of (0, 0, 0, 0)"], backend="numba")


def test_a_native_loop_over_slices_of_which_one_is_empty_warns_as_plain_python() -> None:
    def f(x: Any, n: int) -> Any:
        total = 0.0
        for k in range(n):
            part = x[:k].mean() if k != 1 else 0.0
            total += part if part == part else 1.0
        return total

    x = np.arange(6.0)
    plain, told = outcome(f, [x, 5])
    jitted = gl.jit(f)
    for _ in range(2):
        value, warned = outcome(jitted, [x, 5])
        assert (value, warned) == (plain, told)
    assert [text.rstrip(".") for _, text, _, _ in told] == ["Mean of empty slice"]
