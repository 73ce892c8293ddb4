"""Generators and generator expressions made and used up inside the function: they run as far as they are asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain


@pytest.mark.spec("S8.02")
def test_generator_expressions_in_the_calls_that_take_them() -> None:
    def function(x: Any, y: Any, scales: Any) -> Any:
        total = sum(x * scale for scale in scales)
        parts = tuple(row + 1 for row in (x, y)) + tuple(a * b for a, b in zip((x, y), (2, 3), strict=True) if b > 2)
        largest = max(len(part.shape) for part in parts)
        flags = all(part.ndim == 2 for part in parts), any(part.ndim > 2 for part in parts)
        table = dict((name, x + k) for k, name in enumerate("ab"))  # noqa: C402
        text = "-".join(str(k) for k in range(3))
        return total, list(parts), largest, flags, table, text

    compiled(function, np.ones((2, 3)), np.full((2, 3), 2.0), [1.0, 2.0, 3.0])


@pytest.mark.spec("S8.02")
def test_generator_functions_with_state_closures_and_early_ends() -> None:
    def function(x: Any, n: int) -> Any:
        seen = []

        def powers(base: Any, count: int) -> Any:
            value = base
            for k in range(count):
                seen.append(k)
                yield value
                value = value * base
            seen.append("end")

        total = x
        for k, value in enumerate(powers(x, 5)):
            if k == n:
                break
            total = total + value
        first = next(powers(x + 1, 2))
        pairs = list(zip(powers(x, 3), (each * 2 for each in powers(x, 2)), strict=False))
        return total, first, pairs, seen

    compiled(function, X, 3)


def test_a_generator_is_evaluated_between_the_consumers_own_steps() -> None:
    def function(x: Any) -> Any:
        log: list[Any] = []

        def noisy() -> Any:
            for k in range(3):
                log.append(("made", k))
                yield x + k

        for each in noisy():
            log.append(("used", each))
        return log

    compiled(function, X)


def test_an_error_inside_a_generator_is_pythons_own() -> None:
    def function(x: Any) -> Any:
        return sum(x * [1, 2][k] for k in range(3))

    plain(function, X, code="B304")


def test_a_generator_that_is_returned_or_sent_to_runs_plainly() -> None:
    def returned(x: Any) -> Any:
        return (x + k for k in range(2))

    def sent(x: Any) -> Any:
        def echo() -> Any:
            got = yield x
            yield got

        generator = echo()
        next(generator)
        return generator.send(x + 1)

    import guardlift as gl

    assert [each.tolist() for each in gl.jit(returned)(Y)] == [each.tolist() for each in returned(Y)]
    assert gl.jit(sent)(Y).tolist() == sent(Y).tolist()
