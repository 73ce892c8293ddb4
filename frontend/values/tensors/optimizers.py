"""Optimizers, and their state for each parameter. Like modules they tell when they change: see `watched_modules`."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....core.watched_containers import STRUCTURE, WatchedDict
from ....guards.guard import Is
from ....guards.pool import Pool
from ....guards.sources import Attribute, Item, Named, Source, WeakSource, source_kind
from ....optim.optimizer import Optimizer, OptimizerState
from ....optim.placing import prepare_groups
from ....optim.updates import Update
from ...breaks import RAISES, SIDE_EFFECT
from .. import protocols
from ..base import Value, wrap, wraps_when
from ..constant import NONE, Constant
from ..effects.side_effects import Put
from ..numbers.computed import ComputedNumber
from ..numbers.input_scalar import InputNumber
from ..objects.descriptors import store
from ..objects.objects import bind, class_attribute
from .tensor import TensorValue
from .watched_modules import WatchedInstance, assume_class, assumed_element, identified

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

_READ_BY_US = frozenset({"defaults", "param_groups", "state"})
NEW = "\0made"
"""The key of the effect that makes an entry of the state."""


class StateEntryValue(Value):
    """The entry of an optimizer's state for one parameter. The call's writes to it are among the trace's effects."""

    __slots__ = ("entry", "source")

    def __init__(self, entry: Any, source: Source) -> None:
        self.entry = entry
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return WatchedDict

    def item(self, trace: Trace, key: Value) -> Value:
        name = key.constant(trace)
        put = trace.effects.pending.get((id(self.entry), name))
        if put is not None:
            assert isinstance(put, Put)
            return put.value
        if name not in self.entry:
            self.contains(trace, key)  # relies on its keys
            raise RAISES.stop(error=f"KeyError: {name!r}")
        return assumed_element(trace, self.entry, name, self.entry[name], f"{self.source}[{name!r}]")

    def contains(self, trace: Trace, element: Value) -> bool:
        name, reference = element.constant(trace), trace.facts.anchor(self.entry)
        if (id(self.entry), name) in trace.effects.pending:
            return True
        if (id(self.entry), NEW) in trace.effects.pending:
            return False
        keys = tuple(self.entry)
        trace.assume(
            self.entry, STRUCTURE, f"{self.source} has the keys {keys}", lambda: tuple(reference() or ()) == keys
        )
        return name in self.entry

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        name = key.constant(trace)
        if name in self.entry and self.item(trace, key) is value:
            return
        if not isinstance(value, (TensorValue, Constant, InputNumber)) or type(name) is not str:
            raise SIDE_EFFECT.stop(name=f"{self.source}[{name!r}]")
        trace.effects.pending[(id(self.entry), name)] = Put(Item(self.source, name), value)

    def length(self, trace: Trace) -> int:
        self.contains(trace, Constant(""))  # relies on its keys
        added = {name for owner, name in trace.effects.pending if owner == id(self.entry) and name != NEW}
        return len(added | set(self.entry))

    def truth(self, trace: Trace) -> bool:
        return self.length(trace) > 0

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in ("get", "setdefault"):
            raise self.unsupported(f"the attribute {name!r}")
        return StateMethod(self, name)


class StateMethod(Value):
    """`get` or `setdefault` of what an optimizer remembers of one parameter."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: StateEntryValue, name: str) -> None:
        self.owner = owner
        self.name = name

    @property
    def python_type(self) -> type:
        return types.MethodType

    def describe(self) -> str:
        return f"{self.owner.source}.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if kwargs or not 1 <= len(args) <= 2:
            raise self.unsupported("a call with other arguments than a key and a default")
        key, default = (*args, NONE)[:2]
        if self.owner.contains(trace, key):
            return self.owner.item(trace, key)
        if self.name == "setdefault":
            self.owner.set_item(trace, key, default)
        return default


class StateValue(Value):
    """An optimizer's `state`: what it remembers, by parameter."""

    __slots__ = ("entries", "source", "state")

    def __init__(self, state: Any, source: WeakSource) -> None:
        self.state = state
        self.source: Source = source
        self.entries: dict[int, StateEntryValue] = {}

    @property
    def python_type(self) -> type:
        return type(self.state)

    def has_new_values(self, trace: Trace, params: Iterable[Any]) -> bool:
        """Whether something is to be put after the call into what is remembered of these parameters."""
        known = [self.entries.get(id(param)) for param in params]
        entries = {id(dict.get(self.state, param)) for param in params} | {id(each.entry) for each in known if each}
        return any(owner in entries for owner, _ in trace.effects.pending)

    def item(self, trace: Trace, key: Value) -> Value:
        real = key.root.real if isinstance(key, TensorValue) else None
        if real is None:
            raise self.unsupported("a subscript that is no parameter")
        if id(real) not in self.entries:
            entry = dict.get(self.state, real)
            if entry is None and type(self.state) is OptimizerState and isinstance(key, TensorValue):
                return self._fresh(trace, key, real)
            if type(entry) is not WatchedDict:
                raise SIDE_EFFECT.stop(name=f"{self.source}[{key.describe()}]")
            held, of, param = trace.facts.anchor(entry), trace.facts.anchor(self.state), trace.facts.anchor(real)
            label = f"{self.source}[{key.source}]"
            trace.assume_same(self.state, real, f"{label} is the same dict", lambda: _get(of(), param()), held)
            self.entries[id(real)] = StateEntryValue(entry, WeakSource(held, label))
        return self.entries[id(real)]

    def _fresh(self, trace: Trace, key: TensorValue, real: Any) -> StateEntryValue:
        """A new entry, for a parameter that the state does not know: an empty dict, which is there from then on."""
        of, param = trace.facts.anchor(self.state), trace.facts.anchor(real)
        label = f"{self.source}[{key.source}]"
        trace.assume(self.state, real, f"there is no {label}", lambda: _get(of(), param()) is None)
        # It stands for the dict that the state makes when the effects are carried out, by being asked.
        made: WatchedDict[str, Any] = WatchedDict()
        place = Remembering(self.source, WeakSource(param, str(key.source)))
        trace.effects.pending[(id(made), NEW)] = StateEntryCreation(place)
        self.entries[id(real)] = StateEntryValue(made, place)
        return self.entries[id(real)]


@source_kind
class Remembering(Source):
    """The entry of an optimizer's state for a parameter."""

    state: Source
    param: Source

    def text(self, pool: Pool) -> str:
        return f"{self.state.text(pool)}[{self.param.text(pool)}]"

    def __str__(self) -> str:
        return f"{self.state}[{self.param}]"


@dataclass(eq=False)
class StateEntryCreation:
    """The effect that makes the entry of a state at `place`: to ask for it is enough."""

    place: Source

    def replay(self, writer: EntryWriter) -> list[str]:
        """The statement that asks."""
        return [self.place.text(writer.pool)]


def _get(state: Any, key: Any) -> Any:
    return None if state is None else dict.get(state, key)


class OptimizerValue(WatchedInstance):
    """An optimizer. Its containers are assumed, its param-group dicts and other attributes are guarded."""

    __slots__ = ("_state",)
    value: Optimizer
    source: WeakSource

    def __init__(self, value: Optimizer, source: WeakSource) -> None:
        super().__init__(value, source)
        self._state: StateValue | None = None

    def state(self, trace: Trace) -> StateValue:
        """`optimizer.state`."""
        if self._state is None:
            real = self.value.state
            place = Named(Item(Attribute(self.source, "__dict__"), "state"), f"{self.source}.state")
            self._state = StateValue(real, identified(trace, real, place))
        return self._state

    def declared_update(self, trace: Trace) -> Update:
        """The declaration that its class gives of its step."""
        found, source = class_attribute(trace, type(self.value), "_update")
        if not isinstance(found, Update):
            raise self.unsupported("a step without a declaration")
        trace.guard(Is, source, expected=found)
        return found

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "param_groups":
            prepare_groups(self.value)
        if name == "state":
            return self.state(trace)

        if name == "_hooks":
            return self._registered(trace)

        if name == "_init_group":
            found, source = class_attribute(trace, type(self.value), name)
            if found in protocols.OWN_INITS.load():
                bind(trace, found, source, self)  # its guards
                return protocols.init_group(self)
        return super().attribute(trace, name)

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        """`optimizer.name = value`, of a number that no code of ours reads. Errors: a break for anything else."""
        setter, source = class_attribute(trace, type(self.value), "__setattr__")
        plain = isinstance(value, (Constant, InputNumber, ComputedNumber)) and name not in _READ_BY_US
        if not plain or name.startswith("_") or setter is not vars(Optimizer)["__setattr__"]:
            super().set_attribute(trace, name, value)
        trace.guard(Is, source, expected=setter)
        store(trace, self, name, value)

    def _registered(self, trace: Trace) -> Value:
        """The hooks around its step, which are an object that never changes."""
        reference, hooks = self.source.reference, self.value._hooks
        if hooks is None:
            trace.assume(self.value, "_hooks", f"{self.source} has no hooks", lambda: reference()._hooks is None)
            return NONE
        held, label = trace.facts.anchor(hooks), f"the hooks of {self.source}"
        trace.assume_same(self.value, "_hooks", f"{label} are the same", lambda: reference()._hooks, held)
        return wrap(trace, hooks, WeakSource(held, label))


@wraps_when(lambda value: issubclass(type(value), Optimizer), first=True)
def wrap_optimizer(trace: Trace, value: Any, source: Source) -> Value:
    """An optimizer, by identity."""
    place = identified(trace, value, source)
    assume_class(trace, value, place)
    class_attribute(trace, type(value), "__getattribute__")
    for name in ("__setattr__", "__delattr__"):
        found, _ = class_attribute(trace, type(value), name)
        if found is not vars(Optimizer)[name]:
            raise OptimizerValue(value, place).unsupported(f"a {name} of its own")
    return OptimizerValue(value, place)
