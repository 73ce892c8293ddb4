"""Layers without state that a call makes, such as ``nn.CrossEntropyLoss()(logits, labels)``."""

# Note [Layers made by a call]
# A layer without parameters, buffers and other modules, made from constants, is what its arguments say: while tracing,
# its constructor runs once, and the trace reads the layer as any other. Each call makes its own only where it leaves
# the call. Whatever would change it, or ask who it is, is left to Python, which makes one then. The constructor of a
# layer with state may draw random numbers; so those that were drawn are put back before Python makes it.

from __future__ import annotations

import itertools
import types
import warnings
from typing import TYPE_CHECKING

from ....core.package import PACKAGE
from ....guards.guard import Is
from ....guards.sources import WeakSource
from ....nn import Module
from ....tensor.random import get_rng_state, set_rng_state
from ...breaks import GraphBreak
from ...python.object_construction import constructs
from ...values.base import Value
from ...values.builtin_callable import BuiltinCallable
from ...values.objects.classes import class_attribute
from ...values.tensors.watched_modules import LayerValue, wrap_module

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class MadeLayerValue(LayerValue):
    """A layer that the call makes of these arguments. See Note [Layers made by a call]."""

    __slots__ = ("args", "kwargs")
    args: list[Value]
    kwargs: dict[str, Value]

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        raise self.unsupported(f"the assignment of {name!r}")

    def delete_attribute(self, trace: Trace, name: str) -> None:
        raise self.unsupported(f"the deletion of {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.made_object(self)

    def maker(self, writer: EntryWriter) -> str:
        """The expression for a layer made of the same."""
        given = [each.rebuild(writer) for each in self.args]
        given += [f"{name}={each.rebuild(writer)}" for name, each in self.kwargs.items()]
        return f"{writer.pool.add(type(self.value))}({', '.join(given)})"

    def fill(self, writer: EntryWriter, name: str) -> list[str]:
        """Nothing: the constructor gave the layer all that it holds."""
        return []


@constructs(Module)
def made_module(trace: Trace, cls: BuiltinCallable, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The layer that ``cls(*args, **kwargs)`` gives; None where Python has to make it."""
    kind = cls.function
    for name in ("__new__", "__init__"):
        found, source = class_attribute(trace, kind, name)
        function = found.__func__ if isinstance(found, staticmethod) else found
        ours = isinstance(function, types.FunctionType) and function.__module__.partition(".")[0] == PACKAGE
        if not ours:
            return None
        trace.guard(Is, source, expected=found)
    try:
        given = [_plain(trace, each) for each in args]
        named = {name: _plain(trace, each) for name, each in kwargs.items()}
    except GraphBreak:
        return None
    module = _made(kind, given, named)
    if module is None:
        return None
    anchor = trace.facts.anchor(module)
    label = f"{kind.__name__}(...)"
    # The entry keeps the layer: nobody else does.
    trace.assume(module, "__class__", f"{label} is a {kind.__name__}", lambda: type(module) is kind)
    read = wrap_module(trace, module, WeakSource(anchor, label))
    if type(read) is not LayerValue:
        return None
    made = MadeLayerValue(module, read.source)
    made.args, made.kwargs = args, kwargs
    return made


def _plain(trace: Trace, value: Value) -> object:
    """The argument itself. Errors: a break for one that is not known while tracing."""
    return value.value if isinstance(value, MadeLayerValue) else value.constant(trace)


def _made(kind: type[Module], args: list[object], kwargs: dict[str, object]) -> Module | None:
    """The layer; None for one that has state of its own, and where the constructor warns or raises."""
    before = get_rng_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            module = kind(*args, **kwargs)
    except Exception:
        return None
    finally:
        set_rng_state(before)
    has_state = any(True for _ in itertools.chain(module.parameters(), module.buffers()))
    return None if has_state else module
