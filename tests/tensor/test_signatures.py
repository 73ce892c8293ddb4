"""Public functions are called as PyTorch's of that name are: parameters, their order, their defaults."""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import guardlift as gl

DATA = Path(__file__).parent / "signatures"
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
NOWHERE = frozenset({"layout", "pin_memory", "memory_format", "out_dtype", "from_", "to", "masked_grad"})
"""Parameters that functions get when they are registered (see test_python_types.py); and some that stubs misname."""


def table() -> dict[str, list[ast.arguments]]:
    """PyTorch's ways to call each function, by our name of it."""
    found = defaultdict(list)
    for line in (DATA / "signatures.txt").read_text().splitlines()[1:]:
        path, _, rest = line.partition("(")
        function = ast.parse(f"def f({rest[:-1]}): pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        found[path].append(function.args)
    return found


def known() -> dict[str, str]:
    """The functions that differ, each with what differs and why."""
    lines = (DATA / "differences.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def own_parameters(path: str) -> dict[str, inspect.Parameter]:
    """The parameters of a function of ours, those of a method without the object."""
    function: Any = gl
    for name in path.split(".")[1:]:
        function = getattr(function, name)
    parameters = dict(inspect.signature(function).parameters)
    if path.startswith(("gl.Tensor.", "gl.nn.Module.", "gl.optim.Optimizer.")):
        parameters.pop(next(iter(parameters)))
    return parameters


def differences(path: str, wanted: ast.arguments) -> list[str]:
    """The ways to call PyTorch's function that ours does not take."""
    own = own_parameters(path)
    by_name = {name for name, each in own.items() if each.kind in BY_NAME}
    in_order = [name for name, each in own.items() if each.kind in POSITIONAL]
    kinds = {each.kind for each in own.values()}
    listed = [each.arg for each in (*wanted.posonlyargs, *wanted.args)]
    named = [each.arg for each in (*wanted.args, *wanted.kwonlyargs)]
    found = [
        f"no keyword {name}"
        for name in named
        if name not in by_name | NOWHERE and inspect.Parameter.VAR_KEYWORD not in kinds
    ]
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        for place, name in enumerate(listed):
            if name not in NOWHERE and in_order[place : place + 1] != [name]:
                found.append(f"argument {place} is not {name}")
        if wanted.vararg:
            found.append("takes no list of arguments")
    required = {name for name, each in own.items() if each.kind in BY_NAME and each.default is each.empty}
    without = len(listed) - len(wanted.defaults)
    given = set(listed[:without]) | {
        each.arg for each, default in zip(wanted.kwonlyargs, wanted.kw_defaults) if default is None
    }
    found += [f"requires {name}" for name in sorted(required - given)]
    return found + _defaults(wanted, own)


def _defaults(wanted: ast.arguments, own: dict[str, inspect.Parameter]) -> list[str]:
    positional = [*wanted.posonlyargs, *wanted.args]
    pairs = [*zip(positional[len(positional) - len(wanted.defaults) :], wanted.defaults)]
    pairs += [(each, default) for each, default in zip(wanted.kwonlyargs, wanted.kw_defaults) if default is not None]
    found = []
    for each, default in pairs:
        mine = own.get(each.arg)
        if mine is None or mine.default is mine.empty or each.arg in NOWHERE:
            continue
        try:
            same = bool(ast.literal_eval(default) == mine.default)
        except ValueError:
            same = False
        if not same:
            found.append(f"{each.arg} is {mine.default!r} by default and not {ast.unparse(default)}")
    return found


@pytest.mark.parametrize("place", sorted({path.rpartition(".")[0] for path in table()}))
def test_a_function_is_called_as_in_pytorch_or_its_difference_is_known(place: str) -> None:
    expected = known()
    unknown = {}
    agreeing = []
    for path, ways in table().items():
        if path.rpartition(".")[0] != place:
            continue
        found = sorted({each for way in ways for each in differences(path, way)})
        if found == ["no keyword out"]:
            continue  # which functions take one, `tensor/out.py` says
        found = [each for each in found if each != "no keyword out"]
        if found and path not in expected:
            unknown[path] = found
        if not found and path in expected:
            agreeing.append(path)
    assert not unknown
    assert not agreeing, "these differ no longer: take them out of differences.txt"
