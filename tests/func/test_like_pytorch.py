import inspect
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from func.figures.programs import ERRORS, VALUES, arrays

import guardlift as gl

FIGURES = Path(__file__).parent / "figures"
KNOWN = {name: json.loads((FIGURES / f"{name}.json").read_text("utf-8")) for name in ("values", "errors")}
NOT_IN_A_GRAPH = {"grad through no_grad"}
"""Programs that a jitted function runs plainly."""


def under_no_grad(function):
    with gl.no_grad():
        return function()


def written(x):
    x[0] = x[1] + x[2]
    x[1:] *= 2
    return x.add_(1).sin()


def program_of(text):
    names = {"gl": gl, "F": gl.func, "nn": gl.nn, "under_no_grad": under_no_grad, "written": written}
    program = eval(text, names)
    given = {name: gl.tensor(each) for name, each in arrays().items()}
    return program, [given[name] for name in inspect.signature(program).parameters]


def check(found, expected):
    if isinstance(expected, list):
        assert isinstance(found, (tuple, list))
        assert len(found) == len(expected)
        for each, wanted in zip(found, expected, strict=True):
            check(each, wanted)
    elif "elements" not in expected:
        assert list(found) == list(expected)
        for name, wanted in expected.items():
            check(found[name], wanted)
    else:
        assert (str(found.dtype).removeprefix("gl."), list(found.shape)) == (expected["dtype"], expected["shape"])
        assert found.requires_grad == expected["requires_grad"]
        wanted = np.array(expected["elements"], found.dtype.numpy).reshape(expected["shape"])
        np.testing.assert_allclose(found.detach().numpy(), wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", VALUES)
def test_transforms_give_what_pytorch_gives(name):
    program, given = program_of(VALUES[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(program(*given), KNOWN["values"][name])


@pytest.mark.parametrize("name", VALUES)
def test_jitted_transforms_give_that_as_one_graph(name):
    program, given = program_of(VALUES[name])
    jitted = gl.jit(program, fullgraph=name not in NOT_IN_A_GRAPH)
    for _ in range(2):
        check(jitted(*given), KNOWN["values"][name])


@pytest.mark.parametrize("name", ERRORS)
def test_transforms_raise_where_pytorch_does(name):
    program, given = program_of(ERRORS[name])
    kind = KNOWN["errors"][name]
    with pytest.raises(Exception) as caught:  # noqa: PT011
        program(*given)
    assert kind in {each.__name__ for each in type(caught.value).__mro__}, repr(caught.value)


@pytest.mark.parametrize("name", ERRORS)
def test_jitted_transforms_raise_there_too(name):
    program, given = program_of(ERRORS[name])
    kind = KNOWN["errors"][name]
    with pytest.raises(Exception) as caught:  # noqa: PT011
        gl.jit(program)(*given)
    assert kind in {each.__name__ for each in type(caught.value).__mro__}, repr(caught.value)


def test_every_program_has_a_figure():
    assert (list(KNOWN["values"]), list(KNOWN["errors"])) == (list(VALUES), list(ERRORS))
