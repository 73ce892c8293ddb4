"""Generators made inside the function: asked, sent to, thrown into, closed, handed on, and returned half-way."""

from __future__ import annotations

import gc
import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from bytecode import ConcreteBytecode
from frontend.language import X, Y, compiled, plain
from oracle import under

import guardlift as gl
from guardlift.frontend.bytecode.decode import decode
from guardlift.frontend.codegen.generators import waiting_code


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
        grown: list[Any] = [x]
        grown.extend(len(grown) for _ in range(2))
        grown += (len(grown) for _ in range(2))
        return log, grown

    compiled(function, X)


def test_an_error_inside_a_generator_is_pythons_own() -> None:
    def function(x: Any) -> Any:
        return sum(x * [1, 2][k] for k in range(3))

    plain(function, X, code="B304")


@pytest.mark.spec("S8.02")
def test_what_is_sent_is_what_the_yield_gives() -> None:
    def averaging(start: Any) -> Any:
        total, count = start, 1
        while count < 10:
            got = yield total / count
            if got is None:
                got = 0.0
            total, count = total + got, count + 1
        return total

    def function(x: Any, n: float) -> Any:
        generator = averaging(x)
        seen = [generator.send(None), generator.send(n), next(generator), generator.send(x), generator.__next__()]
        return seen, generator.gi_running, generator.__name__, generator is iter(generator)

    compiled(function, X, 2.0)


@pytest.mark.spec("S8.02")
def test_yield_from_hands_on_elements_what_is_sent_and_the_value_returned() -> None:
    def inner(x: Any, count: int) -> Any:
        got = []
        for k in range(count):
            got.append((yield x + k))
        return got

    def middle(x: Any) -> Any:
        first = yield from inner(x, 2)
        second = yield from inner(x * 2, 1)
        empty = yield from ()
        yield from [x, x - 1]
        return first, second, empty

    def outer(x: Any) -> Any:
        yield (yield from middle(x))
        yield from (x * k for k in range(2))
        yield from {"a": 1, "b": 2}

    def function(x: Any, n: float) -> Any:
        generator = outer(x)
        return [next(generator), generator.send(n), generator.send("text"), *generator]

    compiled(function, X, 2.5)


@pytest.mark.spec("S8.02")
def test_infinite_and_unfinished_generators() -> None:
    def numbers(start: Any) -> Any:
        while True:
            yield start
            start = start + 1

    def recursive(x: Any, depth: int) -> Any:
        yield x
        if depth:
            yield from recursive(x * 2, depth - 1)

    def function(x: Any) -> Any:
        endless = numbers(x)
        few = list(itertools.islice(endless, 3))
        pairs = list(zip("ab", endless, strict=False))
        tree = list(recursive(x, 4))
        never = numbers(x * 100)
        return few, pairs, tree, next(endless), never is endless

    compiled(function, X)


def test_an_exhausted_generator_stays_at_its_end() -> None:
    def function(x: Any) -> Any:
        generator = (x * k for k in range(2))
        first = list(generator)
        return first, list(generator), next(generator, "end"), generator.gi_frame, generator.close()

    compiled(function, X)


@pytest.mark.spec("S8.02")
def test_close_ends_a_generator() -> None:
    def counting(x: Any) -> Any:
        for k in range(5):
            yield x + k

    def delegating(x: Any) -> Any:
        yield from counting(x)

    def function(x: Any) -> Any:
        unstarted, started, outer = counting(x), counting(x), delegating(x)
        first, deep = next(started), next(outer)
        closed = unstarted.close(), started.close(), outer.close(), started.close()
        return first, deep, closed, list(unstarted), list(started), next(outer, None)

    compiled(function, X)


def test_misuse_raises_what_python_raises() -> None:
    def echo(x: Any) -> Any:
        yield x

    def sent_too_early(x: Any) -> Any:
        return echo(x + 1).send(3)

    def thrown_in(x: Any) -> Any:
        generator = echo(x + 1)
        next(generator)
        return generator.throw(ValueError)

    def thrown_before(x: Any) -> Any:
        return echo(x + 1).throw(KeyError)

    def at_its_end(x: Any) -> Any:
        generator = echo(x + 1)
        return next(generator), next(generator)

    def stopping(x: Any) -> Any:
        empty: list[Any] = []

        def body() -> Any:
            yield next(iter(empty))

        return list(body()), x + 1

    def reentered(x: Any) -> Any:
        def body() -> Any:
            yield x + 1
            yield next(generator)

        generator = body()
        return list(generator)

    def sent_to_a_list(x: Any) -> Any:
        def body() -> Any:
            yield from [x, x + 1]

        generator = body()
        return next(generator), generator.send(1)

    for function in (sent_too_early, thrown_in, thrown_before, at_its_end, stopping, reentered, sent_to_a_list):
        plain(function, X, code="B304")


@pytest.mark.spec("S8.02")
def test_what_is_thrown_in_is_raised_at_the_yield() -> None:
    def patient(x: Any, log: Any) -> Any:
        while True:
            try:
                got = yield x
                x = x + got
            except ValueError as error:
                log.append(error.args)
                x = x * 2
            except KeyError:
                return x
            finally:
                log.append("tried")

    def outer(x: Any, log: Any) -> Any:
        result = yield from patient(x, log)
        try:
            yield from [result, 1]
        except TypeError:
            yield "list"

    def function(x: Any, n: float) -> Any:
        log: list[Any] = []
        generator = outer(x, log)
        seen = [next(generator), generator.throw(ValueError("a", 1)), generator.send(n), generator.throw(KeyError)]
        seen.append(generator.throw(TypeError()))
        seen.append(next(generator, "end"))
        try:
            generator.throw(IndexError(5))
        except IndexError as error:
            seen.append(error.args)
        return seen, log

    compiled(function, X, 2.0)


@pytest.mark.spec("S8.02")
def test_the_value_of_a_generator_and_the_errors_it_becomes() -> None:
    def returning(x: Any) -> Any:
        yield x
        return x + 1

    def stopping(x: Any) -> Any:
        yield x
        raise StopIteration(5)

    def failing(x: Any) -> Any:
        for k in (1, 0):
            yield x // k if k else [][k]

    def function(x: Any) -> Any:
        generator = returning(x)
        seen = [next(generator)]
        try:
            next(generator)
        except StopIteration as end:
            seen.append(end.value)
        try:
            list(stopping(x))
        except RuntimeError as error:
            seen.append((error.args, type(error.__cause__)))
        halves = failing(x)
        try:
            for half in halves:
                seen.append(half)
        except IndexError:
            seen.append(list(halves))
        lazily = map(lambda k: x * [3, 4][k], [0, 5, 1])  # noqa: C417
        seen.append(next(lazily))
        try:
            next(lazily)
        except IndexError:
            seen.append(list(lazily))
        return seen

    compiled(function, X)


@pytest.mark.spec("S8.02")
def test_close_runs_what_is_left_of_a_try() -> None:
    def careful(x: Any, log: Any) -> Any:
        try:
            yield x
            yield x + 1
        except GeneratorExit:
            log.append("closed")
            return 7
        finally:
            log.append("left")

    def stubborn(x: Any) -> Any:
        try:
            yield x
        except GeneratorExit:
            yield x + 1

    def hands_on(x: Any, log: Any) -> Any:
        try:
            yield from careful(x, log)
        finally:
            log.append("outer")

    def function(x: Any) -> Any:
        log: list[Any] = []
        one, other, third = careful(x, log), hands_on(x, log), stubborn(x)
        first = next(one), next(other), next(third)
        log.append(one.close())
        other.close()
        try:
            third.close()
        except RuntimeError as error:
            log.append(error.args)
        return first, log, next(one, None), next(third, None), x + 1

    compiled(function, X)


def test_a_generator_that_handles_an_error_is_not_handed_out() -> None:
    def handling(x: Any) -> Any:
        try:
            yield [][1]
        except IndexError:
            yield x
            raise

    @gl.jit(fullgraph=True)
    def function(x: Any) -> Any:
        generator = handling(x + 1)
        next(generator)
        return x + 1, generator

    with pytest.raises(gl.Unsupported, match="the generator"):
        function(X)


def test_a_generator_dropped_inside_a_try_is_pythons_to_end() -> None:
    def function(x: Any) -> Any:
        log: list[Any] = []

        def guarded() -> Any:
            try:
                yield x + 1
                yield x + 2
            finally:
                log.append("end")

        def delegating() -> Any:
            yield from guarded()

        return next(guarded()), next(delegating()), log

    plain(function, X, code="B205")


# Generators that outlive the call.
def scaled(x: Any, n: int, *rows: Any, scale: float = 2.0, **named: Any) -> Iterator[Any]:
    """Yields in a loop over several iterators, inside a `try`, then hands on."""
    try:
        for k, row in zip(range(n), [x, x + 1, x + 2, *rows], strict=False):
            got = yield row * scale + k
            if got is not None:
                x = got
        yield from [x, scale]
    finally:
        named["log"].append(("end", sorted(named)))
    return x


def _used_up(generator: Any) -> Any:
    frame = generator.gi_frame
    told = generator.__name__, generator.__qualname__, inspect.getgeneratorstate(generator)
    if frame is not None:
        local = {name: value for name, value in frame.f_locals.items() if name != "named"}
        told = (*told, frame.f_lineno, local)  # type: ignore[assignment]
    return told, list(generator)


def _without_addresses(value: Any) -> str:
    return re.sub(r"0x[0-9a-f]+", "", repr(value))


def _same_after_the_call(function: Callable[..., Any], *args: Any) -> None:
    """Check that what `function` gives goes on after the call as plainly, in a new object for each call."""
    jitted = gl.jit(function, fullgraph=True)
    with under("reference"):
        for _ in range(2):
            wanted, got = (_without_addresses([_used_up(each) for each in f(*args)]) for f in (function, jitted))
            assert got == wanted
        first, second = jitted(*args), jitted(*args)
        assert all(one is not other for one, other in zip(first, second, strict=True))


@pytest.mark.spec("S8.02")
def test_a_started_generator_goes_on_after_the_call() -> None:
    log: list[Any] = []

    def function(x: Any, n: float, log: Any) -> Any:
        started = scaled(x, 3, n, scale=3.0, log=log)
        next(started)
        started.send(x * 5)
        return [started]

    _same_after_the_call(function, X, 2.0, log)
    gc.collect()  # since 3.12 who looks at the variables of a generator's frame keeps the next one for the collector
    assert len(log) == 6


@pytest.mark.spec("S8.02")
def test_generators_of_every_state_and_kind_go_on_after_the_call() -> None:
    def function(x: Any, n: float) -> Any:
        def inner(y: Any, *, by: Any = x) -> Any:
            for each in (y, by):
                for k in reversed([1, 2]):
                    yield each * k + n

        unstarted, started, ended = inner(x + 1), inner(x, by=x * 2), inner(x)
        first = next(started), next(started), next(started)
        list(ended)
        expression = (x * k + n for k in range(5) if k)
        next(expression)
        other = (y - 1 for y in inner(x))
        next(other)
        over = iter((x, n, first))
        next(over)
        lazy = (y for y in enumerate(zip(over, range(4), strict=False), 7))
        next(lazy)
        return [unstarted, started, ended, expression, other, (y for y in [x, x + 1]), lazy]

    _same_after_the_call(function, X, 2.0)


@pytest.mark.spec("S8.02")
def test_a_delegating_generator_goes_on_after_the_call() -> None:
    def inner(x: Any) -> Any:
        got = yield x
        yield got
        return x + 1

    def outer(x: Any) -> Any:
        value = yield from inner(x)
        yield value

    @gl.jit(fullgraph=True)
    def function(x: Any) -> Any:
        generator = outer(x * 2)
        return next(generator), generator

    with under("reference"):
        for _ in range(2):
            first, generator = function(X)
            assert (first == X * 2).all() and generator.gi_yieldfrom.__name__ == "inner"
            assert generator.send("sent") == "sent"
            assert [each.tolist() for each in generator] == [(X * 2 + 1).tolist()]


def test_handlers_of_a_generator_keep_their_depths() -> None:
    code = scaled.__code__
    place = next(k for k, each in enumerate(decode(code).instructions) if each.name == "YIELD_VALUE")
    written = waiting_code(code, place, ("x", "n"), (False,))
    depths = [
        [(entry.stack_depth, entry.push_lasti) for entry in ConcreteBytecode.from_code(each).exception_table]
        for each in (code, written)
    ]
    assert depths[1] == depths[0]


def test_a_returned_generator_ends_its_try_when_it_is_dropped() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any, log: Any) -> Any:
        generator = scaled(x, 3, log=log)
        return next(generator), generator

    with under("reference"):
        log: list[Any] = []
        _, generator = function(X, log)
        with pytest.raises(KeyError, match="thrown") as caught:
            generator.throw(KeyError("thrown"))
        assert caught.traceback[-1].name == "scaled" and log == [("end", ["log"])]
        function(X, log)
        assert len(log) == 2


def test_one_returned_generator_is_one_object_and_shares_its_cell() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any) -> Any:
        twice = [x, x + 1]
        one, other = (y for y in twice), (len(twice) + y for y in range(1))
        next(one)
        return one, other, [one], twice

    with under("reference"):
        one, other, (again,), twice = function(X)
        assert again is one
        twice.append(5)
        assert list(one)[1:] == [5] and list(other) == [3]


def test_a_generator_from_outside_is_not_touched() -> None:
    def function(x: Any, generator: Any) -> Any:
        return x + 1, next(generator)

    jitted = gl.jit(function)
    generator = (k for k in range(5))
    assert [jitted(Y, generator)[1] for _ in range(3)] == [0, 1, 2]
    assert list(generator) == [3, 4]


class Asked:
    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def __iter__(self) -> Iterator[int]:
        self.log.append("asked")
        return iter([1, 2])


def test_a_generator_expression_asks_for_its_iterator_when_python_does() -> None:
    def used(x: Any, log: list[Any]) -> Any:
        lazy = (y * x for y in Asked(log))
        log.append("made")
        return list(lazy)

    def returned(x: Any, log: list[Any]) -> Any:
        lazy = (y for y in Asked(log))
        log.append(x + 1)
        return lazy, list(y * x for y in (1, 2))  # noqa: C400

    def refused(x: Any, log: list[Any]) -> Any:
        lazy = (y for y in len(x) + 1)  # type: ignore[attr-defined]
        log.append("made")
        return lazy

    for function in (used, returned, refused):
        jitted = gl.jit(function)
        for _ in range(3):
            results: list[Any] = []
            for each in (function, jitted):
                log: list[Any] = []
                try:
                    found = each(X, log)
                    results.append([list(found[0]), found[1:], log])
                except TypeError as error:
                    results.append([str(error), log])
            assert repr(results[0]) == repr(results[1])
