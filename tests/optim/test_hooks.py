from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from optim.cases import parameters, train

import guardlift as gl
from guardlift import nn, optim


def noted(log: list[Any], name: str) -> Any:
    return lambda *given: log.append((name, *given[1:]))


def test_hooks_run_around_each_step_in_the_order_of_registration() -> None:
    params = parameters()
    optimizer = optim.SGD(params)
    log: list[Any] = []
    first = optimizer.register_step_pre_hook(noted(log, "first"))
    optimizer.register_step_pre_hook(noted(log, "second"))
    optimizer.register_step_post_hook(noted(log, "after"))
    assert optimizer.step(lambda: 3.0) == 3.0
    assert [each[0] for each in log] == ["first", "second", "after"]
    assert all(len(args) == 1 and kwargs == {} for _, args, kwargs in log)
    first.remove()
    first.remove()
    log.clear()
    optimizer.step(closure=None)
    assert log == [("second", (), {"closure": None}), ("after", (), {"closure": None})]


def test_a_hook_sees_the_parameters_before_and_after_and_may_give_other_arguments() -> None:
    (param, *_) = params = parameters()
    optimizer = optim.SGD(params, lr=0.5)
    seen = []
    optimizer.register_step_pre_hook(lambda *_: seen.append(param.tolist()))
    optimizer.register_step_post_hook(lambda *_: seen.append(param.tolist()))
    train(optimizer, params, range(1))
    assert seen[0] != seen[1] == param.tolist()
    with optimizer.register_step_pre_hook(lambda _self, args, kwargs: ((lambda: 7,), kwargs)):
        assert optimizer.step() == 7
    assert optimizer.step() is None
    optimizer.register_step_pre_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match=r"returns None or \(args, kwargs\), got int"):
        optimizer.step()


def test_a_step_of_ones_own_has_hooks_and_one_that_calls_its_base_runs_them_once() -> None:
    class Twice(optim.SGD):
        def step(self, closure: Any = None) -> Any:
            super().step()
            return super().step(closure)

    params = parameters()
    optimizer = Twice(params, lr=0.1)
    log: list[Any] = []
    optimizer.register_step_pre_hook(noted(log, "before"))
    optimizer.register_step_post_hook(noted(log, "after"))
    train(optimizer, params, range(1))
    assert [name for name, *_ in log] == ["before", "after"]
    assert Twice.step.__name__ == "step" and optim.Adam.step is not Twice.step


def test_state_dicts_may_be_changed_on_their_way_out_and_in() -> None:
    params = parameters()
    optimizer = optim.Adam(params)
    train(optimizer, params, range(1))
    log: list[Any] = []
    optimizer.register_state_dict_pre_hook(lambda own: log.append("before"))
    optimizer.register_state_dict_post_hook(lambda own, saved: {**saved, "note": len(log)})
    optimizer.register_state_dict_post_hook(lambda own, saved: log.append("after"), prepend=True)
    saved = optimizer.state_dict()
    assert log == ["before", "after"] and saved["note"] == 2
    optimizer.register_load_state_dict_pre_hook(lambda own, given: {**given, "state": {}})
    optimizer.register_load_state_dict_post_hook(lambda own: log.append(len(own.state)))
    optimizer.load_state_dict(saved)
    assert log[2:] == [0] and "note" in saved and len(saved["state"]) == 3


def test_copies_have_no_hooks() -> None:
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.parameters())
    optimizer.register_step_pre_hook(lambda *_: pytest.fail("it belongs to the other one"))
    for _, twin in (copy.deepcopy((model, optimizer)), pickle.loads(pickle.dumps((model, optimizer)))):
        twin.step()


def test_a_hook_is_a_callable() -> None:
    with pytest.raises(TypeError, match="a hook of an optimizer is a callable, got int"):
        optim.SGD([gl.zeros(1)]).register_step_pre_hook(3)  # type: ignore[arg-type]
