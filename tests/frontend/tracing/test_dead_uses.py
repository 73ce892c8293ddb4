"""Facts that an operation relied on hold even if nothing uses its result: of another type it may raise or write.

Each expression is evaluated and dropped, in calls whose argument changes its type: an int first, then what else there
is, an object that notes every operation among them. Plain Python is the oracle.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Tolerance, check_in_turn

import guardlift as gl

NOTED: list[str] = []
_PROTOCOL = """
    bool len hash index int float str repr format eq ne lt le gt ge add radd iadd sub rsub mul rmul neg pos invert abs
    round trunc floor ceil divmod pow rpow mod truediv floordiv and or lshift contains complex iter getitem call
"""
_ANSWERS = {
    "bool": True,
    "len": 2,
    "hash": 5,
    "index": 1,
    "int": 1,
    "float": 1.5,
    "str": "s",
    "repr": "r",
    "format": "f",
}


class Noting:
    """An object that notes what is done with it."""


def _noting(name: str) -> Callable[..., Any]:
    def method(self: Any, *_: Any) -> Any:
        NOTED.append(name)
        return {**_ANSWERS, "complex": 1j, "iter": iter([1]), "contains": True}.get(name, self)

    return method


for each in _PROTOCOL.split():
    setattr(Noting, f"__{each}__", _noting(each))

OTHERS = [True, 1.5, "a", None, [1], Noting(), 2**70, math.nan, -1, np.ones(2), np.float64(2.0), 3]
EXPRESSIONS = [
    *("x + 1", "1 - x", "x * 2", "x / 2", "x // 2", "x % 2", "x ** 2", "x << 1", "x & 1", "-x", "+x", "~x", "not x"),
    *(
        "x < 3",
        "3 >= x",
        "x == 3",
        "x != 3",
        "x == 'a'",
        "x is None",
        "x in (1, 2)",
        "x in [1, 'a']",
        "(1, x) == (1, 2)",
    ),
    *(
        "bool(x)",
        "int(x)",
        "float(x)",
        "str(x)",
        "f'{x}'",
        "'%d' % x",
        "abs(x)",
        "round(x)",
        "divmod(x, 2)",
        "pow(x, 2)",
    ),
    *("max(x, 1)", "min(1, x)", "sum([x, 1])", "hash(x)", "{x: 1}", "{x}", "[1, 2].count(x)", "[1, 2][x]", "[1] * x"),
    *("range(x)", "list(range(x))", "math.floor(x)", "math.sqrt(x)", "complex(x)", "operator.index(x)", "chr(x)"),
    *(
        "len(x)",
        "iter(x)",
        "x()",
        "x[0]",
        "x.real",
        "x.missing",
        "vars(x)",
        "isinstance(x, int)",
        "x and 1",
        "1 if x else 2",
    ),
]


@pytest.fixture(autouse=True)
def _without_arrays() -> Any:
    with gl.config.patch(trace_without_arrays=True):
        yield


def _evaluated(expression: str) -> Callable[[Any], Any]:
    text = f"""
def evaluated(x):
    try:
        {expression}
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
        return type(error)
    return 0
"""
    namespace: dict[str, Any] = {"math": math, "operator": operator}
    exec(text, namespace)
    return namespace["evaluated"]  # type: ignore[no-any-return]


def _seen(function: Callable[[Any], Any], value: Any) -> tuple[Any, list[str]]:
    NOTED.clear()
    try:
        answer = function(value)
    except Exception as error:
        answer = type(error), str(error)
    return answer, list(NOTED)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.filterwarnings("ignore")
def test_an_operation_happens_though_its_result_is_dropped(expression: str) -> None:
    plain = _evaluated(expression)
    jitted = gl.jit(_evaluated(expression))
    for value in (1, *OTHERS):
        assert _seen(jitted, value) == _seen(plain, value), value


def test_a_number_in_a_cell_that_becomes_an_array_is_added_to_in_place() -> None:
    """The sum is overwritten, so nothing but the write into the array shows that it took place."""

    def plain(a: Any) -> Any:
        nonlocal shared
        half = a * 0.5
        shared += 1
        shared = half
        return half

    shared: Any = 1
    expected = [plain(np.array([1.5, -2.0])) for _ in range(3)]
    shared = 1
    jitted = gl.jit(plain)
    found = [jitted(np.array([1.5, -2.0])) for _ in range(3)]
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_numpy_scalars_leave_a_product_to_a_sequence() -> None:
    def times(number: Any) -> Any:
        try:
            return [1, 2] * number, number * (3,)
        except TypeError as error:
            return str(error)

    rows = [(number,) for number in (np.int64(2), np.float64(2.0), np.bool_(True), np.array(2.0))]
    check_in_turn(times, rows, Tolerance())


def test_index_of_numbers() -> None:
    def index(value: Any) -> Any:
        try:
            return operator.index(value), operator.index(True)
        except TypeError as error:
            return str(error)

    check_in_turn(index, [(value,) for value in (3, True, 2.5, -1, 2**70, 3)], Tolerance())


class Sized:
    """An object that is asked how long the list of its items will be, or what else its `answer` makes of that."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __iter__(self) -> Any:
        NOTED.append("iter")
        return iter([3, 1, 2])

    def __len__(self) -> int:
        NOTED.append("len")
        return self.answer()  # type: ignore[no-any-return]


class Hinted(Sized):
    """A length by `__length_hint__`."""

    def __len__(self) -> int:
        raise TypeError("no length")

    def __length_hint__(self) -> Any:
        NOTED.append("hint")
        return self.answer()


def test_a_new_list_asks_how_long_it_will_be() -> None:
    def lists(x: Any) -> Any:
        try:
            return (
                list(x),
                tuple(x),
                [*x],
                (0, *x),
                sorted(x),
                [0].extend(x),
                max(*x),
                [0] + [each for each in x if each],
                set(x),
            )
        except (ValueError, TypeError, KeyError) as error:
            return type(error), str(error)

    def bad() -> int:
        raise KeyError("mine")

    jitted = gl.jit(lists)
    answers: list[Callable[[], Any]] = [lambda: 3, lambda: 9, lambda: -1, bad]
    values = [kind(answer) for kind in (Sized, Hinted) for answer in answers]
    with gl.config.patch(recompile_limit=20):
        for value in [*values, Hinted(lambda: NotImplemented), *values]:
            assert _seen(jitted, value) == _seen(lists, value)
