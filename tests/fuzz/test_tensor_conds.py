"""Random programs with branches on the data of tensors do what eager mode does."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz.tensor_conds import Writer

import guardlift as gl
from guardlift import autograd  # noqa: F401
from guardlift.frontend import state_of

PROGRAMS = int(os.environ.get("GUARDLIFT_FUZZ", "25"))
FIRST = int(os.environ.get("GUARDLIFT_FUZZ_SEED", "0"))


def compiled(seed: int) -> tuple[str, Callable[..., Any]]:
    text = Writer(seed).program()
    names: dict[str, Any] = {"gl": gl}
    exec(compile(text, f"<program {seed}>", "exec"), names)  # noqa: S102
    return text, names["program"]


def leaves_of(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [leaf for each in result for leaf in leaves_of(each)]
    return [result]


def observed(function: Callable[..., Any], seed: int, *, grad: bool) -> list[Any]:
    """The outcome of a call: values, how memory and objects are shared, flags, gradients; or its error."""
    rng = np.random.default_rng(seed)
    given = [gl.tensor(rng.standard_normal((3, 3)) * 0.7, requires_grad=grad) for _ in range(2)]
    try:
        found = leaves_of(function(*given))
        tensors = [each for each in found if isinstance(each, gl.Tensor)]
        known = [*given, *tensors]
        seen: list[Any] = [each.detach().numpy().copy() if isinstance(each, gl.Tensor) else each for each in found]
        seen.append([[one is other for one in known] for other in tensors])
        arrays = [each.detach().numpy() for each in known]
        seen.append([[np.shares_memory(one, other) for one in arrays] for other in arrays])
        seen.append([(each.requires_grad, each.is_leaf, each.stride(), each._version) for each in tensors])
        reached = [each for each in tensors if each.requires_grad]
        if reached:
            loss: Any = 0.0
            for number, each in enumerate(reached):
                loss = loss + (each * each * (number + 1)).sum()
            loss.backward()
    except Exception as error:
        return [type(error).__name__]
    seen += [None if each.grad is None else each.grad.numpy().copy() for each in given]
    return [*seen, *(each.detach().numpy().copy() for each in given)]


def assert_same(found: list[Any], wanted: list[Any], text: str) -> None:
    assert len(found) == len(wanted), f"{text}\n{found}\n{wanted}"
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, (np.ndarray, float)):
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10, err_msg=text)
        else:
            assert type(one) is type(other) and one == other, f"{text}\n{found}\n{wanted}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
def test_a_random_program_does_what_eager_mode_does(seed: int) -> None:
    text, program = compiled(seed)
    for grad in (False, True):
        jitted = gl.jit(program)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for each in (0, 1, 2, 3, 0, 4, 5):
                assert_same(observed(jitted, each, grad=grad), observed(program, each, grad=grad), text)


def test_some_of_the_programs_have_conds() -> None:
    text, program = compiled(4)
    jitted = gl.jit(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        observed(jitted, 0, grad=False)
    assert "if" in text and state_of(jitted).entries
