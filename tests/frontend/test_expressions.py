"""Some hundred expressions and small programs, run plainly and jitted with `trace_without_arrays`: nothing may differ.

They are in expressions.txt and programs.txt, for corners: 1, True and 1.0 as keys, signed zeros, NaN in containers,
subclasses of built-in types, reflected operators, wrong arguments, results that are made anew or are the same object.
"""

from __future__ import annotations

import collections
import functools
import itertools
import math
import operator
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import guardlift as gl
from guardlift.frontend import state_of

_KNOWN, _PAIRS = (Path(__file__).with_name("expressions.txt").read_text(encoding="utf-8")).split("# of a and b\n")
KNOWN = [line for line in _KNOWN.splitlines() if not line.startswith("#")]
PAIRS = _PAIRS.splitlines()
_, _PROGRAMS = Path(__file__).with_name("programs.txt").read_text(encoding="utf-8").split("\n", 1)
PROGRAMS = [text.strip("\n") for text in _PROGRAMS.split("\n---\n")]
SLICES = 4
"""The expressions are run in so many tests each, so that a failure is found quickly again."""
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")


class P:
    pass


class A:
    x = 1

    def __init__(self) -> None:
        self.y = 2

    def m(self, k: Any = 1) -> Any:
        return self.y + k


class A2(A):
    x = 3


class Eq:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


class I(int):  # noqa: E742
    pass


class S(str):
    pass


class L(list):  # type: ignore[type-arg]
    pass


class Idx:
    def __index__(self) -> int:
        return 1


class B:
    def __bool__(self) -> bool:
        return False


class Q:
    def __call__(self) -> int:
        return 3


class Ln:
    def __len__(self) -> int:
        return 0


class R:
    def __radd__(self, other: Any) -> str:
        return "radd"

    def __contains__(self, other: Any) -> bool:
        return True

    def __getitem__(self, place: int) -> int:
        if place > 3:
            raise IndexError
        return place


class M(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return True

    def __call__(cls, *args: Any) -> Any:
        return 5


class MC(metaclass=M):
    pass


class Pr:
    @property
    def p(self) -> int:
        return 4

    k = 7


NAMES: dict[str, Any] = {
    **{each.__name__: each for each in (collections, functools, itertools, operator)},
    **{each.__name__: each for each in (P, A, A2, Eq, I, S, L, Idx, B, Q, Ln, R, MC, Pr)},
    "math": math,
    "nan": math.nan,
    "other_nan": float("nan"),
    "inf": math.inf,
    "glist": [1, 2],
    "gd": {1: "a", 2: "b"},
    "gt": (1, [2]),
}
VALUES: list[Any] = [
    *(0, 1, 2, -1, True, False, 0.0, -0.0, 1.0, 2.5, -1.5, NAMES["nan"], NAMES["other_nan"], math.inf, 2**63, 10**400),
    *(None, "a", "", "ab", "1", b"a", (), (1,), (1, 2), [], [1], [1, 2], [math.nan], {}, {1: 2}, {"a": 1}, {True: 1}),
    *(range(3), A(), A2(), len, P, int, lambda v=1: v, 1j, I(1), S("a"), L([1]), Eq()),
]
Outcome = tuple[Any, ...]


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    with gl.config.patch(trace_without_arrays=True, recompile_limit=1000):
        yield


def outcome(function: Callable[..., Any], *args: Any) -> Outcome:
    """The outcome of a call: its result, or its error's type and text; and what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message=".* runs as plain Python")
        try:
            result: Outcome = "gives", function(*args)
        except Exception as error:
            result = "raises", type(error), str(error)
    return *result, [(each.category, str(each.message), each.filename) for each in caught]


def alike(one: Any, two: Any) -> bool:
    """Whether two results are of one type and equal throughout; NaNs are, signed zeros are not."""
    if type(one) is not type(two):
        return False
    if isinstance(one, (float, complex)):
        return repr(one) == repr(two)
    if type(one) in (list, tuple):
        return len(one) == len(two) and all(map(alike, one, two))
    if type(one) is dict:
        return alike(list(one.items()), list(two.items()))
    if one is two or type(one).__eq__ is object.__eq__:
        return True
    return bool(one == two)


def shared(one: Any, two: Any) -> list[bool]:
    """Whether two results are the same mutable object, and so for their elements."""
    if type(one) not in (list, dict, tuple) or type(two) is not type(one) or len(one) != len(two):
        return []
    parts = [one.values(), two.values()] if type(one) is dict else [one, two]
    return [one is two and type(one) is not tuple, *(same for pair in zip(*parts) for same in shared(*pair))]


def difference(plain: list[Outcome], jitted: list[Outcome]) -> str:
    """The differences between two lists of outcomes, in words; empty when there are none."""
    for call, (one, two) in enumerate(zip(plain, jitted), 1):
        if one[0] != two[0] or not alike(one[1:], two[1:]):
            return f"call {call}: {one!r:.200} plainly, {two!r:.200} jitted"
    if plain[0][0] == "gives" and shared(plain[0][1], plain[-1][1]) != shared(jitted[0][1], jitted[-1][1]):
        return "the calls share objects that they do not share in Python, or the other way round"
    return ""


@pytest.mark.parametrize("part", range(SLICES))
def test_expressions_of_known_values(part: int) -> None:
    wrong, entries = [], 0
    for text in KNOWN[part::SLICES]:
        function = eval(f"lambda: {text}", NAMES)
        jitted = gl.jit(function)
        found = difference(*([outcome(each) for _ in range(2)] for each in (function, jitted)))
        wrong += [f"{text}: {found}"] if found else []
        entries += compiled(jitted)
    assert not wrong, "\n".join(wrong)
    assert entries > 50, "most are traced, or nothing was shown"


@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.slow
def test_expressions_of_arguments_that_change_from_call_to_call(part: int) -> None:
    chance, wrong, entries = random.Random(part), [], 0
    for text in PAIRS[part::SLICES]:
        function = eval(f"lambda a, b: {text}", NAMES)
        jitted = gl.jit(function)
        some = chance.sample(VALUES, 5)
        rows = [(chance.choice(some), chance.choice(some)) for _ in range(6)]
        for a, b in filter(is_small, rows):
            found = difference([outcome(function, a, b)], [outcome(jitted, a, b)])
            wrong += [f"{text} of {a!r:.50} and {b!r:.50}: {found}"] if found else []
        entries += compiled(jitted)
    assert not wrong, "\n".join(wrong)
    assert entries > 20, "many are traced, or nothing was shown"


@pytest.mark.parametrize("part", range(SLICES))
def test_small_programs(part: int) -> None:
    wrong = []
    for text in PROGRAMS[part::SLICES]:
        body = "".join(f"    {line}\n" for line in text.splitlines())
        scope = dict(NAMES)
        exec(f"def program():\n{body}", scope)
        jitted = gl.jit(scope["program"])
        found = difference(*([outcome(each) for _ in range(2)] for each in (scope["program"], jitted)))
        wrong += [f"{text}\n  {found}"] if found else []
    assert not wrong, "\n".join(wrong)


def compiled(jitted: Any) -> int:
    """The number of entries of a function that are not plain."""
    state = state_of(jitted)
    return 0 if state is None else sum(not entry.plain for entry in state.entries)


def is_small(row: tuple[Any, Any]) -> bool:
    """Whether no power, shift, repetition or range of these values fills the memory."""
    return sum(isinstance(each, int) and abs(each) > 2**20 for each in row) == 0 or not any(
        isinstance(each, (int, str, bytes, list, tuple)) and not isinstance(each, bool) for each in row
    )
