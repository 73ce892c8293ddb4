"""Comprehensions: inlined into the frame by newer versions, calls of their own in older ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled
from oracle import check


@pytest.mark.spec("S8.05")
def test_lists_and_dicts_nested_and_conditional() -> None:
    def function(x: Any, rows: Any, n: int) -> Any:
        flat = [a * b for a in rows for b in (1, n) if b > 0 if a.ndim]
        nested = [[a * k for k in range(2)] for a in rows]
        table = {f"k{k}": v + n for k, v in enumerate(rows)}
        turned = {value: key for key, value in {"a": 1, "b": n}.items()}
        chosen = [x if k % 2 else None for k in range(3)]
        ranks = {k: [j * x for j in range(k)] for k in range(3) if k != 1}
        return flat, nested, table, turned, chosen, ranks

    compiled(function, X, [X, Y], 3)


@pytest.mark.spec("S8.05")
def test_the_walrus_and_names_that_are_hidden() -> None:
    def function(x: Any) -> Any:
        k, row = "outside", 5
        doubled = [y for row in (1, 2, 3) if (y := row * 2) > 2]
        made = [(last := x * k) for k in range(3)]
        inner = [[k for k in range(k)] for k in range(3)]
        return k, row, doubled, y, made, last, inner

    compiled(function, X)


@pytest.mark.spec("S8.05")
def test_closures_over_the_loops_variables() -> None:
    def function(x: Any) -> Any:
        late = [lambda: x * k for k in range(3)]
        bound = [lambda k=k: x * k for k in range(3)]
        deep = [[(lambda: (a, b))() for a in (x, 1)] for b in range(2)]
        table = {k: (lambda j: lambda: j + x)(k) for k in range(2)}
        return [each() for each in late], [each() for each in bound], deep, [each() for each in table.values()]

    compiled(function, X)


@pytest.mark.spec("S8.05")
def test_over_iterators_and_generators() -> None:
    def function(x: Any) -> Any:
        def halves(value: Any) -> Any:
            while True:
                yield value
                value = value / 2

        steps = [(k, row) for k, row in zip(range(3), halves(x), strict=False)]
        source = iter([x, 1, 2, 3])
        pairs = [(each, next(source)) for each in source]
        lazily = (row for row in (k * x for k in range(3)) if row.ndim)
        return steps, pairs, [row + 1 for row in lazily], [row.sum() for row in np.ones((2, 3)) * x[0]]

    compiled(function, X)


@pytest.mark.spec("S8.05")
def test_sets() -> None:
    def function(x: Any, n: int) -> Any:
        return x + 1, sorted({k % n for k in range(7)}), len({k for k in "hello" if k != "h"})

    check(function, X, 3, backend="reference")
