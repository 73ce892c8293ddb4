"""Iterators over dicts, forwards and backwards, while keys come and go: what CPython gives next, or raises."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift.frontend import state_of

VIEWS = ("d", "d.keys()", "d.values()", "d.items()")
STARTS = ("dict.fromkeys(range(6))", "{0: 1, 1: 2, 2: 3}", "{}", "dict(a=1, b=2)", "{k: k for k in range(9)}")
CHANGES = (
    "d.clear()",
    "if d: d.popitem()",
    "d.pop({}, 0)",
    "d[{}] = 0",
    "d.update(dict.fromkeys(range({})))",
    "d.setdefault({}, 1)",
)
STEP = """
def step(it, seen):
    try:
        seen.append(next(it))
    except (StopIteration, RuntimeError) as error:
        seen.append(repr(error))
"""
REFILLED = """
d = dict.fromkeys(range(10))
for i in range(7):
    del d[i]
it = {}
step(it, seen)
d.clear()
d.update(dict.fromkeys(range(10)))
for i in range(3, 10):
    del d[i]
step(it, seen)
step(it, seen)
"""


def function_of(text: str) -> Callable[[], Any]:
    """A function of these lines that returns what its calls of `step` have put into `seen`, and the dict `d`."""
    scope: dict[str, Any] = {}
    body = "".join(f"    {line}\n" for line in ["seen = []", *text.splitlines(), "return seen, d"])
    exec(f"{STEP}\ndef f():\n{body}", scope)
    function: Callable[[], Any] = scope["f"]
    return function


def breaks_of(text: str) -> set[str]:
    """The codes of the graph breaks of a function of these lines, which gives what Python gives."""
    function = function_of(text)
    jitted = gl.jit(function)
    with gl.config.patch(trace_without_arrays=True, raise_internal_errors=True):
        results = [repr(jitted()) for _ in range(2)]
    assert results == [repr(function())] * 2, text
    state = state_of(jitted)
    assert state is not None
    return {event.break_code for event in state.history if event.kind == "break"}


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("start", ["iter", "reversed"])
def test_a_dict_that_is_cleared_and_filled_again(start: str, view: str) -> None:
    """Backwards, CPython 3.14 raises that the keys changed, and the versions before go on."""
    assert breaks_of(REFILLED.replace("{}", f"{start}({view})")) == {"B324"}


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
@pytest.mark.slow
def test_random_changes() -> None:
    met: set[str] = set()
    for number in range(120):
        chance = random.Random(number)

        def change(chance: random.Random = chance) -> str:
            return chance.choice(CHANGES).format(chance.randrange(9))

        before = [change() for _ in range(chance.randrange(5))]
        between = [chance.choice(["step(it, seen)", change()]) for _ in range(chance.randrange(2, 8))]
        iterator = f"it = {chance.choice(['iter', 'reversed'])}({chance.choice(VIEWS)})"
        met |= breaks_of("\n".join([f"d = {chance.choice(STARTS)}", *before, iterator, *between, "step(it, seen)"]))
    assert met == {"B324"}
