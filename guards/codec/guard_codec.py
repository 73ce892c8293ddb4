"""Guards and sources as plain data, and the facts in them that are looked at once, when another process reads them."""

# Note [Facts that are checked once]
# A guard on a function of the program's compares with that function, which is another object in each process. What is
# written is what the trace read of it: its code. The reader goes to the place that the guard is about, without running
# any code of the program's, and takes the function that it finds there for the one that is meant, if its code is the
# same. From then on the guard asks at each call whether it is still that one, as the guard of a trace does. Facts that
# guards ask by value (numbers, texts, lengths, layouts) are asked at each call from the first one on.

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from ...core.dtypes import DType
from ...core.errors import Differs, NotWritable
from ...core.lazy_names import import_name
from ...core.types import TensorType
from .. import arrays, computed_sources, containers, guard, sources, tensors
from ..class_facts import ClassFacts, class_check, version_of
from ..guard import Guard, Where
from ..pool import Pool
from ..sources import STATE, Source
from .classes import CLASS_MODULE, CLASS_MRO, class_claim, is_found_by_name, named_class
from .code_digest import code_digest
from .constant_codec import is_singleton, read_constant, written_constant
from .named_objects import is_op, is_versioned, read_object, written_object
from .places import Place, read_place

OBJECT, CONSTANT, SOURCE, SOURCES, TYPE, FACT, WEAK, SLOTS = (
    *("object", "constant", "source", "sources", "type"),
    *("fact", "weak", "slots"),
)
"""Forms of fields: an object that every process has; a constant; one place, or several operands; the type of an array;
what an identity is compared with, and a weak reference to that; slots of a tensor with objects and names."""

GUARDS: Mapping[type[Guard], Mapping[str, str]] = {
    guard.TypeIs: {"expected": OBJECT},
    guard.NumberInput: {"expected": OBJECT},
    guard.Is: {"expected": FACT},
    guard.WeakIs: {"reference": WEAK},
    guard.Equals: {"expected": CONSTANT},
    guard.Outcome: {"expected": CONSTANT},
    guard.Evaluates: {},
    guard.IsThere: {},
    guard.Same: {"other": SOURCE},
    guard.Different: {"other": SOURCE},
    arrays.ArrayLayout: {"type": TYPE, "strides": CONSTANT, "writeable": CONSTANT, "static": CONSTANT},
    arrays.NoOverlap: {"other": SOURCE},
    arrays.BoolBytes: {},
    containers.Length: {"expected": CONSTANT},
    containers.DictKeys: {"expected": CONSTANT},
    containers.LacksKey: {"key": CONSTANT, "shown": CONSTANT},
    containers.HasKey: {"key": CONSTANT},
    tensors.TensorIs: {"type": OBJECT, "facts": SLOTS, "unlike": SLOTS},
}
"""The kinds of guards that can be written down, with the form of each field besides the source. Any other cannot."""

SOURCES_WRITTEN: Mapping[type[Source], Mapping[str, str]] = {
    sources.Local: {"name": CONSTANT},
    sources.Global: {"name": CONSTANT},
    sources.Free: {"name": CONSTANT},
    sources.Handling: {},
    sources.ConstantSource: {"value": OBJECT, "label": CONSTANT},
    sources.Attribute: {"base": SOURCE, "name": CONSTANT},
    sources.Named: {"base": SOURCE, "label": CONSTANT},
    sources.Item: {"base": SOURCE, "key": CONSTANT},
    sources.CellOf: {"base": SOURCE, "index": CONSTANT, "name": CONSTANT},
    computed_sources.Computed: {"form": CONSTANT, "operands": SOURCES},
    computed_sources.CallSource: {"function": OBJECT, "label": CONSTANT, "operands": SOURCES, "is_read": CONSTANT},
}
"""The kinds of places that can be written down, likewise."""

_CHECKED_BY = ("entry", "plan")
"""Who checks the guards that can be written: what an owner tells, he tells in his own process."""

_READ_AT_PLACE = (types.FunctionType, types.CodeType, staticmethod, classmethod, property)
"""The types of objects of a program that are found at the place that a guard is about."""

_GUARDS = {each.__name__: each for each in GUARDS}
_SOURCES = {each.__name__: each for each in SOURCES_WRITTEN}


class Known:
    """The knowledge of a writer or a reader about one function: its globals, and what earlier guards are about.

    is_marked: says of a function why it is not what its code says (it is left to Python, or opaque); empty otherwise.
    """

    def __init__(
        self, function: types.FunctionType, is_marked: Callable[[types.FunctionType], str], pool: Pool | None = None
    ) -> None:
        self.pool = pool
        self.versions: list[tuple[Any, type]] = []
        """The windows on versions of classes that were written, each with the class."""
        self.function = function
        self.is_marked = is_marked
        self.expected: list[Any] = []
        """By the number of a guard, the object that it compares with."""
        self.guards: list[Guard] = []
        self.weak: list[Any] = []
        """By the number of a guard, the weak reference by which it does so."""

    # Writing.
    def write_guard(self, each: Guard) -> dict[str, Any]:
        """A guard as data. Errors: NotWritable."""
        kind = type(each)
        if kind not in GUARDS or each.checked_by not in _CHECKED_BY:
            raise NotWritable(f"a guard of the kind {each.kind!r}: {each.fact()}")
        where = each.where
        data: dict[str, Any] = {
            "guard": kind.__name__,
            "source": self.write_source(each.source),
            "where": None if where is None else [where.file, where.line, where.text],
            "by": each.checked_by,
        }
        for name, form in GUARDS[kind].items():
            value = getattr(each, name)
            data[name] = self._write_fact(each, value) if form in (FACT, WEAK) else self._write(form, value)
        self._remember(each)
        return data

    def _remember(self, each: Guard) -> None:
        self.guards.append(each)
        self.expected.append(each.expected if type(each) is guard.Is else None)
        self.weak.append(each.reference if type(each) is guard.WeakIs else None)
        if type(each) is guard.WeakIs:
            self.expected[-1] = each.reference()

    def _write_fact(self, each: Guard, value: Any) -> list[Any]:
        if is_singleton(value):
            return written_constant(value)
        if type(value) is weakref.ref:
            value = value()
        if type(value) is tuple and value and isinstance(value[0], type) and CLASS_MRO(value[0]) is value:
            return ["mro of", self.write_object(value[0])]
        if type(value) in _READ_AT_PLACE or isinstance(value, type) and not self._has_name(value):
            if read_place(self._place_of(each.source)) is not value:
                raise NotWritable(f"an object that no place of the program leads to: {each.fact()}")
            return ["at the source", *self._digest_of(value)]
        return self.write_object(value)

    def _has_name(self, cls: type) -> bool:
        try:
            self.write_object(cls)
        except NotWritable:
            return False
        return True

    def _digest_of(self, value: Any) -> list[Any]:
        """The part of a function, its code, a class or a descriptor that is compared. Errors: NotWritable."""
        if isinstance(value, types.CodeType):
            return ["code", code_digest(value)]
        if isinstance(value, type):
            return ["type", *class_claim(value), [self.write_object(base) for base in CLASS_MRO(value)[1:]]]
        if isinstance(value, (staticmethod, classmethod)):
            return [type(value).__name__, self._digest_of(value.__func__)]
        if isinstance(value, property):
            parts = (value.fget, value.fset, value.fdel)
            return ["property", *(None if each is None else self._digest_of(each) for each in parts)]
        if not isinstance(value, types.FunctionType):
            raise NotWritable(f"an object of type {type(value).__qualname__}")
        if STATE in value.__code__.co_freevars:
            raise NotWritable(f"it calls {value.__qualname__}, which is jitted itself")
        why = self.is_marked(value)
        if why:
            raise NotWritable(f"it calls {value.__qualname__}, {why}")
        return ["function", code_digest(value.__code__), value.__qualname__, str(value.__globals__.get("__name__"))]

    def write_object(self, value: Any) -> list[Any]:
        """The way by which a reader finds an object. Errors: NotWritable."""
        if is_singleton(value) or type(value) in (int, float, complex, str, bytes):
            return ["constant", written_constant(value)]
        if type(value) is tuple:
            return ["tuple", *(self._write_element(each, of_op=is_op(value[0])) for each in value)]
        if type(value) is dict:
            return self._write_namespace(value)
        for number, each in enumerate(self.weak):
            if each is not None and each is value:
                return ["weak", number]
        if type(value) is ClassFacts:
            self.versions.append((value.version, value.cls))
            return ["class facts", *self._write_facts(value)]
        for version, cls in self.versions:
            if version is value:
                return ["class version", self.write_object(cls)]
        for number, each in enumerate(self.expected):
            if each is value and (type(value) in _READ_AT_PLACE or isinstance(value, type)):
                return ["guard", number]
        if isinstance(value, type) and not is_versioned(CLASS_MODULE(value)):
            if not is_found_by_name(value):
                raise NotWritable(f"a class that no name leads to, {value.__qualname__}")
            return ["class", *self._digest_of(value)]
        return written_object(value)

    def _write_element(self, each: Any, *, of_op: bool) -> list[Any]:
        """An element of a tuple. The attributes of an op are a dict of the trace's own; any other is the program's."""
        if of_op and type(each) is dict:
            return ["attributes", [[written_constant(name), self.write_object(held)] for name, held in each.items()]]
        return self.write_object(each)

    def _write_facts(self, facts: ClassFacts) -> list[Any]:
        numbers = {id(each): k for k, each in enumerate(self.guards)}
        if not all(id(each) in numbers for each in facts.guards):
            raise NotWritable(f"facts about the class {facts.cls.__qualname__} that are no guards of the entry")
        return [self.write_object(facts.cls), [numbers[id(each)] for each in facts.guards]]

    def write_class_check(self, classes: Sequence[ClassFacts]) -> list[Any]:
        """The check of several classes as data. Errors: NotWritable."""
        return ["class check", *map(self._write_facts, classes)]

    def _read_facts(self, cls: list[Any], numbers: list[int]) -> ClassFacts:
        assert self.pool is not None
        return ClassFacts(self.read_object(cls), [self.guards[number] for number in numbers], self.pool)

    def _write_namespace(self, table: dict[str, Any]) -> list[Any]:
        if table is self.function.__globals__:
            return ["globals"]
        if table is self.function.__builtins__:  # type: ignore[attr-defined]
            return ["builtins"]
        for number, each in enumerate(self.expected):
            if isinstance(each, types.FunctionType) and each.__globals__ is table:
                return ["globals of", number]
            if isinstance(each, types.ModuleType) and vars(each) is table:
                return ["globals of", number]
        name = table.get("__name__")
        if is_versioned(name) and vars(sys.modules[name]) is table:
            return ["globals of module", name]
        raise NotWritable("a dict that only this process has")

    def write_source(self, each: Source) -> list[Any]:
        """A source as data. Errors: NotWritable."""
        kind = type(each)
        if kind not in SOURCES_WRITTEN:
            raise NotWritable(f"a place that only this process has: {each}")
        return [
            kind.__name__,
            *(self._write(form, getattr(each, name)) for name, form in SOURCES_WRITTEN[kind].items()),
        ]

    def _write(self, form: str, value: Any) -> Any:
        if form == CONSTANT:
            return written_constant(value)
        if form == OBJECT:
            return self.write_object(value)
        if form == SOURCE:
            return self.write_source(value)
        if form == SOURCES:
            return [
                ["source", self.write_source(each)] if isinstance(each, Source) else ["value", written_constant(each)]
                for each in value
            ]
        if form == SLOTS:
            return [[slot, self.write_object(held), label] for slot, held, label in value]
        assert form == TYPE
        if not all(type(size) is int for size in value.shape):
            raise NotWritable("an array with symbolic sizes")
        return [list(value.shape), value.dtype.name, str(value.device)]

    def number_of(self, value: Any) -> int:
        """The number of the guard that compares with an object. Errors: NotWritable."""
        for number, each in enumerate(self.expected):
            if each is value:
                return number
        raise NotWritable("its plan is passed an object that no guard names")

    # Reading.
    def read_guard(self, data: Mapping[str, Any]) -> Guard:
        """The guard in what `write_guard` gave. Errors: Differs; KeyError, TypeError, ValueError for other data."""
        kind = _GUARDS[data["guard"]]
        source = self.read_source(data["source"])
        found: dict[str, Any] = {}
        for name, form in GUARDS[kind].items():
            if form == WEAK:
                found[name] = weakref.ref(self._read_fact(source, data[name]))
            else:
                found[name] = self._read_fact(source, data[name]) if form == FACT else self._read(form, data[name])
        where = None if data["where"] is None else Where(*data["where"])
        if data["by"] not in _CHECKED_BY:
            raise ValueError(data["by"])
        made = kind(source, where, checked_by=data["by"], **found)
        self._remember(made)
        return made

    def _read_fact(self, source: Source, data: list[Any]) -> Any:
        if data[0] == "only":
            return read_constant(data)
        if data[0] == "mro of":
            return CLASS_MRO(self.read_object(data[1]))
        if data[0] != "at the source":
            return self.read_object(data)
        found = read_place(self._place_of(source))
        return self._checked(found, data[1:], str(source))

    def _checked(self, found: Any, data: list[Any], name: str) -> Any:
        """An object that was found, if it is what was written of it. Errors: Differs."""
        try:
            now = self._digest_of(found)
        except NotWritable as error:
            raise Differs(f"{name} is another object: {error}") from None
        if now != data:
            raise Differs(f"the {'class' if data[0] == 'type' else 'code of'} {name} differs")
        return found

    def read_object(self, data: list[Any]) -> Any:
        """The object at the end of a way that `write_object` gave. Errors: as `read_guard`."""
        kind = data[0]
        if kind == "constant":
            return read_constant(data[1])
        if kind == "attributes":
            return {read_constant(name): self.read_object(held) for name, held in data[1]}
        if kind == "tuple":
            return tuple(map(self.read_object, data[1:]))
        if kind == "globals":
            return self.function.__globals__
        if kind == "builtins":
            return self.function.__builtins__  # type: ignore[attr-defined]
        if kind == "guard":
            return self.expected[data[1]]
        if kind == "class":
            return self._checked(named_class(data[2], data[3]), data[1:], data[3])
        if kind == "class version":
            return version_of(self.read_object(data[1]))
        if kind == "class facts":
            return self._read_facts(*data[1:])
        if kind == "class check":
            return class_check([self._read_facts(*each) for each in data[1:]])
        if kind == "weak":
            return self.weak[data[1]]
        if kind == "globals of module":
            if not is_versioned(data[1]):
                raise Differs(f"the module {data[1]} is not loaded, or another one stands for it")
            return vars(sys.modules[data[1]])
        if kind == "globals of":
            owner = self.expected[data[1]]
            return vars(owner) if isinstance(owner, types.ModuleType) else owner.__globals__
        return read_object(data)

    def read_source(self, data: Sequence[Any]) -> Source:
        """The source in what `write_source` gave. Errors: as `read_guard`."""
        kind = _SOURCES[data[0]]
        forms = SOURCES_WRITTEN[kind].values()
        made = kind(*(self._read(form, each) for form, each in zip(forms, data[1:], strict=True)))
        if isinstance(made, sources.Item) and isinstance(made.base, sources.ConstantSource):
            if type(made.base.value) is dict:
                import_name(made.base.value, made.key)  # which the trace has done, too
        return made

    def _read(self, form: str, data: Any) -> Any:
        if form == CONSTANT:
            return read_constant(data)
        if form == OBJECT:
            return self.read_object(data)
        if form == SOURCE:
            return self.read_source(data)
        if form == SOURCES:
            return tuple(self.read_source(each) if kind == "source" else read_constant(each) for kind, each in data)
        if form == SLOTS:
            return tuple((slot, self.read_object(held), label) for slot, held, label in data)
        shape, dtype, device = data
        if not all(type(size) is int and size >= 0 for size in shape):
            raise ValueError(shape)
        return TensorType(tuple(shape), _dtype(dtype), device)

    def _place_of(self, source: Source) -> Place:
        return Place(source, self.function)


def _dtype(name: str) -> DType:
    from ...core import dtypes

    found = getattr(dtypes, {"bool": "bool_"}.get(name, name))
    if not isinstance(found, DType):
        raise ValueError(name)
    return found


def written_fields(kind: type) -> frozenset[str]:
    """The fields of a kind of guard or source that have to be written, for the test that none is forgotten."""
    return frozenset(each.name for each in fields(kind)) - {"source", "where", "checked_by"}
