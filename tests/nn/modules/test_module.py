"""Hooks of all modules: when they are called beside those of a module, and that compiled code notices them."""

from __future__ import annotations

from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.nn.modules import module as all_modules


def model() -> Any:
    gl.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 2), nn.Tanh())


def test_they_are_called_with_every_module_before_its_own() -> None:
    network, seen = model(), []
    network[1].register_forward_pre_hook(lambda m, args: seen.append("own before"))
    network[1].register_forward_hook(lambda m, args, result: seen.append("own after"))
    before = all_modules.register_module_forward_pre_hook(lambda m, args: seen.append(f"before {type(m).__name__}"))
    after = all_modules.register_module_forward_hook(lambda m, args, result: seen.append(f"after {type(m).__name__}"))
    network(gl.ones(1, 2))
    # The order is PyTorch's, whose hooks of all modules come first on either side.
    assert seen == [
        "before Sequential", "before Linear", "after Linear", "before Tanh", "own before", "after Tanh", "own after",
        "after Sequential",
    ]  # fmt: skip
    before.remove()
    after.remove()
    seen.clear()
    network(gl.ones(1, 2))
    assert seen == ["own before", "own after"] and nn.Module.__call__.__qualname__ == "Module.__call__"
    after.remove()


def test_answers_take_the_place_of_arguments_and_results() -> None:
    linear = nn.Identity()
    with all_modules.register_module_forward_pre_hook(lambda m, args: args[0] * 2):
        assert linear(gl.ones(2)).tolist() == [2.0, 2.0]
    with all_modules.register_module_forward_hook(lambda m, args, kwargs, result: result + 5, with_kwargs=True):
        assert linear(gl.ones(2)).tolist() == [6.0, 6.0]
    assert linear(gl.ones(2)).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="a hook of all modules is a callable, got int"):
        all_modules.register_module_forward_hook(3)  # type: ignore[arg-type]


def test_gradients_pass_them_on_their_way_back() -> None:
    network, seen = model(), []
    network[1].register_full_backward_hook(lambda m, grad_input, grad_output: seen.append("own"))
    x = gl.ones(1, 2, requires_grad=True)
    with (
        all_modules.register_module_full_backward_pre_hook(
            lambda m, grad_output: seen.append(f"pre {type(m).__name__}")
        ),
        all_modules.register_module_full_backward_hook(lambda m, gi, go: seen.append(type(m).__name__)),
    ):
        network(x).sum().backward()
    assert seen == ["pre Sequential", "pre Tanh", "Tanh", "own", "pre Linear", "Linear", "Sequential"]


def test_a_result_is_told_of_though_something_raises() -> None:
    seen: list[Any] = []
    with all_modules.register_module_forward_hook(lambda m, args, result: seen.append(result), always_call=True):
        with pytest.raises(RuntimeError):
            nn.Linear(2, 2)(gl.ones(3))
    assert seen == [None]


def test_compiled_code_calls_hooks_that_come_later() -> None:
    network, seen = model(), []
    fast = gl.jit(lambda x: network(x))
    x = gl.ones(1, 2)
    expected = fast(x).tolist()
    with all_modules.register_module_forward_hook(lambda m, args, result: seen.append(type(m).__name__)):
        assert fast(x).tolist() == expected
        assert seen == ["Linear", "Tanh", "Sequential"]
    assert fast(x).tolist() == expected and len(seen) == 3
