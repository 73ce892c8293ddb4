"""Finding the user's line behind code of ours."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest

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


def test_the_lines_that_made_a_call_end_where_the_users_files_end() -> None:
    from concurrent.futures import ThreadPoolExecutor

    @gl.jit
    def double(x):  # type: ignore[no-untyped-def]
        return x * 2.0

    def helper(x: object) -> None:
        double(x)

    line = here() + 1
    helper(np.ones(3))
    list(map(double, [np.ones(3, np.float32)]))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(helper, np.ones(3, np.int8)).result()
    nested, mapped, in_thread = (event.called_from for event in gl.explain(double).events)
    assert [each[:2] for each in nested] == [(__file__, line - 3), (__file__, line)]
    assert nested[0][2] == "double(x)"
    assert [each[:2] for each in mapped] == [(__file__, line + 1)]
    assert [each[:2] for each in in_thread] == [(__file__, line - 3)]  # no line of concurrent.futures


def test_code_of_the_standard_library_and_of_installed_packages_is_not_the_users() -> None:
    assert user_line.is_users_file(__file__) and user_line.is_users_file("<ipython-input-3>")
    for file in ("<frozen runpy>", json.__file__, pytest.__file__):
        assert not user_line.is_users_file(file)
