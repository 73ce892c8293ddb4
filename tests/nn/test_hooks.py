from __future__ import annotations

from typing import Any

import pytest

import guardlift as gl
from guardlift import nn


class Double(nn.Module):
    def forward(self, x: Any, plus: Any = 0) -> Any:
        return x * 2 + plus


def test_hooks_are_called_around_forward_in_order() -> None:
    module, calls = Double(), []
    module.register_forward_pre_hook(lambda m, args: calls.append(("before", m, args)))
    module.register_forward_hook(lambda m, args, result: calls.append(("after", m, args, result)))
    module.register_forward_hook(lambda m, args, result: calls.append("first"), prepend=True)
    assert module(3, plus=1) == 7
    assert calls == [("before", module, (3,)), "first", ("after", module, (3,), 7)]


def test_hooks_replace_arguments_and_results() -> None:
    module = Double()
    module.register_forward_pre_hook(lambda m, args: args[0] + 1)
    module.register_forward_pre_hook(lambda m, args, kwargs: ((args[0] * 10,), {"plus": 5}), with_kwargs=True)
    module.register_forward_hook(lambda m, args, kwargs, result: (result, args, kwargs), with_kwargs=True)
    assert module(1) == (45, (20,), {"plus": 5})
    module.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
    with pytest.raises(ValueError, match=r"returns None or \(args, kwargs\), got int"):
        module(1)


def test_a_hook_is_removed_by_its_handle() -> None:
    module = Double()
    handle = module.register_forward_hook(lambda m, args, result: 0)
    assert module(1) == 0
    handle.remove()
    handle.remove()
    assert module(1) == 2
    assert module._hooks is None
    with module.register_forward_pre_hook(lambda m, args: (5,)):
        assert module(1) == 10
    assert module(1) == 2


def test_a_handle_does_not_keep_its_module() -> None:
    module = Double()
    handle = module.register_forward_hook(lambda m, args, result: 0)
    del module
    handle.remove()


def test_a_hook_may_remove_itself_while_it_runs() -> None:
    module = Double()
    handle = module.register_forward_hook(lambda m, args, result: handle.remove())
    module.register_forward_hook(lambda m, args, result: result + 1)
    assert module(1) == 3
    assert module(1) == 3


def test_hooks_see_inner_modules_of_a_model() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    shapes = []
    for module in model:
        module.register_forward_hook(lambda m, args, result: shapes.append(result.shape))
    model(gl.ones(4, 2))
    assert shapes == [(4, 3), (4, 3)]


def test_a_hook_is_a_callable() -> None:
    with pytest.raises(ValueError, match="a hook of a module is a callable, got int"):
        Double().register_forward_hook(3)  # type: ignore[arg-type]
