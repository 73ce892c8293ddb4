"""Guards, explanations and the tracer's first look at a value run no code of the value's class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of

X = np.array([1.0, 2.0, 3.0])
SEEN: list[str] = []

SPECIAL = """
__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ __len__ __iter__ __next__ __contains__ __getitem__
__call__ __index__ __int__ __float__ __add__ __radd__ __mul__ __rmul__ __sub__ __truediv__ __rtruediv__
__neg__ __abs__ __pow__ __repr__ __str__ __format__ __array__ __array_interface__ __array_struct__ __dir__
__instancecheck__ __fspath__ __getattr__
""".split()


def _recorder(name: str) -> Callable[..., Any]:
    def record(*_: Any) -> Any:
        SEEN.append(name)
        raise AttributeError(name)

    return record


class Spy:
    """Records every call of a special method and every attribute that is read."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        SEEN.append(name)
        raise AttributeError(name)


for _name in SPECIAL:
    setattr(Spy, _name, _recorder(_name))


class Cunning(Spy):
    """A spy that has a dict of its own, in the form of a property."""

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        SEEN.append("__dict__")
        return {}

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        SEEN.append("__class__")
        return float


class Model:
    scale = 2.0

    def __init__(self) -> None:
        self.w = X.copy()

    def forward(self, x: Any) -> Any:
        return x * self.w * self.scale


def uses_it(x: Any, v: Any) -> Any:
    return x + 1


def branch(x: Any, v: Any) -> Any:
    return x + 1 if v is None else x - 1


FUNCTIONS: list[tuple[Callable[..., Any], Any]] = [
    (uses_it, 2.0),
    (uses_it, [1, 2]),
    (uses_it, {"a": 1, 2: 3}),
    (uses_it, X),
    (uses_it, Model()),
    (uses_it, len),
    (uses_it, uses_it),
    (uses_it, "text"),
    (uses_it, np.float32(2)),
    (uses_it, Model().forward),
    (uses_it, np),
    (uses_it, np.dtype(float)),
    (branch, None),
    (branch, 2.0),
    (branch, X),
]


@pytest.mark.spec("S7.10")
@pytest.mark.parametrize("spy", [Spy, Cunning])
@pytest.mark.parametrize("place", range(len(FUNCTIONS)))
def test_a_new_kind_of_argument_is_told_by_its_type_alone(place: int, spy: type) -> None:
    function, first = FUNCTIONS[place]
    jitted = gl.jit(function)
    with under("reference"):
        jitted(X, first)
        SEEN.clear()
        for _ in range(2):
            assert jitted(X, spy()).tolist() == function(X, spy()).tolist()
    assert not SEEN


def after(function: Callable[..., Any], first: Any, second: Any, *, hits: bool = False) -> list[str]:
    """The code that runs when a function compiled for `first` is called with `second`, less what plain Python runs."""
    jitted = gl.jit(function)
    with under("reference"):
        jitted(X, first)
        assert not state_of(jitted).entries[0].plain  # type: ignore[union-attr]
        SEEN.clear()
        try:
            function(X, second)
        except Exception:  # noqa: S110
            pass
        plainly = list(SEEN)
        SEEN.clear()
        try:
            jitted(X, second)
        except Exception:  # noqa: S110
            pass
    assert SEEN[: len(plainly)] == plainly or not plainly
    return SEEN[len(plainly) :]


CONDITIONS: list[tuple[Callable[..., Any], Any]] = [
    (lambda x, v: x * v, 2.0),
    (lambda x, v: x * (v + 1), 2.0),
    (lambda x, v: x + 1 if v > 1 else x - 1, 2.0),
    (lambda x, v: x + v if v > 1 else x - 1, 2.0),
    (lambda x, v: x + (v * 3) if v * 2 > 1 else x - 1, 2),
    (lambda x, v: x + 1 if v == 2 else x - 1, 2),
    (lambda x, v: x + 1 if v else x - 1, 2),
    (lambda x, v: x[v], 2),
    (lambda x, v: x + range(4)[v], 2),
    (lambda x, v: x + 1 if v == "a" else x - 1, "a"),
    (lambda x, v: x + abs(v), 2.0),
    (lambda x, v: (x + 1, 1.0 / v), 2.0),
    (lambda x, v: v(x), uses_it.__get__(X)),
    (lambda x, v: v(x, None), uses_it),
    (lambda x, v: x + len(v), [1]),
    (lambda x, v: x + v[0], [1]),
    (lambda x, v: x + v["a"], {"a": 1}),
    (lambda x, v: v.forward(x), Model()),
]


@pytest.mark.spec("S7.10")
@pytest.mark.parametrize("spy", [Spy, Cunning])
@pytest.mark.parametrize("place", range(len(CONDITIONS)))
def test_a_condition_is_not_evaluated_on_an_object_of_another_class(place: int, spy: type) -> None:
    function, first = CONDITIONS[place]
    assert after(function, first, spy()) == []


def test_items_are_not_compared_with_the_objects_that_replace_them() -> None:
    for value, change in (([1, 2.0], [1, Spy()]), ({"a": 1}, {"a": Spy()}), ((1, "a"), (Spy(), "a"))):
        assert after(lambda x, v: x + len(v), value, change) == []


class Key(str):
    def __eq__(self, other: object) -> bool:
        SEEN.append("Key.__eq__")
        return str(self) == other

    def __hash__(self) -> int:
        return str.__hash__(self)


def test_keys_are_not_compared_with_the_objects_that_replace_them() -> None:
    assert after(lambda x, v: x + len(v), {"a": 1}, {Key("a"): 1}) == []
    # Looking a text up in such a dict runs the key's code in Python too; the guard must not do so once more.
    assert after(lambda x, v: x + v["a"], {"a": 1}, {Key("a"): 1}) == []


class Dictionary(dict):  # type: ignore[type-arg]
    def __getitem__(self, key: Any) -> Any:
        SEEN.append("Dictionary.__getitem__")
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        SEEN.append("Dictionary.__contains__")
        return super().__contains__(key)


def test_the_dict_of_an_instance_may_become_one_with_code() -> None:
    def function(x: Any, model: Any) -> Any:
        return model.forward(x)

    model, jitted = Model(), gl.jit(function)
    with under("reference"):
        before = jitted(X, model)
        model.__dict__ = Dictionary(vars(model))
        SEEN.clear()
        assert jitted(X, model).tolist() == before.tolist()
    assert not SEEN


class Descriptor:
    def __get__(self, owner: Any, kind: Any) -> Any:
        SEEN.append("Descriptor.__get__")
        return 5.0


def test_a_class_attribute_may_become_a_descriptor() -> None:
    class Late(Model): ...

    def function(x: Any, model: Any) -> Any:
        return x * model.scale

    model, jitted = Late(), gl.jit(function)
    with under("reference"):
        jitted(X, model)
        Late.scale = Descriptor()  # type: ignore[assignment]
        SEEN.clear()
        assert jitted(X, model).tolist() == (X * 5).tolist()
    assert SEEN == ["Descriptor.__get__"]  # once, by the plain call


def test_a_module_may_get_a_getattr() -> None:
    import types

    holder = types.ModuleType("holder")
    holder.rate = 2.0  # type: ignore[attr-defined]
    jitted = gl.jit(lambda x: x * holder.rate)
    with under("reference"):
        jitted(X)
        del holder.rate  # type: ignore[attr-defined]
        holder.__getattr__ = lambda name: SEEN.append(name) or 7.0  # type: ignore[method-assign,assignment,func-returns-value]
        SEEN.clear()
        assert jitted(X).tolist() == (X * 7).tolist()
    assert SEEN == ["rate"]
