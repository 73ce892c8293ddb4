"""Random programs of ints, Python's and NumPy's, as indices, bounds and sizes, of many values, beside plain ones."""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl

COUNT = int(os.environ.get("GUARDLIFT_FUZZ_INTS", "4"))
VALUES = 40
KINDS: tuple[type, ...] = (int, np.int64, np.int32, np.int8, np.intp)
"""The types of the ints of a program: one for all, or each its own."""
ROWS, COLUMNS = 14, 11
READS = (
    "d[{i}]",
    "d[{i}, {j}]",
    "d[:, {j}]",
    "d[{i}:{i} + 3]",
    "d[{i}:, {j}]",
    "d[-{n}:]",
    "d[:{n}, {j}:]",
    "d[{i}:{n}]",
    "d[::{s}]",
    "d[{i}::-1]",
    "np.zeros({n})",
    "np.arange({i}, {i} + {n}) * 1.0",
    "np.roll(d, {i}, axis=0)",
    "d[:{n}].reshape(-1)",
    "np.concatenate([d[:{i} + 1], d[{i}:]])",
    "d[np.arange({n})]",
    "np.ones(({n}, {j} + 1))",
    "d[{n} // 2]",
    "d[{i} % 5, {j} // 2]",
    "d[d[:, {j}] > 0.5]",
    "d[{i}][d[{i}] > 0.2]",
    "np.partition(d[0], {j} % 5)",
    "np.rot90(d, {n})",
    "np.interp(d[0], [0, {n} + 1], [1, {i} + 1])",
    "np.searchsorted(np.sort(d[0]), {n} / 20) + d",
    "np.insert(d[0], {j} % 5, {n})",
    "np.take(d, [{i}, 0], axis=0)",
    "np.percentile(d, {n}) + d",
    "np.polyval([1, {n}, -{i}], d)",
    "d[d[{i}].argmax(), {j}]",
    "d[{k}, int(d[0].argmin())] * d[0][int(d[1].argmax())]",
    "d[np.ix_([{i}, 0], [{j}, {j}])]",
    "np.lib.stride_tricks.sliding_window_view(d, {s}, axis=0)",
    "np.divide(d, {n}, out=np.zeros(d.shape), where=d > {i} / 9)",
    "d[{i}:] if {n} > 4 and {i} != {j} else d * {n}",
)
WRITES = (
    "d[{i}] = {v}",
    "d[{i}, {j}] += {v}",
    "d[:, {j}] *= 0.5",
    "d[{i}:{i} + 3] -= {v}",
    "d[:{n}] = d[-{n}:]",
    "d[{i}], d[{k}] = d[{k}].copy(), d[{i}].copy()",
    "d[{i}, {j}] = d[{k}, {j}] + 1",
    "d[d > {v} + 1] = 0.0",
    "d[{i}][d[{i}] > 0.3] = {v}",
    "np.put(d, [{n}, 0], {i} + 3)",
    "np.copyto(d[{i}], {n})",
    "np.add.at(d, {i}, {n})",
    "d.flat[{n}] = {i} * 2",
    "np.fill_diagonal(d, {n} + 1)",
    "np.put(d, {i}, {n}, mode='wrap')",
    "np.place(d, d > {n}, [{i}])",
    "d[d[0].argmax(), {j}] -= {v}",
    "for t in range({n}):\n        d[t, {j}] = d[t, {j}] * 0.5 + t",
    "for t in range({i}):\n        for u in range({j}):\n            d[t, u] += d[u, t % {n}]",
)
FOLDS = (
    "{x}.sum()", "{x} * 2", "{x} + 1", "np.sqrt(np.abs({x}))", "{x}.mean()", "{x}[::-1]", "{x}",
    "np.sort({x}, axis=None)",
)  # fmt: skip


def program(rng: random.Random) -> tuple[str, Callable[..., Any]]:
    """The text of a random function of a table and five ints, and the function."""

    def named(form: str) -> str:
        names = {name: name for name in "ijkns"} | {"v": f"{rng.random():.2f}"}
        if rng.random() < 0.3:
            names["i"] = rng.choice(["(i + 1)", "(i * 2)", "(-i)", "(k - i)", "len(d) - 1 - i"])
        return form.format(**names)

    lines = [named(rng.choice(WRITES)) for _ in range(rng.randint(0, 2))]
    parts = [rng.choice(FOLDS).format(x=f"({named(rng.choice(READS))})") for _ in range(rng.randint(1, 3))]
    text = "\n    ".join(["def f(d, i, j, k, n, s):", *lines, f"return {', '.join(parts)},"])
    space: dict[str, Any] = {"np": np}
    exec(compile(text, "<index ints>", "exec"), space)
    return text, space["f"]


def calls(rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Values of the ints; now and then one that is out of range, negative, or no size."""
    for _ in range(VALUES):
        i, j, k, n = rng.randrange(6), rng.randrange(COLUMNS), rng.randrange(ROWS), rng.randrange(2, 10)
        if rng.random() < 0.1:
            i, n = rng.choice([-1, -3, 0, ROWS, 40]), rng.choice([0, 1, -2, 30])
        yield i, j, k, n, rng.randrange(1, 4)


def kinds(rng: random.Random) -> tuple[type, ...]:
    """The type of each int of one call."""
    if rng.random() < 0.3:
        return tuple(rng.choice(KINDS) for _ in "ijkns")
    return (rng.choice(KINDS),) * 5


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except (IndexError, ValueError, ZeroDivisionError, TypeError) as error:
        return type(error)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    alike = type(one) is type(other) and np.shape(one) == np.shape(other) and one.dtype == other.dtype
    return bool(alike and np.allclose(one, other, rtol=1e-10, atol=1e-12, equal_nan=True))


@pytest.mark.parametrize("seed", range(COUNT))
def test_ints_of_many_values_do_what_plain_python_does(seed: int) -> None:
    rng = random.Random(seed)
    text, plain = program(rng)
    jitted = gl.jit(plain)
    tables, wrapped = np.random.default_rng(seed), kinds(random.Random(seed))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for plain_values in calls(rng):
            values = tuple(kind(each) for kind, each in zip(wrapped, plain_values, strict=True))
            table = tables.random((ROWS, COLUMNS))
            ours, theirs = table.copy(), table.copy()
            found, expected = outcome(jitted, ours, *values), outcome(plain, theirs, *values)
            assert same(found, expected), f"{text}\n{values}\n{found}\n{expected}"
            assert np.allclose(ours, theirs, rtol=1e-10, atol=1e-12, equal_nan=True), f"{text}\n{values}"
    codes = {each.code for each in gl.explain(jitted).breaks}
    assert not codes & {"B900", "B902"}, f"{text}\n{gl.explain(jitted)}"
