"""`gl.wrap`: the mark on functions that are opaque in hooks."""

from __future__ import annotations

from typing import Any

import pytest

import guardlift as gl
from guardlift.autograd.opaque import hash_of, is_opaque


def test_the_function_comes_back_and_bears_the_mark() -> None:
    def plain(x: int) -> int:
        return x + 1

    assert not is_opaque(plain)
    assert gl.wrap(plain) is plain
    assert is_opaque(plain) and hash_of(plain) is None and plain(1) == 2


def test_it_is_a_decorator_with_and_without_a_hash() -> None:
    @gl.wrap
    def one() -> int:
        return 1

    @gl.wrap(user_cache_hash="v1")
    def two() -> int:
        return 2

    assert (one(), two(), hash_of(one), hash_of(two)) == (1, 2, None, "v1")


def test_the_last_mark_counts() -> None:
    function = gl.wrap(lambda: 1, "first")
    gl.wrap(function, user_cache_hash="second")
    assert hash_of(function) == "second"
    gl.wrap(function)
    assert is_opaque(function) and hash_of(function) is None


@pytest.mark.parametrize("given", [len, int, 3, "name"])
def test_only_plain_functions_take_it(given: Any) -> None:
    with pytest.raises(TypeError, match=r"wrap\(\) takes a function made by def or lambda, got "):
        gl.wrap(given)


def test_a_hash_is_text() -> None:
    with pytest.raises(TypeError, match="takes a str as user_cache_hash, got int; use its repr"):
        gl.wrap(lambda: 1, 3)  # type: ignore[call-overload]
