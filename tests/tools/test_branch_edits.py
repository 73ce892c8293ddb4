"""Edits of branches: `np.where` stands where it does what the branch did, and nowhere else."""

from __future__ import annotations

import ast
import linecache
from pathlib import Path

import pytest

from guardlift.tools.branch_edits import chosen_by_where
from guardlift.tools.edits import applied, edits_of, source_file

HEAD = "import numpy as np\n"


def edited(tmp_path: Path, text: str) -> str:
    """The text with the edit of its branch; empty where there is none."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + text)
    linecache.checkcache()
    file = source_file(str(path))
    assert file is not None
    nodes = [each for each in ast.walk(file.tree) if isinstance(each, (ast.expr, ast.stmt))]
    edits = edits_of(chosen_by_where(file, nodes))
    return applied(HEAD + text, edits).removeprefix(HEAD) if edits else ""


@pytest.mark.parametrize(("branch", "call"), [
    ("x * 2.0 if x.sum() > 3 else x * 3.0", "np.where(x.sum() > 3, x * 2.0, x * 3.0)"),
    ("x / x.sum() if x.sum() else x", "np.where(x.sum(), x / x.sum(), x)"),
    ("x / 2 if np.any(x > 1) else x - x.mean()", "np.where(np.any(x > 1), x / 2, x - x.mean())"),
    ("np.exp(x) if x.sum() < 1 else -x ** 2", "np.where(x.sum() < 1, np.exp(x), -x ** 2)"),
    ("x + y if x.sum() < 1 else np.maximum(y, x)", "np.where(x.sum() < 1, x + y, np.maximum(y, x))"),
    ("x > 1 if x.sum() < 1 else x < 0.5", "np.where(x.sum() < 1, x > 1, x < 0.5)"),
    ("x + 1 if flag else x * 2", "np.where(flag, x + 1, x * 2)"),
])  # fmt: skip
def test_two_results_of_one_shape_are_chosen_between(tmp_path: Path, branch: str, call: str) -> None:
    assert edited(tmp_path, f"def f(x, y, flag):\n    return {branch}\n") == f"def f(x, y, flag):\n    return {call}\n"


@pytest.mark.parametrize("branch", [
    "x if x.sum() > 3 else 0.0",  # the one is an array, the other a number
    "x.sum() if x.sum() > 3 else x",
    "x.sum() if x.sum() > 3 else x.mean()",  # numbers would become arrays without axes
    "1.0 if x.sum() > 3 else 2.0",
    "x if x.sum() > 3 else y",  # of another shape, perhaps
    "x * y if x.sum() > 3 else x",
    "x.sum(axis=0) + x if x.sum() > 3 else x",
    "np.matmul(x, x) if x.sum() > 3 else x",
    "x @ x if x.sum() > 3 else x",
    "x.T if x.sum() > 3 else x",
    "x[0] if x.sum() > 3 else x[1]",  # may raise in the arm that is not taken
    "x[::2] if x.sum() > 3 else x[1::2]",
    "x / n if x.sum() > 3 else x * n",
    "x ** -1 if x.sum() > 3 else x",
    "np.power(x, -1) if x.sum() > 3 else x",
    "x // 2 if x.sum() > 3 else x",
    "g(x) if x.sum() > 3 else x",  # may do anything
    "print(x) if x.sum() > 3 else x",
    "f(x - 1.0, y, n) if x.sum() > 3 else x",
    "np.exp(x, out=y) if x.sum() > 3 else x",
    "np.random.permutation(x) if x.sum() > 3 else x",
    "(z := x + 1) if x.sum() > 3 else x",
    "y * 2 if flag else y * 3",  # a list, perhaps
    "x if x.sum() > 3 and x.any() else -x",  # branches that would stay
    "x if not x.any() else -x",
    "None if x.sum() > 3 else x",
    "(x is y) if x.sum() > 3 else (x is not y)",
    "(x in y) if x.sum() > 3 else (x == y)",
    "(x < y < x) if x.sum() > 3 else (x == y)",
])  # fmt: skip
def test_where_the_arms_may_differ_in_more_than_their_values_there_is_no_edit(tmp_path: Path, branch: str) -> None:
    assert edited(tmp_path, f"def f(x, y, n, flag):\n    return {branch}\n") == ""


STATEMENT = """\
def f(x):
    # halve it
    if x.sum() > 1:
        y = x * 0.5{}
    else:
        {} = x * 1.5
    {}
    return y
"""


def test_a_statement_with_two_arms_is_one_assignment(tmp_path: Path) -> None:
    assert edited(tmp_path, STATEMENT.format("", "y", "y = y + 1")) == (
        "def f(x):\n    # halve it\n    y = np.where(x.sum() > 1, x * 0.5, x * 1.5)\n    y = y + 1\n    return y\n"
    )


@pytest.mark.parametrize(("behind", "name"), [("", "z"), ("  # a half", "y"), ("; print(x)", "y")])
def test_a_statement_that_binds_more_or_would_lose_a_comment_stays(tmp_path: Path, behind: str, name: str) -> None:
    assert edited(tmp_path, STATEMENT.format(behind, name, "pass")) == ""


@pytest.mark.parametrize(
    ("write", "edit"), [("pass", True), ("y += 1", False), ("y[0] = 1", False), ("np.exp(x, out=y)", False)]
)
def test_a_variable_is_no_arm_where_something_is_written_into(tmp_path: Path, write: str, edit: bool) -> None:
    program = f"def f(x):\n    y = x if x.sum() > 1 else -x\n    {write}\n    return y\n"
    assert bool(edited(tmp_path, program)) == edit
    assert edited(tmp_path, program.replace("x if", "+x if"))


def test_a_result_that_is_returned_early_is_chosen_with_the_one_behind(tmp_path: Path) -> None:
    program = "def f(x):\n    if x.sum() > 1:\n        return x * 2\n\n    return x - 1\n\nf(2)\n"
    assert edited(tmp_path, program) == "def f(x):\n    return np.where(x.sum() > 1, x * 2, x - 1)\n\nf(2)\n"
    assert edited(tmp_path, program.replace("return x - 1", "x = x - 1\n    return x")) == ""
    assert edited(tmp_path, program.replace("    return x - 1\n", "")) == ""


def test_an_elif_stays(tmp_path: Path) -> None:
    program = "def f(x, k):\n    if k:\n        return -x\n    elif x.sum() > 1:\n        return x * 2\n"
    program += "    else:\n        return x - 1\n"
    assert edited(tmp_path, program) == ""


@pytest.mark.parametrize(
    ("head", "name"), [("import numpy as xp\n", "xp"), ("import numpy\n", "numpy"), ("np = None\n", "")]
)
def test_the_name_of_numpy_is_that_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, name: str
) -> None:
    monkeypatch.setitem(globals(), "HEAD", head)
    found = edited(tmp_path, "def f(x):\n    return x * 2 if x.sum() > 1 else x - 1\n")
    assert (f"return {name}.where(x.sum() > 1," in found) == bool(name) == bool(found)
