"""Loops, branches, comprehensions and exception handlers, plain against jitted."""

# ruff: noqa: C416, C417, B023, F821 (what is written is what is tested)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, asserting, compiled, plain

import guardlift as gl
from guardlift.frontend import state_of


def test_for_over_range_with_an_int_argument() -> None:
    def function(x: Any, n: int) -> Any:
        for k in range(n):
            x = x + k
        for k in range(1, n, 2):
            x = x * k
        for _ in range(n, 0, -1):
            x = x - 1
        return x

    compiled(function, X, 4)
    compiled(function, X, 1)


def test_for_over_tuples_lists_and_dicts() -> None:
    def function(x: Any, scales: Any, table: Any) -> Any:
        for a, (b, c) in ((1, (2, 3)), (4, (5, 6))):
            x = x * a + b - c
        for scale in scales:
            x = x * scale
        for name in table:
            x = x + len(name)
        for name, value in table.items():
            x = x + value * len(name)
        for value in table.values():
            x = x - value
        return x, list(table.keys()), "w" in table.keys()

    compiled(function, X, [1.0, 2.0], {"w": Y, "bias": 3.0})


def test_for_over_enumerate_zip_and_reversed() -> None:
    def function(x: Any, y: Any) -> Any:
        for k, v in enumerate((2.0, 3.0), 5):
            x = x + k * v
        for a, b in zip([1, 2, 3], reversed([4, 5, 6]), strict=True):
            x = x * a - b
        for k, (a, b) in enumerate(zip("ab", range(9), strict=False)):
            x = x + len(a) + b + k
        for row in y:
            x = x + row
        for row in reversed(y):
            x = x * row
        return x

    compiled(function, X, np.arange(8.0).reshape(2, 4))


def test_a_loop_sees_the_list_change_under_it() -> None:
    def function(x: Any) -> Any:
        queue, seen = [x], 0
        for each in queue:
            seen += 1
            if len(queue) < 4:
                queue.append(each * 2)
        for _ in enumerate(queue):
            if len(queue) > 2:
                queue.pop()
                seen += 10
        return queue, seen

    compiled(function, X)


def test_a_loop_over_elements_sees_writes_into_the_array() -> None:
    def function(x: Any) -> Any:
        total = 0.0
        for each in x:
            x[-1] = 7.0
            total = total + each
        return total

    compiled(function, X)


def test_map_runs_when_it_is_asked() -> None:
    def function(x: Any) -> Any:
        later = map(lambda each: each * 1.0, [x])
        x += 1
        return list(later)

    compiled(function, X)


def test_iterators_are_shared_and_consumed() -> None:
    def function(x: Any) -> Any:
        steps = iter([1, 2, 3, 4, 5])
        for a, b in zip(steps, steps, strict=False):
            x = x + a * b
        rest = list(steps)
        numbers = iter((1, 0, 3, 4))
        all(numbers)
        again = enumerate([7, 8])
        first = next(again)
        return x, rest, list(numbers), first, list(again), next(again, None)

    compiled(function, X)


def test_a_dict_that_grows_in_its_loop_raises_as_in_python() -> None:
    def function(x: Any) -> Any:
        table = {"a": x}
        for key in table:
            table[key + "b"] = x * 2
        return table

    plain(function, X, code="B304")


def test_views_of_dicts_follow_the_dict() -> None:
    def function(x: Any) -> Any:
        table = {"a": x}
        values, items = table.values(), table.items()
        table["b"] = x * 2
        return list(values), list(items), len(values)

    compiled(function, X)


def test_while_on_known_values() -> None:
    def function(x: Any, n: int) -> Any:
        k = 0
        while k < n:
            k += 1
            if k == 2:
                continue
            if k == 5:
                break
            x = x + k
        else:
            x = x * 100
        return x, k

    compiled(function, X, 3)
    compiled(function, X, 9)
    compiled(function, X, 0)


def test_break_continue_and_else_in_nested_loops() -> None:
    def function(x: Any, n: int) -> Any:
        for a in range(n):
            for b in range(n):
                if b > a:
                    break
                if b == 1:
                    continue
                x = x + a * b + 1
            else:
                x = x * 2
            while True:
                x = x - 1
                break
        else:
            x = x + 1000
        return x

    compiled(function, X, 3)
    compiled(function, X, 1)


def test_comprehensions() -> None:
    def function(x: Any, n: int) -> Any:
        y = 5
        listed = [x * k for k in range(n)]
        odd = [x + k for k in range(n) if k % 2 if k]
        nested = [[a * b for b in range(a)] for a in range(n)]
        pairs = [(a, b) for a in range(n) for b in range(a)]
        table = {f"k{k}": x - k for k in range(n)}
        y = y + sum([y for y in range(3)])
        shadow = [y for y in [y]]
        return listed, odd, nested, pairs, table, y, shadow, [k for k in {"a": 1}]

    compiled(function, X, 3)


def test_comprehensions_whose_closures_share_a_variable() -> None:
    def function(x: Any) -> Any:
        k = 10
        makers = [lambda: k for k in range(3)]
        return [x + maker() for maker in makers], k

    compiled(function, X)


def test_a_comprehension_reads_the_enclosing_cell() -> None:
    def function(x: Any, scale: float) -> Any:
        def inner(y: Any) -> Any:
            return [y * scale * k for k in (1, 2)]

        return inner(x)

    compiled(function, X, 2.0)


def test_coroutines_break() -> None:
    async def coroutine(x: Any) -> Any:
        return x

    plain(lambda x: (x + 1, coroutine(x).close()), X, code="B204")


def test_a_loop_that_is_too_long_breaks() -> None:
    def function(x: Any, n: int) -> Any:
        for k in [0.5] * n:  # no range: that would be a native loop
            x = x + k
        return x

    plain(function, X, 65, code="B303")
    plain(lambda x: [x * k for k, _ in enumerate(iter(range(100)))], X, code="B303")
    with gl.config.patch(unroll_limit=70):
        compiled(function, X, 65)


def test_a_while_loop_that_never_ends_breaks() -> None:
    def function(x: Any, n: int) -> Any:
        k = n
        while k < 10_000:
            k = k + 1
        return x + k

    with gl.config.patch(trace_limit=500):
        plain(function, X, 0, code="B305")


# Exceptions.
def test_a_handler_for_what_a_lookup_raises() -> None:
    def function(x: Any, table: Any) -> Any:
        try:
            x = x + table["a"]
        except KeyError as error:
            x = x - len(error.args)
        else:
            x = x * 2
        finally:
            x = x + 1
        return x

    compiled(function, X, {"a": 2.0})
    compiled(function, X, {"b": 2.0})


def test_return_and_loops_inside_try() -> None:
    def function(x: Any, n: int) -> Any:
        for k in range(n):
            try:
                if k == 2:
                    continue
                if k == 3:
                    return x
                x = x + k
            finally:
                x = x * 2
        return x - 1

    compiled(function, X, 3)
    compiled(function, X, 5)


def test_an_exception_in_a_callee_reaches_the_callers_handler() -> None:
    def inner(table: Any) -> Any:
        return table["missing"]

    def function(x: Any, table: Any) -> Any:
        try:
            return x + inner(table)
        except KeyError:
            return x - 1

    compiled(function, X, {"a": 1.0})


def test_raising_is_left_to_python() -> None:
    def function(x: Any, n: int) -> Any:
        if n < 0:
            raise ValueError(f"n is {n}")
        if n == 0:
            raise KeyError
        return x + n

    compiled(function, X, 2)
    plain(function, X, -1, code="B304")
    plain(function, X, 0, code="B304")
    jitted = gl.jit(fullgraph=True)(function)
    with pytest.raises(ValueError, match="n is -3"):
        jitted(X, -3)
    assert not state_of(jitted).entries


def test_assertions_on_known_conditions() -> None:
    compiled(asserting, X, 2)
    plain(asserting, X, -2, code="B304")


def test_match_statements_are_plain_or_right() -> None:
    def function(x: Any, mode: Any) -> Any:
        match mode:
            case "double":
                return x * 2
            case 3 | None:
                return x * 3
            case _:
                return x - 1

    compiled(function, X, "double")
    compiled(function, X, 3)
    compiled(function, X, None)
    compiled(function, X, "other")


def test_del_of_names_and_items() -> None:
    def function(x: Any) -> Any:
        y = x + 1
        parts, table = [x, y, 3], {"a": x, "b": y}
        del x, parts[2], table["a"]

        def inner() -> Any:
            return y

        z = inner()
        del y
        return parts, table, z

    compiled(function, X)


def test_a_deleted_name_is_unbound() -> None:
    def function(x: Any) -> Any:
        y = x + 1
        del y
        return y

    plain(function, X, code="B304")


def test_a_name_bound_on_one_path_only() -> None:
    def function(x: Any, n: int) -> Any:
        if n:
            y = x + 1
        return y  # noqa: F821

    compiled(function, X, 1)
    plain(function, X, 0, code="B304")


def test_annotated_locals() -> None:
    def function(x: Any) -> Any:
        y: np.ndarray = x + 1
        z: int
        z = 3
        return y * z

    compiled(function, X)


def test_very_long_functions() -> None:
    lines = "\n".join(f"    v{k} = v{k - 1} + {k}" for k in range(1, 400))
    namespace: dict[str, Any] = {}
    exec(
        f"def function(x, n):\n    v0 = x\n{lines}\n    if n > 3:\n        v399 = v399 * 2\n    return v399, v17, n",
        namespace,
    )
    compiled(namespace["function"], X, 5, calls=2)


@pytest.mark.parametrize("count", [12, 14, 15, 16, 17, 20, 40])
def test_functions_of_many_arguments_and_locals(count: int) -> None:
    names = [f"a{k}" for k in range(count)]
    swaps = "\n".join(f"    b{k}, c{k} = a{k}, a{count - 1 - k}" for k in range(count))
    total = " + ".join(f"b{k} * c{k}" for k in range(count))
    namespace: dict[str, Any] = {}
    exec(f"def function({', '.join(names)}):\n{swaps}\n    return {total}, b{count - 1}", namespace)
    compiled(namespace["function"], X, *(float(k) for k in range(count - 1)))


def test_the_body_still_runs_plainly_with_many_locals() -> None:
    names = ", ".join(f"a{k}" for k in range(18))
    namespace: dict[str, Any] = {}
    body = "    b0, b1 = a0, a17\n    if b1 > 0:\n        b0 = b0 + a16\n    return list(map(str, [b0, b1, a15]))"
    exec(f"def function({names}):\n{body}", namespace)
    plain(namespace["function"], X, *range(17), code="B102")
