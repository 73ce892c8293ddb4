"""Random programs with saved-tensor hooks, graph breaks and gradients of gradients do what eager mode does."""

from __future__ import annotations

import io
import os
import re
import warnings
from typing import Any

import numpy as np
import pytest
from fuzz.saved_hooks import PRELUDE, Writer

import guardlift as gl
from guardlift.autograd.modes import MODES

PROGRAMS = int(os.environ.get("GUARDLIFT_FUZZ", "12"))
FIRST = int(os.environ.get("GUARDLIFT_FUZZ_SEED", "0"))
CALLS = 3


def world(seed: int, *, jitted: bool) -> dict[str, Any]:
    """The globals of a program of its own, whose hooks and lists nobody else has."""
    names: dict[str, Any] = {"OUT": io.StringIO()}
    exec(compile(PRELUDE + Writer(seed).program(), f"<program {seed}>", "exec"), names)  # noqa: S102
    if jitted:
        names["program"] = gl.jit(names["program"])
    return names


def observed(names: dict[str, Any], number: int) -> list[Any]:
    """The outcome of a call: values, flags, gradients, modes, what hooks did and what was printed; or its error."""
    rng = np.random.default_rng(number)
    given = [gl.tensor(rng.standard_normal((3, 3)) * 0.7, requires_grad=True) for _ in range(2)]
    try:
        found = names["program"](*given)
        seen = [each.detach().numpy().copy() if isinstance(each, gl.Tensor) else each for each in found]
        seen.append([each.requires_grad for each in found if isinstance(each, gl.Tensor)])
    except Exception as error:
        seen = [type(error).__name__, re.sub(r"which is output \d+ of \w+", "", str(error))]
    seen += [None if each.grad is None else each.grad.detach().numpy().copy() for each in given]
    seen += [gl.is_grad_enabled(), MODES.stack, [*names["SEEN"]], sorted(names["STORE"]), [*names["SCALE"]]]
    return [*seen, names["OUT"].getvalue()]


def assert_same(found: list[Any], wanted: list[Any], text: str) -> None:
    """Asserts that two outcomes agree."""
    assert len(found) == len(wanted), text
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, np.ndarray):
            np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9, err_msg=text)
        else:
            assert one == other, text


@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
@pytest.mark.slow
def test_programs_with_hooks_and_breaks_do_what_eager_mode_does(seed: int) -> None:
    eager, jitted = world(seed, jitted=False), world(seed, jitted=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(CALLS):
            wanted = observed(eager, number)
            assert_same(observed(jitted, number), wanted, Writer(seed).program())


def test_a_program_under_watching_hooks_drops_no_call_of_theirs() -> None:
    def step(x: Any, kept: list[Any]) -> Any:
        if x.sum() > 1e9:
            raise ValueError
        with gl.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t.shape) or t, lambda t: t):
            dropped = x * x.mean(0)
            with gl.no_grad():
                y = dropped * 2
            print(end="", file=io.StringIO())
        return y.sum()

    counts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in (step, gl.jit(step)):
            kept: list[Any] = []
            for _ in range(3):
                each(gl.ones(3, 3, requires_grad=True), kept)
            counts.append(len(kept))
    assert counts[0] == counts[1] == 6
