"""Regular expressions over known texts in a traced function."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import under

import guardlift as gl

WORDS = re.compile(r"(?P<first>\w)(\w*)")
SEARCH, JOIN = WORDS.search, ", ".join
PAIR = re.compile(r"(\w)(\w+)")
LOCAL = re.compile(rb"\w", re.LOCALE)


def same(function: Callable[..., Any], *args: Any) -> None:
    """`function` compiles, and what it returns prints as in Python."""
    compiled(lambda x, *rest: (x + 1, function(*rest)), X, *args)


def test_methods_of_patterns() -> None:
    def function(text: str) -> Any:
        found = WORDS.match(text)
        missing = WORDS.fullmatch(text)
        assert found is not None and missing is None
        return (
            found.group(), found.group(1, 2), found["first"], found.groups(), found.groupdict(), found.span(2),
            found.start(), found.end("first"), found.string, found.pos, found.lastindex, found.lastgroup,
            found.expand(r"<\1\2>"), found.re.pattern, WORDS.groups, WORDS.flags, bool(found),
            WORDS.split(text), WORDS.split(text, maxsplit=1), WORDS.findall(text), WORDS.sub("-", text, count=1),
            WORDS.subn(r"\2\1", text), [each.span() for each in WORDS.finditer(text)], WORDS.search(text, 2) is None,
        )  # fmt: skip

    same(function, "ab cd,e")


def test_a_method_of_a_pattern_from_outside() -> None:
    same(lambda text: (SEARCH(text) is None, JOIN([text, "x"])), "zz")


def test_functions_of_the_module() -> None:
    def function(text: str) -> Any:
        return (
            bool(re.match("a", text)), re.fullmatch("A.*", text, re.IGNORECASE) is not None, re.findall(r"\w", text),
            re.split(",", text, maxsplit=1), re.sub("a", "b", text, count=1), re.subn("c", "d", text, flags=re.I),
            [each.group() for each in re.finditer("[a-c]", text)], re.search("zz", text), re.compile("a").sub("", text),
        )  # fmt: skip

    same(function, "ab c,a,C")


def test_a_replacement_may_be_a_function_of_the_program() -> None:
    def function(text: str, times: int) -> Any:
        seen = []

        def longer(match: Any) -> str:
            seen.append(match.start())
            return str(match.group()) * times

        return WORDS.sub(longer, text), seen

    same(function, "ab c", 2)


def test_a_match_is_another_object_each_time() -> None:
    @gl.jit
    def function(x: Any, text: str) -> Any:
        found = WORDS.match(text)
        return x + 1, found, found

    with under("reference"):
        (_, one, again), (_, other, _) = function(X, "abc"), function(X, "abc")
    assert one is again and one is not other
    assert one.span() == other.span() == (0, 3) and one.re is WORDS


def test_another_pattern_is_another_entry() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any, pattern: re.Pattern[str]) -> Any:
        return x + 1, pattern.findall("a1b2")

    with under("reference"):
        for each in (r"\d", r"[a-z]", r"\d"):
            assert function(X, re.compile(each))[1] == re.findall(each, "a1b2")


@pytest.mark.parametrize("pattern", ["[[a]", "[a&&b]", "[a||b]"])
def test_a_pattern_that_warns_is_pythons(pattern: str) -> None:
    def function(x: Any) -> Any:
        return x + 1, re.compile(pattern).pattern

    def warned(function: Callable[..., Any]) -> list[tuple[str, str]]:
        re.purge()
        with warnings.catch_warnings(record=True, action="always") as seen:
            function(X), function(X)
        return [(str(each.message), each.filename) for each in seen if each.category is FutureWarning]

    with under("reference"):
        assert warned(gl.jit(function)) == warned(function) != []
    plain(function, X, code="B201")


def test_what_breaks_the_graph() -> None:
    plain(lambda x: (x + 1, LOCAL.sub(b"", b"ab")), X, code="B201")
    plain(lambda x, words: (x + 1, WORDS.sub("", words)), X, Text("ab"), code="B401")


class Text(str):
    """A text of a user's class."""

    __slots__ = ()


def test_errors_are_pythons() -> None:
    @gl.jit
    def function(x: Any, name: str) -> Any:
        return x + 1, re.match("(a)", "a").group(name)  # type: ignore[union-attr]

    with under("reference"):
        for _ in range(2):
            with pytest.raises(IndexError, match="no such group"):
                function(X, "b")


def test_patterns_of_constant_texts() -> None:
    def function(x: Any, text: str) -> Any:
        found = re.search("b+", text)
        first = PAIR.match(text)
        told = [found is None, bool(first), PAIR.findall(text), PAIR.pattern, re.compile("a").fullmatch(text) is None]
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

    for pattern in (PAIR, re.compile("z"), PAIR):
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
