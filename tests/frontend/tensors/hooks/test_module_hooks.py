"""Hooks of modules inside jitted functions: called as in eager mode, and part of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.training import same_tensor

import guardlift as gl
from guardlift import nn

SEEN: list[Any] = []


class Recorder:
    """An object with hooks for methods."""

    def __init__(self) -> None:
        self.mean: Any = None
        self.calls = 0

    def record(self, module: Any, args: Any, result: Any) -> None:
        """Keeps a statistic."""
        self.mean = result.detach().mean()
        self.calls += 1


def shifted(module: Any, args: Any) -> Any:
    return (args[0] + 1.0,)


def unpacked(module: Any, args: Any) -> Any:
    return args[0] * 2.0


def with_names(module: Any, args: Any, kwargs: Any) -> Any:
    return args, {**kwargs, "scale": 3.0}


def after_with_names(module: Any, args: Any, kwargs: Any, result: Any) -> Any:
    return result + kwargs.get("scale", 1.0)


def clamped(module: Any, args: Any, result: Any) -> Any:
    return result.clamp(min=-1.0)


class Layer(nn.Module):
    """A layer with a keyword."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x: Any, scale: float = 1.0) -> Any:
        return self.inner(x).tanh() * scale


REGISTRATIONS: dict[str, Callable[[Any], list[Any]]] = {
    "before": lambda m: [m.register_forward_pre_hook(shifted)],
    "before, one value": lambda m: [m.register_forward_pre_hook(unpacked)],
    "before, two": lambda m: [m.register_forward_pre_hook(shifted), m.register_forward_pre_hook(unpacked)],
    "before, prepended": lambda m: [
        m.register_forward_pre_hook(shifted),
        m.register_forward_pre_hook(unpacked, prepend=True),
    ],
    "with names": lambda m: [m.register_forward_pre_hook(with_names, with_kwargs=True)],
    "after": lambda m: [m.register_forward_hook(clamped)],
    "after with names": lambda m: [m.register_forward_hook(after_with_names, with_kwargs=True)],
    "after, always": lambda m: [m.register_forward_hook(clamped, always_call=True)],
    "of a layer inside": lambda m: [m.inner.register_forward_hook(clamped), m.inner.register_forward_pre_hook(shifted)],
    "both": lambda m: [m.register_forward_pre_hook(shifted), m.register_forward_hook(clamped)],
    "a lambda": lambda m: [m.register_forward_hook(lambda module, args, result: result * args[0].mean())],
}


@pytest.mark.parametrize("name", REGISTRATIONS)
def test_a_module_with_hooks_gives_inside_what_it_gives_outside(name: str) -> None:
    gl.manual_seed(1)
    model = Layer()
    plain, jitted = (lambda x: model(x) * 2.0), gl.jit(lambda x: model(x) * 2.0)
    x = gl.randn(4, 3)

    def compare() -> None:
        for _ in range(2):
            outs = []
            for function in (plain, jitted):
                model.zero_grad()
                out = function(x)
                out.sum().backward()
                outs.append([out, *(p.grad for p in model.parameters())])
            for one, other in zip(*outs, strict=True):
                same_tensor("out", one.detach(), other.detach(), relative=1e-4)

    compare()
    handles = REGISTRATIONS[name](model)
    compare()
    assert gl.explain(jitted).breaks == ()
    handles[0].remove()
    compare()
    for handle in handles[1:]:
        handle.remove()
    compare()
    assert gl.explain(jitted).breaks == ()


def test_hooks_keep_statistics() -> None:
    model, x = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), gl.randn(5, 3)
    recorders = [Recorder() for _ in model]
    for layer, recorder in zip(model, recorders, strict=True):
        layer.register_forward_hook(recorder.record)
    model(x)
    expected = [recorder.mean.item() for recorder in recorders]
    f = gl.jit(lambda x: model(x).sum())
    for _ in range(3):
        f(x).backward()
    assert [recorder.mean.item() for recorder in recorders] == pytest.approx(expected, rel=1e-5)
    assert [recorder.calls for recorder in recorders] == [4, 4, 4]
    assert all(type(recorder.mean) is gl.Tensor for recorder in recorders)
    assert gl.explain(f).breaks == ()


def test_a_hook_that_raises_calls_those_that_are_always_called() -> None:
    SEEN.clear()
    model, x = Layer(), gl.ones(2, 3)

    def fails(module: Any, args: Any, result: Any) -> None:
        raise ValueError("the result is refused")

    model.register_forward_hook(fails)
    model.register_forward_hook(lambda module, args, result: SEEN.append(result), always_call=True)
    for function in (model, gl.jit(lambda x: model(x))):
        for _ in range(2):
            with pytest.raises(ValueError, match="the result is refused"):
                function(x)
    assert SEEN == [None] * 4


def test_a_hook_registered_or_removed_within_a_call_counts_from_there_on() -> None:
    handles: list[Any] = []
    for jitted in (False, True):
        model, x = Layer(), gl.ones(2, 3)
        SEEN.clear()

        def once(module: Any, args: Any) -> None:
            SEEN.append("once")
            handles.pop().remove()
            module.register_forward_hook(lambda *_: SEEN.append("after"))

        handles.append(model.register_forward_pre_hook(once))
        function = gl.jit(lambda x, model=model: model(x) + 1.0) if jitted else (lambda x, model=model: model(x) + 1.0)
        for _ in range(3):
            function(x)
        assert SEEN == ["once", "after", "after", "after"]


def test_backward_hooks_are_called_with_the_gradients() -> None:
    found = []
    for jitted in (False, True):
        gl.manual_seed(0)
        model = Layer()
        seen: list[Any] = []
        model.register_full_backward_hook(lambda module, given, results, seen=seen: seen.append((given, results)))
        function = gl.jit(lambda x, model=model: model(x).sum()) if jitted else (lambda x, model=model: model(x).sum())
        for _ in range(2):
            x = gl.ones(2, 3, requires_grad=True)
            function(x).backward()
        found.append([[[g.tolist() for g in each] for each in pair] for pair in seen] + [x.grad.tolist()])
    assert found[0] == found[1]


def test_backward_hooks_in_a_step_are_part_of_the_graph_unless_they_keep_a_gradient() -> None:
    found = []
    kept: list[Any] = []
    for jitted in (False, True):
        gl.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        model[1].register_full_backward_hook(lambda module, given, results: (given[0].relu(),))
        model[2].register_full_backward_pre_hook(lambda module, results: (results[0] * 2,))
        norms: list[Any] = []

        def step(x: Any, model: Any = model, norms: Any = norms) -> Any:
            model.zero_grad()
            model(x).square().sum().backward()
            return [each.grad.clone() for each in model.parameters()]

        run = gl.jit(step) if jitted else step
        results = [run(gl.ones(2, 3) * k) for k in (1.0, 2.0)]
        model[0].register_full_backward_hook(
            lambda module, given, results, norms=norms: norms.append(results[0].norm())
        )
        results += [run((gl.ones(2, 3) * k).requires_grad_()) for k in (1.0, 2.0)]
        if jitted:
            assert not gl.explain(run).breaks
        model[1].register_full_backward_hook(lambda module, given, results: kept.append(results[0]))
        results += [run((gl.ones(2, 3) * k).requires_grad_()) for k in (1.0, 2.0)]
        if jitted:
            assert [each.code for each in gl.explain(run).breaks] == ["B407"]
        found.append([[each.tolist() for each in one] for one in results] + [each.item() for each in norms])
    assert found[0] == found[1]
    assert [each.tolist() for each in kept[:2]] == [each.tolist() for each in kept[2:]]
