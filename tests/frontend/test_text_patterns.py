"""Regular expressions over known texts inside a jitted function; plain Python is the oracle."""

from __future__ import annotations

import re
from typing import Any

import pytest
from frontend.language import X, compiled, plain

import guardlift as gl

pytestmark = pytest.mark.spec("S8.03")

WORD = re.compile(r"(\w)(\w+)")


def test_patterns_of_constant_texts() -> None:
    def function(x: Any, text: str) -> Any:
        found = re.search("b+", text)
        first = WORD.match(text)
        told = [found is None, bool(first), WORD.findall(text), WORD.pattern, re.compile("a").fullmatch(text) is None]
        if first:
            told += [first.group(), first.group(1, 2), first.groups(), first.span(2), first.start(), first.string]
        if found:
            told.append(found.end())
        return x + 1, told, re.findall(b"[0-9]", b"a1b2")

    for text in ("abbc", "", "a", "abbc"):
        compiled(function, X, text)


def test_a_pattern_that_is_another_one_at_the_next_call() -> None:
    def function(x: Any, pattern: Any) -> Any:
        return x + 1, pattern.search("abc") is None, pattern

    for pattern in (WORD, re.compile("z"), WORD):
        compiled(function, X, pattern)


def test_patterns_that_re_complains_about_are_left_to_python() -> None:
    def wrong(x: Any) -> Any:
        return x + 1, re.compile("(")

    def function(x: Any) -> Any:
        try:
            wrong(x)
        except re.error as error:
            return x + 1, str(error), error.pos
        return x

    @gl.jit
    def warned(x: Any) -> Any:
        return x + 1, re.compile("[[a]b").pattern

    plain(function, X, code="B307")
    with pytest.warns(FutureWarning):
        warned(X)


def test_a_match_is_a_new_object_at_each_call() -> None:
    def function(x: Any) -> Any:
        return x + 1, re.match("a", "a")

    made = [each[1] for each in map(gl.jit(function), (X, X))]
    assert made[0] is not made[1]
