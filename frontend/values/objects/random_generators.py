"""Generators of random numbers: NumPy's, old and new, and those of Python's module `random`."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType
from ....graph.node import Node
from ....guards.guard import Is, TypeIs
from ....guards.sources import Attribute, ConstantSource, Source
from ...breaks import UNKNOWN_CALL
from ...tracing.generator_states import bit_generator_of, is_legacy, is_pythons
from ...tracing.random_draws import GENERATOR
from ...tracing.rules import Rule, checked_call
from .. import protocols
from ..base import Value, wraps_when
from ..builtin_callable import BuiltinCallable
from .builtin_methods import BuiltinMethod, defined
from .objects import Instance

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def refuse_draws(trace: Trace) -> None:
    """Errors: a break where the graph is run by a backend that knows nothing of NumPy's generators."""
    if not trace.backend.is_native:
        raise UNKNOWN_CALL.stop(name=f"a NumPy generator, under the backend {trace.backend.name!r}")


class RandomGenerator(Value):
    """A generator. See Note [Drawing].

    source: where the call reads it; None for one that the call makes. real: the object, in the traced call.
    """

    __slots__ = ("_word", "real", "source")

    def __init__(self, word: Node | None, source: Source | None, real: Any = None) -> None:
        self._word = word
        self.source = source
        self.real = real

    @property
    def python_type(self) -> type:
        import numpy as np

        return np.random.Generator

    @property
    def methods(self) -> dict[str, Rule]:
        """The rules of the methods by which it draws."""
        return protocols.RANDOM_METHODS.load()  # type: ignore[no-any-return]

    def stand_in(self) -> Any:
        """A generator of this type for trials, which nobody else has."""
        return self.python_type(sys.modules["numpy.random"].PCG64(0))

    def word(self, trace: Trace) -> Node:
        """The word that stands for it, a run-time input of the plan."""
        refuse_draws(trace)
        if self._word is None:
            assert self.source is not None
            self._word = trace.scalar_input(GENERATOR, TensorType((), dtypes.int64), self.source, self.real)
        return self._word

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in self.methods:
            raise self.unsupported(f"the attribute {name!r}")
        return DrawingMethod(self, name)


class DrawingMethod(BuiltinMethod):
    """A method of a generator that draws."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        owner: RandomGenerator = self.receiver
        called = f"{owner.python_type.__name__}.{self.name}"
        return checked_call(called, owner.methods[self.name], trace, owner, *args, **kwargs)


class LegacyGenerator(RandomGenerator):
    """A `RandomState`, such as the global generator of `np.random`. NumPy itself draws from it."""

    __slots__ = ()

    @property
    def python_type(self) -> type:
        import numpy as np

        return np.random.RandomState

    @property
    def methods(self) -> dict[str, Rule]:
        return protocols.LEGACY_RANDOM_METHODS.load()  # type: ignore[no-any-return]

    def stand_in(self) -> Any:
        return self.python_type(0)


class PythonGenerator(LegacyGenerator):
    """A generator of Python's module `random`: its own, or a `random.Random`."""

    __slots__ = ()

    @property
    def python_type(self) -> type:
        return sys.modules["random"].Random  # type: ignore[no-any-return]

    @property
    def methods(self) -> dict[str, Rule]:
        return protocols.PYTHON_RANDOM_METHODS.load()  # type: ignore[no-any-return]

    def word(self, trace: Trace) -> Node:
        raise UNKNOWN_CALL.stop(name="a draw of Python's module `random` with these arguments")

    def attribute(self, trace: Trace, name: str) -> Value:
        assert self.source is not None
        found = Instance(self.real, self.source).attribute(trace, name)  # with its guards
        is_own = name in vars(self.real) or name not in self.methods
        return found if is_own else DrawingMethod(self, name)


_METHOD_TYPES = types.MethodType, types.BuiltinMethodType
_BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


def _is_generator(value: Any) -> bool:
    """Whether an object is a generator over one of NumPy's own bit generators."""
    random = sys.modules.get("numpy.random")
    if random is None or type(value) not in (random.Generator, random.RandomState):
        return False
    return any(type(bit_generator_of(value)) is getattr(random, name) for name in _BIT_GENERATORS)


@wraps_when(_is_generator, first=True)
def wrap_generator(trace: Trace, value: Any, source: Source) -> Value:
    """The generator read at `source`. Two names of one generator are two values; their draws are in order even so."""
    held = "_bit_generator" if is_legacy(value) else "bit_generator"
    trace.guard(TypeIs, source, expected=type(value))
    trace.guard(TypeIs, Attribute(source, held), expected=type(bit_generator_of(value)))
    return (LegacyGenerator if is_legacy(value) else RandomGenerator)(None, source, value)


@wraps_when(lambda value: is_pythons(value), first=True)
def wrap_python_generator(trace: Trace, value: Any, source: Source) -> Value:
    """A `random.Random` that is read at `source`."""
    trace.guard(TypeIs, source, expected=type(value))
    return PythonGenerator(None, source, value)


def _method_of_module(value: Any) -> str | None:
    """The method of the generator of Python's module `random` that a function is; None for others."""
    random: Any = sys.modules.get("random")
    if random is None or type(value) not in _METHOD_TYPES or value.__self__ is not random._inst:
        return None
    name: str = value.__name__
    function = getattr(value, "__func__", None)
    return name if function is None or function is defined(random.Random, name) else None


_FUNCTIONS = {"seed": "seed", "ranf": "random_sample", "sample": "random_sample"}
"""Functions of `np.random` that are no methods, and the methods of the global generator that they call."""


def _method_of_global(value: Any) -> str | None:
    """The method of the global generator that a function of `np.random` is or calls; None for others."""
    random = sys.modules.get("numpy.random")
    if random is None or not callable(value):
        return None
    owner = getattr(value, "__self__", None) if type(value) in _METHOD_TYPES else None
    if owner is not None:
        return value.__name__ if owner is random.mtrand._rand else None
    if type(value).__name__ not in ("cython_function_or_method", "builtin_function_or_method"):
        return None
    found = next((method for name, method in _FUNCTIONS.items() if getattr(random, name, None) is value), None)
    if found == "seed" and type(bit_generator_of(random.mtrand._rand)) is not random.MT19937:
        return None  # which makes a new bit generator
    return found


@wraps_when(lambda value: _method_of_module(value) in protocols.PYTHON_RANDOM_METHODS.load(), before_types=True)
def wrap_module_draw(trace: Trace, value: Any, source: Source) -> Value:
    """A function of Python's module `random`, which is a method of the generator that it has."""
    trace.guard(Is, source, expected=value)
    owner = value.__self__
    return DrawingMethod(PythonGenerator(None, ConstantSource(owner, "random"), owner), value.__name__, source)


@wraps_when(
    lambda value: (
        _method_of_global(value) in protocols.LEGACY_RANDOM_METHODS.load()
        and _is_generator(sys.modules["numpy.random"].mtrand._rand)
    ),
    before_types=True,
)
def wrap_global_draw(trace: Trace, value: Any, source: Source) -> Value:
    """A function of `np.random` that draws from the global generator."""
    name = _method_of_global(value)
    assert name is not None
    trace.guard(Is, source, expected=value)
    owner = sys.modules["numpy.random"].mtrand._rand
    return DrawingMethod(wrap_generator(trace, owner, ConstantSource(owner, "np.random")), name, source)


def _makes_generators(value: Any) -> bool:
    random = sys.modules.get("numpy.random")
    return random is not None and value is random.default_rng


@wraps_when(_makes_generators, first=True)
def wrap_default_rng(trace: Trace, value: Any, source: Source) -> Value:
    """`np.random.default_rng`, which is no function of Python's own kinds."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)
