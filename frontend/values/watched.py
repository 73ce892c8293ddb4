"""Containers, modules and optimizers that tell when they change: what the trace reads of them is assumed, not guarded.

The object a chain starts from (a module in a global, an argument, an item of the user's own list) keeps a guard for its
identity. From there on everything is reached through weak references; nothing compiled keeps a model alive.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.watched_containers import STRUCTURE, WatchedDict, WatchedList
from ...guards.guard import Is, WeakIs
from ...guards.sources import Alive, Anchor, Attribute, Item, Moves, Named, Pool, Source, source_kind
from ...nn import Module
from ...nn.own_attributes import OwnAttributes
from ...optim import Optimizer
from ...optim.optimizer import OptimizerState
from ...optim.updates import Update
from ..breaks import RAISES, SIDE_EFFECT
from ..effects import Put
from .base import Value, wrap, wraps_when
from .constant import NONE, Constant
from .dicts import DictValue
from .objects import ABSENT, Instance, bind, class_attribute, is_read_plainly
from .scalar import Scalar
from .sequences import ListValue
from .tensor import TensorValue

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace

TABLES = ("_parameters", "_buffers", "_modules")


def identified(trace: Trace, value: Any, source: Source) -> Alive:
    """The weak source of an object, whose identity is guarded unless an assumption implies it."""
    if isinstance(source, Alive):
        return source
    anchor = trace.anchor(value)
    trace.guard(WeakIs, source, reference=anchor)
    return Alive(anchor, str(source))


def assumed_element(trace: Trace, owner: Any, key: Any, value: Any, label: str) -> Value:
    """The traced value of what a watched container holds under a key."""
    container = trace.anchor(owner)
    if value is None or type(value) in (bool, str, bytes):
        trace.assume(owner, key, f"{label} is {value!r}", lambda: _at(container, key) is value)
        return Constant(value)
    try:
        held = trace.anchor(value)
    except TypeError:
        # An object of the user's own: reached anew at every call, with guards of its own.
        source: Source = Named(Item(Alive(container, label), key), label)
        return wrap(trace, value, source)
    trace.assume_same(owner, key, f"{label} is the same object", lambda: _at(container, key), held)
    return wrap(trace, value, Alive(held, label))


def _assume_lacking(trace: Trace, owner: Any, key: str, label: str) -> None:
    """Rely on a watched dict not having a key."""
    reference = trace.anchor(owner)
    trace.assume(owner, key, f"{label} has no {key!r}", lambda: key not in reference())


def _at(container: Anchor, key: Any) -> Any:
    owner: Any = container()
    try:
        return owner[key]
    except (LookupError, TypeError):
        return STRUCTURE  # nothing anybody assumed


@wraps_when(lambda value: type(value) is WatchedList, first=True)
def wrap_list(trace: Trace, value: Any, source: Source) -> Value:
    """A list of ours: its structure is assumed, so its elements are known."""
    place = identified(trace, value, source)
    owner, label = place.reference, str(source)
    held = list(value)
    elements = _Elements(owner, [_recognised(trace, each) for each in held])
    fact = f"{label} holds the same {len(held)} elements"
    trace.assume(value, STRUCTURE, fact, elements.are_same, elements.renew)
    return ListValue([_member(trace, value, k, each, f"{label}[{k}]") for k, each in enumerate(held)], place)


@dataclass(frozen=True, eq=False)
class _Elements:
    """What a list of ours holds: anchors, and addresses of what has no weak reference, as a plain dict."""

    owner: Anchor
    known: list[Anchor | int]

    def are_same(self) -> bool:
        """Whether it holds them now."""
        now = self.owner()
        return len(now) == len(self.known) and all(map(_is_there, now, self.known))

    def renew(self, moves: Moves) -> bool:
        """Has the anchors moved to the elements of now, where these are as many and of the same types."""
        now = list(self.owner())
        return len(now) == len(self.known) and all(
            moves.put(known, each) if isinstance(known, Anchor) else _is_there(each, known)
            for each, known in zip(now, self.known, strict=True)
        )


def _recognised(trace: Trace, value: Any) -> Anchor | int:
    try:
        return trace.anchor(value)
    except TypeError:
        return id(value)


def _is_there(value: Any, known: Anchor | int) -> bool:
    return known() is value if isinstance(known, Anchor) else id(value) == known


def _member(trace: Trace, owner: Any, key: int, value: Any, label: str) -> Value:
    try:
        place = Alive(trace.anchor(value), label)
    except TypeError:
        return wrap(trace, value, Named(Item(Alive(trace.anchor(owner), label), key), label))
    return wrap(trace, value, place)


@wraps_when(lambda value: type(value) is WatchedDict, first=True)
def wrap_dict(trace: Trace, value: Any, source: Source) -> Value:
    """A dict of ours with text keys: its keys, their order and its values are assumed."""
    place = identified(trace, value, source)
    owner, label, keys = place.reference, str(source), tuple(value)
    if not all(type(key) in (str, int) for key in keys):
        raise DictValue({}, source).unsupported("keys that are not text or integers")
    trace.assume(value, STRUCTURE, f"{label} has the keys {keys}", lambda: tuple(owner() or ()) == keys)
    items = {key: assumed_element(trace, value, key, each, f"{label}[{key!r}]") for key, each in value.items()}
    return DictValue(items, place)


class ModuleValue(Instance):
    """A module. Its attributes, parameters, buffers and children are assumed; what its classes define is guarded."""

    __slots__ = ()
    met_once = False
    value: Module
    source: Alive

    def attribute(self, trace: Trace, name: str) -> Value:
        module, label = self.value, f"{self.source}.{name}"
        reference = self.source.reference
        if name in ("training", "_hooks"):
            return self._flag(trace, name)
        if name in TABLES:
            return wrap(trace, self._table(trace, name), Alive(trace.anchor(getattr(module, name)), label))
        found, source = class_attribute(trace, type(module), name)
        if isinstance(found, property):
            return super().attribute(trace, name)
        if found is not ABSENT and not is_read_plainly(trace, found):
            raise self.unsupported(f"the attribute {name!r}")
        own = vars(module)
        if name in own:
            return wrap(trace, own[name], self._own_source(name))
        if found is not ABSENT:
            trace.assume(module, name, f"{label} is the class's", lambda: name not in vars(reference()))
            return bind(trace, found, source, self)
        trace.assume(module, name, f"{label} is no attribute of its own", lambda: name not in vars(reference()))
        for table in TABLES:
            held = self._table(trace, table)
            if name in held:
                return assumed_element(trace, held, name, held[name], label)
            _assume_lacking(trace, held, name, f"{self.source}.{table}")
        raise RAISES.stop(error=f"AttributeError: {type(module).__name__} has no attribute {name!r}")

    def _flag(self, trace: Trace, name: str) -> Value:
        reference, value = self.source.reference, getattr(self.value, name)
        if value is not None and type(value) is not bool:
            raise self.unsupported("hooks")
        trace.assume(self.value, name, f"{self.source}.{name} is {value}", lambda: getattr(reference(), name) is value)
        return Constant(value)

    def _table(self, trace: Trace, name: str) -> Any:
        table, reference = getattr(self.value, name), self.source.reference
        fact = f"{self.source}.{name} is the same dict"
        trace.assume_same(self.value, name, fact, lambda: getattr(reference(), name), trace.anchor(table))
        return table

    def _own_source(self, name: str) -> Source:
        return Named(Item(Attribute(self.source, "__dict__"), name), f"{self.source}.{name}")

    def holds(self, trace: Trace, name: str, value: Value) -> bool:
        return False

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")

    def delete_attribute(self, trace: Trace, name: str) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")

    def length(self, trace: Trace) -> int:
        return int(self._special(trace, "__len__", []).constant(trace))

    def truth(self, trace: Trace) -> bool:
        if class_attribute(trace, type(self.value), "__bool__")[0] is not ABSENT:
            raise self.unsupported("a branch")
        if class_attribute(trace, type(self.value), "__len__")[0] is not ABSENT:
            return self.length(trace) > 0
        return True

    def item(self, trace: Trace, key: Value) -> Value:
        return self._special(trace, "__getitem__", [key])

    def iterate(self, trace: Trace) -> Any:
        return iter(self.elements(trace))

    def elements(self, trace: Trace) -> list[Value]:
        from ...nn import ModuleList, Sequential

        if type(self.value) in (ModuleList, Sequential):
            children = self.attribute(trace, "_modules")
            assert isinstance(children, DictValue)
            return list(children.items.values())
        raise self.unsupported("iteration")

    def _special(self, trace: Trace, name: str, args: list[Value]) -> Value:
        found, source = class_attribute(trace, type(self.value), name)
        if found is ABSENT:
            raise self.unsupported(name)
        return wrap(trace, found, source).call(trace, [self, *args], {})


def _assume_class(trace: Trace, value: Any, place: Alive) -> None:
    """Rely on an object's class, which may be assigned; whoever does so goes through its `__setattr__`."""
    cls, reference = type(value), place.reference
    trace.assume(value, "__class__", f"{place} is a {cls.__name__}", lambda: type(reference()) is cls)


@wraps_when(lambda value: issubclass(type(value), Module), first=True)
def wrap_module(trace: Trace, value: Any, source: Source) -> Value:
    """A module of a class that reads attributes as `Module` does."""
    place = identified(trace, value, source)
    _assume_class(trace, value, place)
    for name in ("__getattribute__", "__getattr__", "__setattr__"):
        found, _ = class_attribute(trace, type(value), name)
        usual = vars(Module).get(name, vars(object).get(name))
        if found is not usual and found is not ABSENT:
            raise ModuleValue(value, place).unsupported(f"a {name} of its own")
    if type(vars(value)) is not OwnAttributes:
        raise ModuleValue(value, place).unsupported("a __dict__ of the user's")
    reference = place.reference
    trace.assume(value, "__dict__", f"{place}.__dict__ is its own", lambda: type(vars(reference())) is OwnAttributes)
    return ModuleValue(value, place)


NEW = "\0made"
"""The key of the effect that makes an entry of the state."""


class StateEntryValue(Value):
    """What an optimizer remembers of one parameter. What the call puts there is among the trace's effects."""

    __slots__ = ("entry", "source")

    def __init__(self, entry: Any, source: Source) -> None:
        self.entry = entry
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return WatchedDict

    def item(self, trace: Trace, key: Value) -> Value:
        name = key.constant(trace)
        put = trace.effects.get((id(self.entry), name))
        if put is not None:
            assert isinstance(put, Put)
            return put.value
        if name not in self.entry:
            self.contains(trace, key)  # relies on its keys
            raise RAISES.stop(error=f"KeyError: {name!r}")
        return assumed_element(trace, self.entry, name, self.entry[name], f"{self.source}[{name!r}]")

    def contains(self, trace: Trace, element: Value) -> bool:
        name, reference = element.constant(trace), trace.anchor(self.entry)
        if (id(self.entry), name) in trace.effects:
            return True
        if (id(self.entry), NEW) in trace.effects:
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
        if not isinstance(value, (TensorValue, Constant, Scalar)) or type(name) is not str:
            raise SIDE_EFFECT.stop(name=f"{self.source}[{name!r}]")
        trace.effects[(id(self.entry), name)] = Put(Item(self.source, name), value)

    def length(self, trace: Trace) -> int:
        self.contains(trace, Constant(""))  # relies on its keys
        added = {name for owner, name in trace.effects if owner == id(self.entry) and name != NEW}
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

    def __init__(self, state: Any, source: Alive) -> None:
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
        return any(owner in entries for owner, _ in trace.effects)

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
            held, of, param = trace.anchor(entry), trace.anchor(self.state), trace.anchor(real)
            label = f"{self.source}[{key.source}]"
            trace.assume_same(self.state, real, f"{label} is the same dict", lambda: _get(of(), param()), held)
            self.entries[id(real)] = StateEntryValue(entry, Alive(held, label))
        return self.entries[id(real)]

    def _fresh(self, trace: Trace, key: TensorValue, real: Any) -> StateEntryValue:
        """What the state gives for a parameter that it does not know: an empty dict, which is there from then on."""
        of, param = trace.anchor(self.state), trace.anchor(real)
        label = f"{self.source}[{key.source}]"
        trace.assume(self.state, real, f"there is no {label}", lambda: _get(of(), param()) is None)
        # It stands for the dict that the state makes when the effects are carried out, by being asked.
        made: WatchedDict[str, Any] = WatchedDict()
        place = Remembering(self.source, Alive(param, str(key.source)))
        trace.effects[(id(made), NEW)] = Asked(place)
        self.entries[id(real)] = StateEntryValue(made, place)
        return self.entries[id(real)]


@source_kind
class Remembering(Source):
    """What an optimizer's state gives for a parameter."""

    state: Source
    param: Source

    def text(self, pool: Pool) -> str:
        return f"{self.state.text(pool)}[{self.param.text(pool)}]"

    def __str__(self) -> str:
        return f"{self.state}[{self.param}]"


@dataclass(eq=False)
class Asked:
    """A place that is there once it was asked for."""

    place: Source

    def replay(self, writer: Writer) -> list[str]:
        """The statement that asks."""
        return [self.place.text(writer.pool)]


def _get(state: Any, key: Any) -> Any:
    return None if state is None else dict.get(state, key)


class OptimizerValue(Instance):
    """An optimizer. Its containers are assumed, its param-group dicts and other attributes are guarded."""

    __slots__ = ("_state",)
    met_once = False
    value: Optimizer
    source: Alive

    def __init__(self, value: Optimizer, source: Alive) -> None:
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
        """What its class declares of its step."""
        found, source = class_attribute(trace, type(self.value), "_update")
        if not isinstance(found, Update):
            raise self.unsupported("a step without a declaration")
        trace.guard(Is, source, expected=found)
        return found

    def attribute(self, trace: Trace, name: str) -> Value:
        from ..tensors.init_group import OWN_INITS, InitGroup

        if name == "state":
            return self.state(trace)

        if name == "_hooks":
            reference = self.source.reference
            if self.value._hooks is not None:
                raise self.unsupported("hooks")
            trace.assume(self.value, name, f"{self.source} has no hooks", lambda: getattr(reference(), name) is None)
            return NONE

        if name == "_init_group":
            found, source = class_attribute(trace, type(self.value), name)
            if found in OWN_INITS:
                bind(trace, found, source, self)  # its guards
                return InitGroup(self)
        return super().attribute(trace, name)

    def holds(self, trace: Trace, name: str, value: Value) -> bool:
        return False

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")

    def delete_attribute(self, trace: Trace, name: str) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")


@wraps_when(lambda value: issubclass(type(value), Optimizer), first=True)
def wrap_optimizer(trace: Trace, value: Any, source: Source) -> Value:
    """An optimizer, by identity."""
    place = identified(trace, value, source)
    _assume_class(trace, value, place)
    class_attribute(trace, type(value), "__getattribute__")
    for name in ("__setattr__", "__delattr__"):
        found, _ = class_attribute(trace, type(value), name)
        if found is not vars(Optimizer)[name]:
            raise OptimizerValue(value, place).unsupported(f"a {name} of its own")
    return OptimizerValue(value, place)
