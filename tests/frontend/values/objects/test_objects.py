"""Attributes of instances, classes and modules, plain against jitted."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl
from guardlift.frontend import state_of


class Base:
    scale = 2.0
    table = np.array([1.0, 2.0, 3.0, 4.0])
    bias: Any = None
    act = np.tanh

    def shift(self, x: Any) -> Any:
        return x + self.scale


class Layer(Base):
    def __init__(self, w: Any) -> None:
        self.w = w
        self.rate = 0.5

    @property
    def doubled(self) -> Any:
        return self.w * 2

    @staticmethod
    def cube(x: Any) -> Any:
        return x * x * x

    @classmethod
    def scaled(cls, x: Any, by: float = 3.0) -> Any:
        return x * cls.scale * by

    @functools.cached_property
    def heavy(self) -> Any:
        return self.w + 100

    def forward(self, x: Any) -> Any:
        x = self.shift(x * self.w) * self.rate + self.table
        return x if self.bias is None else x + self.bias

    def __call__(self, x: Any) -> Any:
        return self.forward(x) + 1


@dataclasses.dataclass(eq=False)
class Point:
    x: Any
    scale: float = 2.0
    offset: Any = None

    def moved(self, by: Any) -> Any:
        return self.x * self.scale + by


class Slotted:
    __slots__ = ("w",)

    def __init__(self, w: Any) -> None:
        self.w = w


class Dynamic:
    def __init__(self) -> None:
        self.asked = 0

    def __getattr__(self, name: str) -> Any:
        self.asked += 1
        return 3.0


@pytest.mark.spec("S8.06")
def test_methods_and_attributes() -> None:
    compiled(lambda layer, x: layer.forward(x), Layer(X), Y)
    compiled(lambda layer, x: layer(x) + layer.table, Layer(X), Y)
    compiled(Layer.forward, Layer(X), Y)


def test_a_class_attribute_may_be_none_or_hidden_by_the_instance() -> None:
    layer = Layer(X)
    compiled(lambda layer, x: x + 1 if layer.bias is None else x + layer.bias, layer, Y)
    layer.bias = Y
    layer.scale = 7.0
    compiled(lambda layer, x: (layer.forward(x), layer.scale), layer, Y)


@pytest.mark.spec("S8.06")
def test_properties_static_and_class_methods() -> None:
    compiled(lambda layer, x: layer.doubled + layer.cube(x) + layer.scaled(x), Layer(X), Y)
    compiled(lambda x: Layer.cube(x) + Layer.scaled(x, by=2.0) + Layer.scale + Base.table, X)


def test_a_cached_property_is_filled_and_read() -> None:
    layer = Layer(X)
    compiled(lambda layer: layer.heavy * 2, layer, recompiles=1)
    layer.heavy  # noqa: B018
    compiled(lambda layer: layer.heavy * 2, layer)


def test_bound_methods_are_values() -> None:
    layer = Layer(X)
    compiled(lambda x: layer.forward(x), Y)
    method = layer.forward
    compiled(lambda x: method(x), Y)
    compiled(lambda layer, x: [step(x) for step in (layer.forward, layer.shift)], layer, Y)


def test_a_function_in_a_class_that_is_not_a_python_function() -> None:
    compiled(lambda layer, x: layer.act(x), Layer(X), Y)


def test_dataclasses() -> None:
    compiled(lambda point, y: point.moved(y) if point.offset is None else y, Point(X), Y)


def test_slots_are_read_and_a_getattr_has_its_effects() -> None:
    slotted, dynamic = Slotted(X), Dynamic()
    compiled(lambda y: slotted.w + y, Y)
    compiled(lambda y: dynamic.missing + y, Y)
    assert dynamic.asked == 4  # two calls plainly and two jitted, none by the tracer


def test_a_missing_attribute_raises_as_in_python() -> None:
    plain(lambda layer, x: x + layer.nothing, Layer(X), Y, code="B304")


def test_an_array_attribute_may_be_updated_in_place() -> None:
    def step(layer: Any, grad: Any) -> Any:
        layer.w -= layer.rate * grad
        return layer.w.sum()

    layer = Layer(X.copy())
    kept = layer.w
    jitted = gl.jit(fullgraph=True)(step)
    jitted(layer, Y)
    jitted(layer, Y)
    assert layer.w is kept and np.allclose(kept, X - Y)
    compiled(step, Layer(X), Y)


def test_an_in_place_update_through_a_custom_setattr_runs_plainly() -> None:
    class Watched(Layer):
        def __setattr__(self, name: str, value: Any) -> None:
            vars(self)[name] = value
            vars(self)["writes"] = vars(self).get("writes", 0) + 1

    def step(layer: Any, grad: Any) -> Any:
        layer.w -= grad
        return layer.w * 2

    watched = Watched(X.copy())
    jitted, before = gl.jit(step), watched.writes
    jitted(watched, Y)
    jitted(watched, Y)
    assert watched.writes == before + 2


def test_a_setattr_that_comes_later_is_obeyed() -> None:
    class Late(Layer): ...

    def step(layer: Any, grad: Any) -> Any:
        layer.w -= grad
        return layer.w * 2

    late, calls = Late(X.copy()), []
    jitted = gl.jit(step)
    jitted(late, Y)
    assert state_of(jitted).entries[0].slot >= 0
    Late.__setattr__ = lambda self, name, value: calls.append(name)  # type: ignore[method-assign,assignment]
    jitted(late, Y)
    assert calls == ["w"]


def test_attributes_of_modules() -> None:
    compiled(lambda x: np.linalg.norm(x) if False else np.sqrt(x * x) + np.pi + np.e, X)


class Registered(type):
    classes: dict[str, type] = {}

    def __new__(cls, name: str, bases: tuple[type, ...], table: dict[str, Any], **keywords: Any) -> Any:
        made = super().__new__(cls, name, bases, table)
        cls.classes[name] = made
        return made

    def __call__(cls, *args: Any) -> Any:
        made = super().__call__(*args)
        made.made_by = cls.__name__
        return made

    def shown(cls) -> str:
        return "of the metaclass"


class Scale(metaclass=Registered):
    factor = 3.0

    def __init__(self, shift: float) -> None:
        self.shift = shift

    def __call__(self, x: Any) -> Any:
        return x * self.factor + self.shift

    def __len__(self) -> int:
        return 2

    def __getattr__(self, name: str) -> float:
        return float(len(name))


class Equal(type):
    def __eq__(cls, other: object) -> bool:
        return True

    __hash__ = type.__hash__


class Alike(metaclass=Equal):
    factor = 2.0


def test_instances_of_a_class_with_a_metaclass_are_followed_unless_it_has_other_special_methods() -> None:
    def applied(layer: Any, x: Any) -> Any:
        layer.calls = layer.calls + 1
        found = hasattr(layer, "shown")  # what the metaclass has, instances have not: asked of `__getattr__`
        return layer(x) + len(layer) * layer.abc, layer.made_by, found, isinstance(layer, Scale)

    jitted, layer, twin = gl.jit(applied), Scale(1.0), Scale(1.0)
    x = np.arange(3.0)
    for change in (lambda: None, lambda: setattr(Scale, "factor", 5.0), lambda: setattr(Scale, "__len__", lambda s: 4)):
        change()
        mine, expected = jitted(layer, x), applied(twin, x)
        assert mine[0].tolist() == expected[0].tolist() and mine[1:] == expected[1:]
        assert vars(layer) == vars(twin)
    assert gl.explain(jitted).breaks == ()

    same = gl.jit(lambda one, other: (type(one) == type(other), one.factor))  # noqa: E721
    assert same(Alike(), layer) == (True, 2.0)
    assert gl.explain(same).breaks != ()


def test_functions_that_programs_make_of_numpys_classes_are_not_told_apart() -> None:
    def evaluated(x: Any, f: Any, p: Any) -> Any:
        return f(x, 0.5) + p(x), np.poly1d([1.0, 2.0])(x) * 2

    jitted, x = gl.jit(evaluated), np.arange(4.0)
    for k in range(12):  # more than an entry for each could be
        made = np.vectorize(lambda a, b, k=k: a + b + k), np.poly1d([1, k])
        for mine, expected in zip(jitted(x, *made), evaluated(x, *made), strict=True):
            np.testing.assert_array_equal(mine, expected)
    state = state_of(jitted)
    assert state is not None
    assert not [event for event in state.history if event.kind == "recompile"]
