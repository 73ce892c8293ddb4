"""Finding the user's line behind code of ours."""

from __future__ import annotations

import inspect

import guardlift as gl
from guardlift.core import user_line


def here() -> int:
    return inspect.currentframe().f_back.f_lineno  # type: ignore[union-attr]


def test_a_direct_call_is_the_line_of_the_caller_and_enters_nothing_of_ours() -> None:
    line = here() + 1
    assert user_line.user_line() == (__file__, line)
    frame, entered = user_line.user_frame()
    assert frame is inspect.currentframe() and entered is None


def test_behind_a_public_function_it_is_the_line_that_called_that() -> None:
    seen = []
    x = gl.ones(1, requires_grad=True)
    x.register_hook(lambda g: seen.append(user_line.user_line()))
    x.sum().backward()
    assert seen[0][0] == __file__  # the hook is the user's own code


def test_a_line_is_shown_with_its_text_where_there_is_one() -> None:
    line = here()
    assert user_line.described(__file__, line) == f"{__file__}:{line}: line = here()"
    assert user_line.described("<string>", 3) == "<string>:3"
