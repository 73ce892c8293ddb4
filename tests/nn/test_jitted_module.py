"""`gl.jit` of a module: the module in all but its call, which is compiled."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of


class Net(nn.Module):
    """A small net with a buffer, an attribute and a slot of its own."""

    __slots__ = ("cached",)

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.second = nn.Linear(6, 2)
        self.register_buffer("steps", gl.zeros(1))
        self.scale = 2.0
        self.cached = "nothing"

    def forward(self, x: Any, *, shift: float = 0.0) -> Any:
        """The output of the two layers."""
        h = self.first(x).relu()
        if self.training:
            h = h * 0.5
        return self.second(h) * self.scale + shift

    def doubled(self, x: Any) -> Any:
        """Twice the call of the module."""
        return self(x) * 2.0


def halved(module: Any, args: Any, result: Any) -> Any:
    """A hook behind `forward`."""
    return result * 0.5


def compiled(form: Any) -> int:
    """The number of entries with compiled code that a call has."""
    report = gl.explain(form)
    return sum(not entry.plain for entry in report.entries)


def same(found: Any, expected: Any) -> None:
    """Asserts that two tensors agree."""
    assert found.shape == expected.shape
    assert (found - expected).abs().max().item() < 1e-6


def test_it_is_the_module() -> None:
    model = Net()
    fast = gl.jit(model)
    assert isinstance(fast, Net) and isinstance(fast, nn.Module)
    assert fast.__class__ is Net and fast.__wrapped__ is model and fast is not model
    assert repr(fast) == repr(model)
    assert fast.first is model.first
    assert list(fast.state_dict()) == list(model.state_dict()) == [
        *("steps", "first.weight", "first.bias", "second.weight", "second.bias")
    ]  # fmt: skip
    assert all(one is other for one, other in zip(fast.parameters(), model.parameters(), strict=True))
    assert [name for name, _ in fast.named_modules()] == ["", "first", "second"]
    assert vars(fast) is vars(model)
    assert fast.forward.__func__ is Net.forward


def test_the_call_is_compiled_and_that_of_the_module_is_not() -> None:
    model, x = Net(), gl.randn(3, 4)
    fast = gl.jit(model)
    for _ in range(2):
        same(fast(x), model(x))
        same(fast(x, shift=1.0), model(x, shift=1.0))
        same(fast.doubled(x), model.doubled(x))
    assert compiled(fast) == 1
    assert state_of(model.forward.__func__) is None


def test_what_is_done_to_one_of_the_two_is_done_to_the_other() -> None:
    model, x = Net(), gl.randn(3, 4)
    fast = gl.jit(model)
    same(fast(x), model(x))
    fast.eval()
    assert model.training is False and model.first.training is False
    same(fast(x), model(x))
    model.scale = 3.0
    assert fast.scale == 3.0
    same(fast(x), model(x))
    fast.cached = "something"
    assert model.cached == "something"
    fast.second = nn.Linear(6, 5)
    assert model.second is fast.second
    assert fast(x).shape == (3, 5)
    same(fast(x), model(x))
    fast.load_state_dict({name: gl.ones_like(value) for name, value in model.state_dict().items()})
    same(fast(x), model(x))
    fast.to(gl.float64)
    assert model(x.double()).dtype == fast(x.double()).dtype == gl.float64
    del fast.scale
    assert not hasattr(model, "scale")


def test_hooks_are_called_and_compiled() -> None:
    model, x = Net(), gl.randn(3, 4)
    fast = gl.jit(model)
    plain = model(x)
    handle = fast.register_forward_hook(halved)
    same(model(x), plain * 0.5)
    for _ in range(2):
        same(fast(x), plain * 0.5)
    assert gl.explain(fast).breaks == ()
    assert compiled(fast) == 1
    inner = model.first.register_forward_hook(halved)
    same(fast(x), model(x))
    inner.remove()
    handle.remove()
    same(fast(x), plain)


def test_a_forward_and_a_call_of_its_own() -> None:
    class Called(Net):
        def __call__(self, x: Any) -> Any:
            return super().__call__(x) + 1.0

    model, x = Called(), gl.randn(3, 4)
    fast = gl.jit(model)
    same(fast(x), model(x))
    assert gl.explain(fast).breaks == ()
    model = Net()
    fast = gl.jit(model)
    same(fast(x), model(x))
    model.forward = lambda x: x * 3.0
    same(fast(x), x * 3.0)


def test_it_trains() -> None:
    losses = []
    x, y = gl.randn(8, 4), gl.randn(8, 2)
    start = Net().state_dict()
    for jitted in (False, True):
        model = Net()
        model.load_state_dict(start)
        run = gl.jit(model) if jitted else model
        optimizer = optim.Adam(run.parameters(), lr=0.05)
        for _ in range(10):
            loss = (run(x) - y).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)


def test_it_is_pickled_and_copied() -> None:
    model, x = Net(), gl.randn(3, 4)
    fast = gl.jit(model, dynamic=False)
    for other in (pickle.loads(pickle.dumps(fast)), copy.deepcopy(fast)):
        assert isinstance(other, Net) and type(other) is type(fast)
        assert other.first is not model.first
        same(other(x), model(x))
        other(gl.randn(5, 4))
        assert compiled(other) == 2  # one for each size, as was asked for
    shallow = copy.copy(fast)
    assert shallow.__wrapped__ is not model
    assert shallow.first is model.first
    same(shallow(x), model(x))


def test_it_is_a_child_of_another_module_and_called_in_a_jitted_function() -> None:
    model, x = Net(), gl.randn(3, 4)
    fast = gl.jit(model)

    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = fast

        def forward(self, x: Any) -> Any:
            return self.inner(x) + 1.0

    outer = Outer()
    assert list(outer.state_dict())[:2] == ["inner.steps", "inner.first.weight"]
    f = gl.jit(lambda x: outer(x) + fast(x))
    for _ in range(2):
        same(f(x), model(x) * 2.0 + 1.0)
    assert gl.explain(f).breaks == ()
    model.eval()
    same(f(x), model(x) * 2.0 + 1.0)
    returned = gl.jit(lambda x: (fast, x + 1.0))
    assert returned(x)[0] is fast
    layers = gl.jit(nn.Sequential(nn.Linear(4, 4), nn.ReLU()))
    walked = gl.jit(lambda x: [layer(x) for layer in layers])
    for found, layer in zip(walked(x), layers, strict=True):
        same(found, layer(x))
    assert gl.explain(walked).breaks == ()


def test_what_the_class_does_for_its_subclasses_is_not_done() -> None:
    known = []

    class Registered(nn.Module):
        def __init_subclass__(cls) -> None:
            known.append(cls)

        def forward(self, x: Any) -> Any:
            return x + 1.0

        def another(self) -> Any:
            return type(self)()

    fast = gl.jit(Registered())
    assert known == []
    assert fast(gl.ones(2)).tolist() == [2.0, 2.0]
    assert type(fast.another()) is Registered


def test_jit_of_a_jitted_module_and_settings() -> None:
    model = Net()
    fast = gl.jit(model)
    assert gl.jit(fast).__wrapped__ is model

    class Loud(nn.Module):
        def forward(self, x: Any) -> Any:
            print(x.shape)
            return x

    with pytest.raises(gl.Unsupported, match="print"):
        gl.jit(Loud(), fullgraph=True)(gl.ones(2))


def test_nothing_keeps_it_alive() -> None:
    model = Net()
    fast = gl.jit(model)
    fast(gl.randn(3, 4))
    gone = [weakref.ref(each) for each in (model, fast, type(fast))]
    del model, fast
    gc.collect()
    assert [each() for each in gone] == [None, None, None]
