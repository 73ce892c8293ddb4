"""Entries whose objects were replaced by others like them: linked to these without a trace, and never wrongly."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.training import World, same_result, same_tensor, same_world

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of
from guardlift.frontend.dispatch import new_entry
from guardlift.guards.entry import Entry


def normal(seed: int, *shape: int, dtype: Any = np.float32) -> Any:
    return gl.tensor(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


class Scale(nn.Module):
    def __init__(self, seed: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(normal(seed, 3))
        self.register_buffer("shift", normal(seed + 1, 3))

    def forward(self, x: Any) -> Any:
        return x * self.gain + self.shift


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Scale(1)
        self.rest = nn.ModuleList([Scale(3), Scale(5)])

    def forward(self, x: Any) -> Any:
        x = self.first(x)
        for each in self.rest:
            x = each(x).tanh()
        return x


def make() -> World:
    gl.manual_seed(0)
    model = Net()
    return World(model, optim.Adam(model.parameters(), lr=0.1))


def training(world: World) -> Callable[..., Any]:
    def step(x: Any) -> Any:
        world.optimizer.zero_grad()
        loss = (world.model(x) ** 2).sum()
        loss.backward()
        world.optimizer.step()
        return loss.detach()

    return step


def inference(world: World) -> Callable[..., Any]:
    def answer(x: Any) -> Any:
        with gl.no_grad():
            return world.model(x)

    return answer


def kinds(function: Any) -> list[str]:
    return [event.kind for event in state_of(function).history]


def run_both(
    bind: Callable[[World], Callable[..., Any]], change: Callable[[World], Any], monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, World, int]:
    """The jitted function, its world, and how often it was traced after `change`; all results are compared."""
    plain, world = make(), make()
    step, fast = bind(plain), gl.jit(bind(world))
    traces = 0
    compile_entry = new_entry.compile_entry

    def counted(*arguments: Any) -> Any:
        nonlocal traces
        traces += 1
        return compile_entry(*arguments)

    for number in range(7):
        if number == 4:
            monkeypatch.setattr(new_entry, "compile_entry", counted)
            change(plain), change(world)
        x = normal(10 + number, 4, 3)
        same_result(f"result {number}", step(x), fast(x), 1e-4)
        same_world(plain, world, 1e-4)
    return fast, world, traces


def load_state(world: World) -> None:
    world.optimizer.load_state_dict(world.optimizer.state_dict())


def load_weights(world: World) -> None:
    state = {name: value.detach().clone() * 0.5 for name, value in world.model.state_dict().items()}
    world.model.load_state_dict(state, assign=True)


def other_moments(world: World) -> None:
    for entry in world.optimizer.state.values():
        entry["exp_avg"] = entry["exp_avg"] * 2.0


def other_memory(world: World) -> None:
    world.model.first.gain.data = normal(20, 3)


def other_layer(world: World) -> None:
    world.model.rest[1] = Scale(21)


def other_buffer(world: World) -> None:
    world.model.first.shift = normal(22, 3)


def twice(world: World) -> None:
    load_state(world)
    other_memory(world)


@pytest.mark.parametrize("change", [load_state, other_moments, other_memory, other_buffer, twice])
def test_a_training_step_takes_what_was_replaced_without_a_trace(change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, _, traces = run_both(training, change, monkeypatch)
    assert traces == 0 and kinds(fast)[-1] == "relink"


@pytest.mark.parametrize("change", [load_weights, other_layer, other_buffer, other_memory])
def test_a_model_takes_what_was_replaced_without_a_trace(change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, _, traces = run_both(inference, change, monkeypatch)
    assert traces == 0 and kinds(fast) == ["compile", "relink"]


def test_a_relink_is_told_with_what_was_written_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    fast, _, _ = run_both(training, load_state, monkeypatch)
    text = str(gl.explain(fast))
    assert "was linked to other objects in" in text and "without a trace" in text
    (reason,) = gl.explain(fast).events[-1].reasons
    assert "state" in reason.text and "load_state_dict" in reason.text
    (entry,) = [entry for entry in gl.explain(fast).entries if entry.number == gl.explain(fast).events[-1].entry]
    assert entry.kernels and entry.instructions > 0 and not entry.stale


class Shifted(Scale):
    def forward(self, x: Any) -> Any:
        return x - self.gain


def wider(world: World) -> None:
    world.model.first.shift = normal(30, 1, 3).expand(4, 3).contiguous()


def double(world: World) -> None:
    world.model.first.shift = normal(31, 3, dtype=np.float64)


def strided(world: World) -> None:
    world.model.first.shift = normal(32, 6)[::2]


def wanting_gradients(world: World) -> None:
    world.model.first.shift = normal(33, 3).requires_grad_()


def with_a_hook(world: World) -> None:
    gain = nn.Parameter(normal(34, 3))
    gain.register_hook(lambda grad: grad * 2)
    world.model.first.gain = gain


def a_parameter_instead(world: World) -> None:
    del world.model.first.shift
    world.model.first.shift = nn.Parameter(normal(35, 3))


def of_another_class(world: World) -> None:
    world.model.rest[0] = Shifted(36)


def a_longer_list(world: World) -> None:
    world.model.rest.append(Scale(37))


def with_a_method_of_its_own(world: World) -> None:
    layer = Scale(38)
    layer.forward = lambda x: x * 3.0
    world.model.rest[0] = layer


def with_a_forward_hook(world: World) -> None:
    layer = Scale(39)
    layer.register_forward_hook(lambda module, given, result: result + 1.0)
    world.model.first = layer


def with_a_dict_of_the_users(world: World) -> None:
    layer = Scale(40)
    layer.__dict__ = {**vars(layer), "note": 1}
    world.model.first = layer


def tied(world: World) -> None:
    world.model.rest[0] = world.model.rest[1]


def tied_weights(world: World) -> None:
    world.model.rest[0].shift = world.model.rest[1].shift


@pytest.mark.parametrize("bind", [inference, training])
@pytest.mark.parametrize(
    "change",
    [
        wider,
        double,
        strided,
        wanting_gradients,
        with_a_hook,
        a_parameter_instead,
        of_another_class,
        a_longer_list,
        with_a_method_of_its_own,
        with_a_forward_hook,
        with_a_dict_of_the_users,
        tied,
        tied_weights,
    ],
)
def test_what_is_unlike_is_traced_anew(bind: Any, change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, traces = run_both(bind, change, monkeypatch)
    assert traces > 0


def test_a_tensor_in_two_places_is_replaced_in_both_or_traced_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, world = make(), make()
    for each in (plain, world):
        each.model.rest[1].shift = each.model.first.shift
    answer, fast = inference(plain), gl.jit(inference(world))
    x = normal(50, 4, 3)
    for number in range(4):
        same_result(f"before {number}", answer(x), fast(x))
    for each in (plain, world):
        each.model.first.shift = each.model.rest[1].shift = normal(51, 3)
    same_result("both", answer(x), fast(x))
    assert kinds(fast) == ["compile", "relink"] and state_of(fast).numbers == 1
    for each in (plain, world):
        each.model.first.shift = normal(52, 3)
    same_result("one", answer(x), fast(x))
    assert state_of(fast).numbers == 2


def test_a_name_that_moves_to_another_table_is_found_there() -> None:
    plain, world = make(), make()
    answer, fast = inference(plain), gl.jit(inference(world))
    x = normal(53, 4, 3)
    for each, call in ((plain, answer), (world, fast)):
        call(x)
        layer = each.model.first
        layer._parameters["shift"] = nn.Parameter(normal(54, 3))  # found before the buffer of that name
    same_result("shadowed", answer(x), fast(x))


def test_what_the_function_asked_about_identity_is_asked_again() -> None:
    def bind(world: World, chosen: dict[Any, float], listed: list[Any]) -> Callable[..., Any]:
        def answer(x: Any) -> Any:
            with gl.no_grad():
                gain = world.model.first.gain
                factor = chosen[gain] if gain in chosen else 7.0
                return x * gain * factor + float(any(each is gain for each in listed))

        return answer

    worlds = make(), make()
    answers = [bind(each, {each.model.first.gain: 2.0}, [each.model.first.gain]) for each in worlds]
    fast = gl.jit(answers[1])
    x = normal(55, 4, 3)
    for number in range(4):
        if number == 2:
            for each in worlds:
                each.model.first.gain = nn.Parameter(normal(56, 3))
        same_result(f"call {number}", answers[0](x), fast(x))


def test_the_memory_of_what_was_replaced_is_freed_and_its_version_stands() -> None:
    world = make()
    fast = gl.jit(training(world))
    for number in range(4):
        fast(normal(number, 4, 3))
    entry = world.optimizer.state[world.model.first.gain]
    old = entry["exp_avg"]
    entry["exp_avg"] = old.clone()
    fast(normal(60, 4, 3))
    assert kinds(fast)[-1] == "relink" and state_of(fast).history[-1].shared == ""
    before, now = old._version, entry["exp_avg"]._version
    fast(normal(61, 4, 3))
    assert (old._version, entry["exp_avg"]._version) == (before, now + before_writes(fast, entry))
    array = weakref.ref(old._array)
    del old
    gc.collect()
    assert array() is None


def before_writes(fast: Any, entry: Any) -> int:
    """The number of writes of the first moment in one more call."""
    before = entry["exp_avg"]._version
    fast(normal(62, 4, 3))
    return int(entry["exp_avg"]._version - before)


def test_without_relift_every_replacement_is_a_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    with gl.config.patch(relift=False):
        fast, _, traces = run_both(inference, other_buffer, monkeypatch)
    assert traces == 1


def test_replaced_sooner_than_it_is_linked_it_runs_plainly_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Entry, "younger_than", lambda self, times: True)
    plain, world = make(), make()
    answer, fast = inference(plain), gl.jit(inference(world))
    x = normal(70, 4, 3)
    with gl.config.patch(relift_limit=4), pytest.warns(RuntimeWarning, match="relift_limit"):
        for number in range(12):
            for each in (plain, world):
                each.model.first.shift = normal(71 + number, 3)
            same_result(f"call {number}", answer(x), fast(x))
    assert 0 < kinds(fast).count("relink") < 11


def test_two_models_through_one_function_are_each_linked_again() -> None:
    def answer(model: Any, x: Any) -> Any:
        with gl.no_grad():
            return model(x)

    fast, models = gl.jit(answer), [make().model for _ in range(2)]
    x = normal(90, 4, 3)
    for model in models:
        fast(model, x)
    for number in range(3):
        for model in models:
            model.first.gain = nn.Parameter(normal(91 + number, 3))
        for model in models:
            same_tensor(f"result {number}", answer(model, x), fast(model, x))


LIKE = [load_state, load_weights, other_moments, other_memory, other_layer, other_buffer]
UNLIKE = [strided, wanting_gradients, with_a_hook, of_another_class, with_a_method_of_its_own, tied, tied_weights]


@pytest.mark.parametrize("bind", [inference, training])
@pytest.mark.parametrize("seed", range(4))
def test_replacements_of_all_kinds_in_any_order_do_what_they_do_in_eager_mode(bind: Any, seed: int) -> None:
    chosen = np.random.default_rng(seed)
    plain, world = make(), make()
    step, fast = bind(plain), gl.jit(bind(world))
    for number in range(16):
        for _ in range(int(chosen.integers(0, 3))):
            changes = LIKE if chosen.random() < 0.8 else UNLIKE
            change = changes[int(chosen.integers(len(changes)))]
            change(plain), change(world)
        x = normal(100 + number, 4, 3)
        same_result(f"result {number}", step(x), fast(x), 1e-3)
        same_world(plain, world, 1e-3)


KEPT: dict[Any, Any] = {}
"""Objects that the functions below remember: parameters as elements and keys, and their numbers."""


@pytest.mark.parametrize(
    "asks",
    [
        lambda gain: float(id(gain) % 1009),
        lambda gain: float(hash(gain) % 1009),
        lambda gain: float(gain.data_ptr() % 1009),
        lambda gain: float(gain is KEPT["list"][0]),
        lambda gain: float(any(each is gain for each in KEPT["list"])),
        lambda gain: float(gain in KEPT["set"]),
        lambda gain: KEPT["dict"].get(gain, 3.0),
        lambda gain: float(id(gain) in KEPT["numbers"]),
        lambda gain: float(gain._version),
    ],
)
def test_what_a_function_asks_about_identity_is_never_remembered_wrongly(asks: Any) -> None:
    model = Net()
    gain = model.first.gain
    KEPT.update({"list": [gain], "set": {gain}, "dict": {gain: 2.0}, "numbers": {id(gain)}})

    def answer(x: Any) -> Any:
        with gl.no_grad():
            return x * asks(model.first.gain) + model.first.gain

    fast, x = gl.jit(answer), normal(80, 4, 3)
    for number in range(6):
        if number in (2, 4):
            model.first.gain = nn.Parameter(normal(81 + number, 3))
        same_result(f"call {number}", answer(x), fast(x))
    KEPT.clear()
