"""Containers and modules that tell when they change: what the trace reads of them is assumed, not guarded.

The object a chain starts from (a module in a global, an argument, an item of the user's own list) keeps a guard for its
identity. From there on everything is reached through weak references; nothing compiled keeps a model alive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....core.watched_containers import STRUCTURE, WatchedDict, WatchedList
from ....guards.describe import article
from ....guards.guard import WeakIs
from ....guards.names import name_text
from ....guards.pool import RebindableRef, Rebinding
from ....guards.sources import Attribute, Item, Named, Source, WeakSource
from ....nn.jitted_module import JittedModule, compiled_call
from ....nn.module import Module
from ....nn.modules.container import ModuleDict, ModuleList
from ....nn.modules.parameter_container import ParameterDict, ParameterList
from ....nn.own_attributes import OwnAttributes
from ....tensor import Tensor
from ...breaks import RAISES, SIDE_EFFECT, TENSOR_FEATURE
from ..arrays.array import ArrayValue
from ..base import Value, wrap, wraps_when
from ..constant import Constant
from ..containers.dicts import DictValue
from ..containers.ranges import SliceValue
from ..containers.sequences import ListValue, Sequence
from ..numbers.computed import ComputedNumber
from ..numbers.input_scalar import InputNumber
from ..objects.objects import ABSENT, Instance, bind, class_attribute, is_read_plainly
from .module_hooks import ModuleHooksValue
from .module_slices import slice_of
from .tensor import TensorValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

TABLES = ("_parameters", "_buffers", "_modules")
_OWN = (*TABLES, "_non_persistent_buffers", "_hooks", "_watchers", "training", "forward")
_PLAIN = (Constant, InputNumber, ComputedNumber, Sequence, DictValue, TensorValue, ArrayValue)
"""The values that `Module.__setattr__` puts into the module's own dict, whatever they are."""
_PLAIN_ON_CLASS = (bool, int, float, complex, str, bytes, tuple, type(None))
"""The types that an attribute of the class may have where one of the instance hides it."""


def identified(trace: Trace, value: Any, source: Source) -> WeakSource:
    """The weak source of an object, whose identity is guarded unless an assumption implies it."""
    if isinstance(source, WeakSource):
        return source
    anchor = trace.facts.anchor(value)
    trace.guard(WeakIs, source, reference=anchor)
    return WeakSource(anchor, str(source))


def assumed_element(trace: Trace, owner: Any, key: Any, value: Any, label: str) -> Value:
    """The traced value of what a watched container holds under a key."""
    container = trace.facts.anchor(owner)
    if value is None or type(value) in (bool, str, bytes):
        trace.assume(owner, key, f"{label} is {value!r}", lambda: _at(container, key) is value)
        return Constant(value)
    try:
        held = trace.facts.anchor(value)
    except TypeError:
        # An object of the user's own: reached anew at every call, with guards of its own.
        source: Source = Named(Item(WeakSource(container, label), key), label)
        return wrap(trace, value, source)
    trace.assume_same(owner, key, f"{label} is the same object", lambda: _at(container, key), held)
    return wrap(trace, value, WeakSource(held, label))


def _assume_lacking(trace: Trace, owner: Any, key: str, label: str) -> None:
    """Rely on a watched dict not having a key."""
    reference = trace.facts.anchor(owner)
    trace.assume(owner, key, f"{label} has no {key!r}", lambda: key not in reference())


def _at(container: RebindableRef, key: Any) -> Any:
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
    """The elements of a list of ours: anchors, and addresses of what has no weak reference, such as a plain dict."""

    owner: RebindableRef
    known: list[RebindableRef | int]

    def are_same(self) -> bool:
        """Whether it holds them now."""
        now = self.owner()
        return len(now) == len(self.known) and all(map(_is_there, now, self.known))

    def renew(self, moves: Rebinding) -> bool:
        """Has the anchors moved to the elements of now, where these are as many and of the same types."""
        now = list(self.owner())
        return len(now) == len(self.known) and all(
            moves.put(known, each) if isinstance(known, RebindableRef) else _is_there(each, known)
            for each, known in zip(now, self.known, strict=True)
        )


def _recognised(trace: Trace, value: Any) -> RebindableRef | int:
    try:
        return trace.facts.anchor(value)
    except TypeError:
        return id(value)


def _is_there(value: Any, known: RebindableRef | int) -> bool:
    return known() is value if isinstance(known, RebindableRef) else id(value) == known


def _member(trace: Trace, owner: Any, key: int, value: Any, label: str) -> Value:
    try:
        place = WeakSource(trace.facts.anchor(value), label)
    except TypeError:
        return wrap(trace, value, Named(Item(WeakSource(trace.facts.anchor(owner), label), key), label))
    return wrap(trace, value, place)


@wraps_when(lambda value: type(value) is WatchedDict, first=True)
def wrap_dict(trace: Trace, value: Any, source: Source) -> Value:
    """A dict of ours with text keys: its keys, their order and its values are assumed."""
    place = identified(trace, value, source)
    owner, label, keys = place.reference, str(source), tuple(value)
    if not all(type(key) in (str, int) for key in keys):
        raise DictValue({}, source).unsupported("keys that are not text or integers")
    trace.assume(value, STRUCTURE, f"{label} has the keys {keys}", lambda: tuple(owner() or ()) == keys)
    items = {key: assumed_element(trace, value, key, each, _member_name(label, key)) for key, each in value.items()}
    return DictValue(items, place)


def _member_name(label: str, key: str | int) -> str:
    """The name of an element of a dict. That of a part of a module is its path: `model.up`, `model[0]`."""
    module, _, table = label.rpartition(".")
    if not module or table not in TABLES or not isinstance(key, str):
        return f"{label}[{key!r}]"
    return f"{module}[{key}]" if key.isdecimal() else f"{module}.{key}"


class WatchedInstance(Instance):
    """An object that tells when its attributes change. Where a call sets one, the graph breaks."""

    __slots__ = ()
    met_once = False
    source: WeakSource

    def holds(self, trace: Trace, name: str, value: Value) -> bool:
        return False

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")

    def delete_attribute(self, trace: Trace, name: str) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")


def put_key(name: str) -> str:
    """The key of the effect that sets this attribute of a module."""
    return f"module attribute {name}"


@dataclass(eq=False)
class ModulePut:
    """An attribute of a module is set, by way of `Module.__setattr__`, which tells whoever relies on it.

    before: of a flag, what it was: there is nothing to be done where it is the same again.
    lent: it takes the place of a parameter or a buffer for the time of a call, and is gone before anybody sees it.
    """

    owner: Source
    name: str
    value: Value
    before: Value | None = None
    lent: bool = False

    def replay(self, writer: EntryWriter) -> list[str]:
        if isinstance(self.before, Constant) and isinstance(self.value, Constant):
            if self.before.value is self.value.value:
                return []
        owner = writer.fetched(self.owner.text(writer.pool))
        return [f"{owner}.{name_text(self.name)} = {writer.fetched(self.value.rebuild(writer))}"]


class LayerValue(WatchedInstance):
    """A module. Its attributes, parameters, buffers and children are assumed; what its classes define is guarded."""

    __slots__ = ()
    value: Module

    def attribute(self, trace: Trace, name: str) -> Value:
        module, label = self.value, f"{self.source}.{name}"
        reference = self.source.reference
        put = self._put(trace, name)
        if put is not None:
            return put.value
        if name in TABLES:
            self._refuse_lent(trace, name)
        if name == "training":
            return self._flag(trace, name)
        if name == "_hooks":
            return self._registered(trace)
        if name in TABLES:
            return wrap(trace, self._table(trace, name), WeakSource(trace.facts.anchor(getattr(module, name)), label))
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

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        """`module.name = value` for a flag or a plain attribute. Errors: a break where it is more than that."""
        module = self.value
        put = self._put(trace, name)
        if put is not None and put.lent:
            self._lend(put, value)
            return
        if self._is_same(trace, name, value):
            return
        is_flag = name == "training" and isinstance(value, Constant) and type(value.value) is bool
        if not is_flag and not self._takes(trace, name, value):
            super().set_attribute(trace, name, value)
        trace.refuse_in_iterations(f"a change of {self.source}.{name}")
        before = self._flag(trace, name) if is_flag and self._put(trace, name) is None else None
        known = self._put(trace, name)
        if known is None:
            known = trace.effects.pending[id(module), put_key(name)] = ModulePut(self.source, name, value, before)
        known.value = value

    def _refuse_lent(self, trace: Trace, name: str) -> None:
        """Errors: a break where a table is asked for whose tensors `functional_call` has put others in place of."""
        for (owner, _), put in trace.effects.pending.items():
            if owner == id(self.value) and isinstance(put, ModulePut) and put.lent:
                raise TENSOR_FEATURE.stop(feature=f"{self.source}.{name} inside of functional_call")

    def _lend(self, put: ModulePut, value: Value) -> None:
        """Puts another value in a place that has one for the time of a call. Errors: a break for what is no tensor."""
        if not isinstance(value, TensorValue) or value.kind is not Tensor:
            raise SIDE_EFFECT.stop(name=f"{self.source}.{put.name}")
        put.value = value

    def _put(self, trace: Trace, name: str) -> ModulePut | None:
        """The effect by which the call has put an attribute under a name; None where it has not."""
        found = trace.effects.pending.get((id(self.value), put_key(name)))
        return found if isinstance(found, ModulePut) else None

    def _is_same(self, trace: Trace, name: str, value: Value) -> bool:
        """Whether a buffer or a parameter is assigned to its own place, as `self.count += 1` does."""
        if not isinstance(value, TensorValue) or value.root.real is None or value.array.path:
            return False
        held = [table[name] for table in (self.value._buffers, self.value._parameters) if name in table]
        return value.source is not None and len(held) == 1 and held[0] is value.root.real

    def _takes(self, trace: Trace, name: str, value: Value) -> bool:
        """Whether a plain attribute may be set, which is all that `Module.__setattr__` does then."""
        module = self.value
        if name in _OWN or name.startswith("__") or not isinstance(value, _PLAIN):
            return False
        if isinstance(value, TensorValue) and value.kind is not Tensor:
            return False
        found, _ = class_attribute(trace, type(module), name)
        if found is not ABSENT and not isinstance(found, _PLAIN_ON_CLASS):
            return False
        for table in TABLES:
            held = self._table(trace, table)
            if name in held:
                return False
            _assume_lacking(trace, held, name, f"{self.source}.{table}")
        return True

    def _flag(self, trace: Trace, name: str) -> Value:
        reference, value = self.source.reference, getattr(self.value, name)
        trace.assume(self.value, name, f"{self.source}.{name} is {value}", lambda: getattr(reference(), name) is value)
        return Constant(value)

    def _registered(self, trace: Trace) -> Value:
        """The hooks of the module, which are an object that never changes."""
        reference, hooks = self.source.reference, self.value._hooks
        if hooks is None:
            trace.assume(self.value, "_hooks", f"{self.source} has no hooks", lambda: reference()._hooks is None)
            return Constant(None)
        held, label = trace.facts.anchor(hooks), f"the hooks of {self.source}"
        trace.assume_same(self.value, "_hooks", f"{label} are the same", lambda: reference()._hooks, held)
        return ModuleHooksValue(hooks, WeakSource(held, label))

    def _table(self, trace: Trace, name: str) -> Any:
        table, reference = getattr(self.value, name), self.source.reference
        fact = f"{self.source}.{name} is the same dict"
        trace.assume_same(self.value, name, fact, lambda: getattr(reference(), name), trace.facts.anchor(table))
        return table

    def _own_source(self, name: str) -> Source:
        return Named(Item(Attribute(self.source, "__dict__"), name), f"{self.source}.{name}")

    def length(self, trace: Trace) -> int:
        return int(self._special(trace, "__len__", []).constant(trace))

    def truth(self, trace: Trace) -> bool:
        if class_attribute(trace, type(self.value), "__bool__")[0] is not ABSENT:
            raise self.unsupported("a branch")
        if class_attribute(trace, type(self.value), "__len__")[0] is not ABSENT:
            return self.length(trace) > 0
        return True

    def item(self, trace: Trace, key: Value) -> Value:
        part = slice_of(trace, self, key) if isinstance(key, SliceValue) else None
        return part or self._special(trace, "__getitem__", [key])

    def iterate(self, trace: Trace) -> Any:
        return iter(self.elements(trace))

    def elements(self, trace: Trace) -> list[Value]:
        found, _ = class_attribute(trace, type(self.value), "__iter__")
        if found is ModuleList.__iter__:
            children = self.attribute(trace, "_modules")
            assert isinstance(children, DictValue)
            return list(children.items.values())
        if found in (ModuleDict.__iter__, ParameterList.__iter__, ParameterDict.__iter__):  # which give what they hold
            return self._special(trace, "__iter__", []).elements(trace)
        raise self.unsupported("iteration")

    def _special(self, trace: Trace, name: str, args: list[Value]) -> Value:
        found, source = class_attribute(trace, type(self.value), name)
        if found is ABSENT:
            raise self.unsupported(name)
        return wrap(trace, found, source).call(trace, [self, *args], {})


class JittedLayerValue(LayerValue):
    """A module that `jit` made of another one: a call of it, and a walk through it, is one of that other module."""

    __slots__ = ()

    def _wrapped(self, trace: Trace) -> Value:
        module = compiled_call(self.value).module  # which stays the same
        return wrap(trace, module, WeakSource(trace.facts.anchor(module), str(self.source)))

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return self._wrapped(trace).call(trace, args, kwargs)

    def elements(self, trace: Trace) -> list[Value]:
        return self._wrapped(trace).elements(trace)


def assume_class(trace: Trace, value: Any, place: WeakSource) -> None:
    """Rely on an object's class, which may be assigned; whoever does so goes through its `__setattr__`."""
    cls, reference = type(value), place.reference
    trace.assume(
        value, "__class__", f"{place} is {article(cls.__name__)} {cls.__name__}", lambda: type(reference()) is cls
    )


@wraps_when(lambda value: issubclass(type(value), Module), first=True)
def wrap_module(trace: Trace, value: Any, source: Source) -> Value:
    """A module of a class that reads attributes as `Module` does."""
    place = identified(trace, value, source)
    assume_class(trace, value, place)
    for name in ("__getattribute__", "__getattr__", "__setattr__"):
        found, _ = class_attribute(trace, type(value), name)
        usual = vars(Module).get(name, vars(object).get(name))
        if found is not usual and found is not ABSENT:
            raise LayerValue(value, place).unsupported(f"a {name} of its own")
    if type(vars(value)) is not OwnAttributes:
        raise LayerValue(value, place).unsupported("a __dict__ of the user's")
    reference = place.reference
    trace.assume(value, "__dict__", f"{place}.__dict__ is its own", lambda: type(vars(reference())) is OwnAttributes)
    return JittedLayerValue(value, place) if isinstance(value, JittedModule) else LayerValue(value, place)
