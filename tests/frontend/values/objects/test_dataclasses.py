"""Dataclasses, plain against jitted."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl


@dataclasses.dataclass
class Layer:
    w: Any
    rate: float = 0.5
    seen: list[Any] = dataclasses.field(default_factory=list)
    kind: str = dataclasses.field(default="plain", kw_only=True)

    def __post_init__(self) -> None:
        self.seen.append(self.rate)

    def forward(self, x: Any) -> Any:
        return x * self.w + self.rate


@dataclasses.dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0


@dataclasses.dataclass(slots=True)
class Slim:
    x: Any
    y: Any = 2.0


@dataclasses.dataclass
class Deep(Layer):
    extra: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, extra: float) -> None:
        super().__post_init__()
        self.rate = self.rate + extra


@pytest.mark.spec("S8.06")
def test_a_dataclass_is_made_used_and_returned() -> None:
    def function(x: Any) -> Any:
        first, second = Layer(x), Layer(x, 2.0, kind="other")
        second.seen.append(first.forward(x))
        return first.__dict__, vars_of(second), second.forward(x)

    def vars_of(layer: Any) -> Any:
        return layer.__dict__

    compiled(function, X)
    compiled(lambda x: (Deep(x).__dict__, Deep(x, extra=3.0).forward(x)), X)
    first, second = (gl.jit(fullgraph=True)(lambda x: Layer(x + 1))(X) for _ in range(2))
    assert type(first) is Layer and first.seen == [0.5] and first.seen is not second.seen


@pytest.mark.spec("S8.06")
def test_frozen_and_ordered() -> None:
    def function(x: Any, k: int) -> Any:
        one, two = Version(1), Version(1, k)
        return x + one.major, [one < two, one == two, one >= two, one == Version(1), one != 3]

    def broken(x: Any) -> Any:
        made = Version(1)
        made.major = 2  # type: ignore[misc]
        return x + 1

    compiled(function, X, 3)
    plain(broken, X, code="B304")
    assert gl.jit(fullgraph=True)(lambda x: (Version(1, 2), x + 1))(X)[0] == Version(1, 2)


def test_slots_and_replace() -> None:
    def function(x: Any) -> Any:
        made = Slim(x)
        made.y = made.x + made.y
        other = dataclasses.replace(made, x=1.0)
        return [made.x, made.y, other.x, other.y]

    compiled(function, X)
    made = gl.jit(fullgraph=True)(lambda x: Slim(x, x + 1))(X)
    assert type(made) is Slim and made.x is X and np.array_equal(made.y, X + 1)
    given = Slim(X)
    compiled(lambda y: given.x * given.y + y, Y)
