"""Entries whose traces give one graph run one code, each over memory of its own."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn, optim
from guardlift.core.config import config
from guardlift.core.errors import RecompileError
from guardlift.frontend import state_of
from guardlift.graph.digest import digest, lines

RNG = np.random.default_rng(3)


def parameters(count: int = 2, shape: tuple[int, ...] = (3, 2)) -> list[Any]:
    made = [nn.Parameter(gl.tensor(RNG.standard_normal(shape))) for _ in range(count)]
    for each in made:
        each.grad = gl.tensor(RNG.standard_normal(shape))
    return made


def twin(parameter: Any) -> Any:
    copy = nn.Parameter(gl.tensor(parameter.detach().numpy().copy()))
    copy.grad = gl.tensor(parameter.grad.numpy().copy())
    return copy


def stepper() -> Any:
    @gl.jit
    def step(optimizer: Any) -> None:
        optimizer.step()

    return step


def kinds(function: Any) -> list[str]:
    return [event.kind for event in state_of(function).history]


def step_both(step: Any, make: Callable[[Any], Any], sets: list[list[Any]], rounds: int = 3) -> list[Any]:
    """Steps optimizers over these parameters, jitted, and twins of them plainly; they must stay equal."""
    twins = [[twin(each) for each in listed] for listed in sets]
    fast, plain = [make(listed) for listed in sets], [make(listed) for listed in twins]
    for _ in range(rounds):
        for one, other in zip(fast, plain, strict=True):
            step(one)
            other.step()
    for listed, expected in zip(sets, twins, strict=True):
        for one, other in zip(listed, expected, strict=True):
            np.testing.assert_allclose(one.detach().numpy(), other.detach().numpy(), rtol=1e-12)
    return fast


@pytest.mark.spec("S5.18")
@pytest.mark.parametrize("kind", ["Adam", "SGD", "RMSprop"])
def test_twelve_optimizers_of_one_class_compile_once(kind: str) -> None:
    step = stepper()
    settings = {"momentum": 0.9} if kind == "SGD" else {}
    kept = step_both(
        step, lambda listed: getattr(optim, kind)(listed, lr=0.1, **settings), [parameters() for _ in "12" * 6]
    )
    assert len(kept) == 12
    first = [kind for kind in kinds(step) if kind in ("compile", "recompile")]
    # A buffer of SGD's momentum appears at the first step.
    assert len(first) == (2 if kind == "SGD" else 1), kinds(step)
    assert "limit" not in kinds(step)


def test_hyperparameters_are_of_each_optimizer() -> None:
    step, rates = stepper(), iter([0.1, 0.5, 0.1, 0.5])
    step_both(step, lambda listed: optim.Adam(listed, lr=next(rates)), [parameters(), parameters()])
    assert kinds(step) == ["compile", "relink"]


def test_another_layout_is_compiled_and_the_report_says_what_differs() -> None:
    step = stepper()
    step_both(step, optim.Adam, [parameters(), parameters(shape=(4, 4))])
    assert kinds(step) == ["compile", "recompile"]
    event = state_of(step).history[-1]
    assert event.unlike == "optimizer.param_groups[0]['params'][0] is f64[4, 4], and f64[3, 2] there"
    assert f"no code could be shared: {event.unlike}" in str(gl.explain(step))


def test_another_number_of_parameters_is_compiled() -> None:
    step = stepper()
    step_both(step, optim.Adam, [parameters(2), parameters(3)])
    assert kinds(step) == ["compile", "recompile"]
    assert state_of(step).history[-1].unlike == "20 inputs, and 15 there"


def test_a_relink_is_told_as_what_it_is() -> None:
    step = stepper()
    with gl.testing.exact_compiles(1, of=step) as log, gl.testing.no_recompiles(of=step):
        step_both(step, optim.Adam, [parameters(), parameters()])
    assert log.relinks == 1
    report = gl.explain(step)
    assert (report.compiles, report.recompiles, report.relinks) == (1, 0, 1)
    assert "entry 1 runs the code of entry 0" in str(report) and "entry 1 runs the code of entry 0" in log.explain()
    assert report.to_dict()["events"][1]["shared"] == "entry 0"


def test_an_error_on_recompile_spares_a_relink() -> None:
    step = stepper()
    one, other = optim.Adam(parameters()), optim.Adam(parameters())
    odd = optim.Adam(parameters(3))
    step(one)
    with config.patch(error_on_recompile=True):
        step(other)
        before = odd.param_groups[0]["params"][0].detach().numpy().copy()
        with pytest.raises(RecompileError, match="compiles again"):
            step(odd)
    assert (odd.param_groups[0]["params"][0].detach().numpy() == before).all()
    step(odd)
    assert kinds(step) == ["compile", "relink", "recompile"]


def layers(count: int) -> list[tuple[Any, Any]]:
    def over(layer: Any) -> Any:
        @gl.jit
        def apply(x: Any) -> Any:
            return gl.nn.functional.relu(layer(x)) * 2.0

        return apply

    made = [nn.Linear(3, 2) for _ in range(count)]
    return [(over(layer), layer) for layer in made]


def test_closures_over_equal_layers_share_their_code() -> None:
    x = gl.tensor(RNG.standard_normal((4, 3)).astype(np.float32))
    made = layers(4)
    for apply, layer in made:
        expected = np.maximum(layer(x).detach().numpy(), 0) * 2
        np.testing.assert_allclose(apply(x).detach().numpy(), expected, rtol=1e-5)
        np.testing.assert_allclose(apply(x).detach().numpy(), expected, rtol=1e-5)
    events = [state_of(apply).history[0] for apply, _ in made]
    assert [event.kind for event in events] == ["compile"] * 4
    assert [event.shared for event in events[1:]] == ["another function's entry"] * 3
    assert len({id(state_of(apply).entries[0].details["artifact"]) for apply, _ in made}) == 1
    assert "with the code of another function's entry" in gl.testing.CompileLog(events=[events[1]]).explain()


def test_an_artifact_keeps_nothing_of_the_user_alive() -> None:
    step = stepper()
    one, other = optim.Adam(parameters()), optim.Adam(parameters())
    step(one)
    step(other)
    group = one.param_groups[0]["params"]
    seen = [weakref.ref(each) for each in (one, group[0], group[0]._storage, one.state[group[0]]["exp_avg"]._storage)]
    del one, group
    gc.collect()
    assert [each() for each in seen] == [None] * 4
    assert len(state_of(step).artifacts) == 1
    before = other.param_groups[0]["params"][0].detach().numpy().copy()
    step(other)
    assert (other.param_groups[0]["params"][0].detach().numpy() != before).all()
    assert kinds(step) == ["compile", "relink"]


def test_entries_that_share_code_count_once_for_the_limit() -> None:
    step = stepper()
    with config.patch(recompile_limit=2):
        kept = step_both(step, optim.Adam, [parameters() for _ in range(5)])
    assert len(kept) == 5 and kinds(step) == ["compile"] + ["relink"] * 4


def test_there_is_a_limit_for_all_entries_too() -> None:
    step = stepper()
    with (
        config.patch(entry_limit=3),
        pytest.warns(RuntimeWarning, match=r"has 3 entries, the limit \(gl.config.entry_"),
    ):
        step_both(step, optim.Adam, [parameters() for _ in range(4)])
    assert kinds(step) == ["compile", "relink", "relink", "limit"]


def test_to_forget_drops_the_artifacts() -> None:
    step = stepper()
    step(optim.Adam(parameters()))
    gl.testing.forget(step)
    assert len(state_of(step).artifacts) == 0


def graph_of(function: Any, *arguments: Any) -> Any:
    function(*arguments)
    return state_of(function).entries[0].details["traced"]


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (2.0, 2.5), (float("nan"), 1.0)])
def test_graphs_with_other_constants_have_other_digests(one: Any, other: Any) -> None:
    def build(value: Any) -> Any:
        namespace: dict[str, Any] = {"np": np, "nan": float("nan")}
        exec(compile(f"def f(x): return np.where(x > 0, x, {value!r})", "same", "exec"), namespace)
        return graph_of(gl.jit(namespace["f"]), np.ones(3))

    assert digest(lines(build(one))) == digest(lines(build(one)))
    assert digest(lines(build(one))) != digest(lines(build(other)))


def test_an_error_on_recompile_comes_again_at_the_next_call() -> None:
    weights = parameters()
    optimizer = optim.Adam(weights)

    @gl.jit
    def step() -> None:
        optimizer.step()

    step()
    optimizer.add_param_group({"params": parameters(1)})
    with config.patch(error_on_recompile=True):
        for _ in range(2):
            with pytest.raises(RecompileError, match="compiles again"):
                step()
    step()
    assert kinds(step) == ["compile", "recompile"]


def test_a_long_history_keeps_its_compiles_and_leaves_out_relinks(monkeypatch: pytest.MonkeyPatch) -> None:
    from guardlift.frontend.dispatch import event_history

    monkeypatch.setattr(event_history, "KEPT", 8)
    monkeypatch.setattr(event_history, "DETAILED", 3)
    step = stepper()
    for count in (1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1):
        step(optim.Adam(parameters(count)))
    assert len(kinds(step)) == 8 and kinds(step)[0] == "compile" and kinds(step).count("recompile") == 1
    old, new = state_of(step).history[2], state_of(step).history[-1]
    assert len(old.reasons) <= 1 and old.failures == () and new.failures
