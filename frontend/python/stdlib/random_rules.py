"""Draws of Python's module `random` while tracing. See Note [Draws before the plan] in `tracing.random_draws`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...breaks import UNKNOWN_CALL, GraphBreak
from ...tracing.rules import Rule
from ...values import protocols
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.sequences import ListValue
from ...values.objects.random_generators import PythonGenerator
from ..operators import operate

if TYPE_CHECKING:
    from ...tracing.trace import Trace

METHOD = "random.Random."
"""Begins the names of its methods."""


def _refused(name: str) -> GraphBreak:
    return UNKNOWN_CALL.stop(name=f"random.{name} with these arguments")


def _drawn(name: str) -> Rule:
    """The rule of a method that the call itself makes. Errors: a break for arguments that only the plan knows."""

    def rule(trace: Trace, generator: PythonGenerator, /, *args: Value, **kwargs: Value) -> Value:
        drawn: Value | None = protocols.draw_before_plan(trace, METHOD + name, generator, args, kwargs)
        if drawn is None:
            raise _refused(name)
        return drawn

    return rule


random = _drawn("random")


def uniform(trace: Trace, generator: PythonGenerator, a: Value, b: Value) -> Value:
    """`random.uniform`, which is ``a + (b - a) * random()``."""
    return operate(trace, "+", a, operate(trace, "*", operate(trace, "-", b, a), random(trace, generator)))


def shuffled(generator: Any, items: list[Any]) -> list[Any]:
    """A list of Python's, shuffled."""
    generator.shuffle(items)
    return items


def shuffle(trace: Trace, generator: PythonGenerator, x: Value) -> Value:
    """`random.shuffle` of a list of numbers. Errors: a break for other lists."""
    if type(x) is not ListValue or not all(
        isinstance(each, Constant) and type(each.value) in (int, float) for each in x.items
    ):
        raise _refused("shuffle")
    drawn = protocols.draw_before_plan(trace, SHUFFLED, generator, [x], {})
    if not isinstance(drawn, ListValue):
        raise _refused("shuffle")
    x.changing()[:] = drawn.items
    return NONE


SHUFFLED = f"{__name__}.shuffled"
_BY_THE_CALL = (
    *("random", "randint", "randrange", "choice", "choices", "sample", "getrandbits", "seed", "gauss"),
    *("normalvariate", "expovariate", "betavariate", "gammavariate", "triangular", "lognormvariate"),
    *("vonmisesvariate", "paretovariate", "weibullvariate"),
)
METHODS: dict[str, Rule] = {
    **{name: _drawn(name) for name in _BY_THE_CALL},
    "uniform": uniform,
    "shuffle": shuffle,
}
"""Rules of the methods by which a trace draws, by name."""
