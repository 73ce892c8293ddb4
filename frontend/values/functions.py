"""Callables while tracing: Python functions (inlined), bound methods, known built-ins, classes, container methods."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ...guards.containers import LacksKey
from ...guards.guard import Is, TypeIs
from ...guards.sources import Attribute, CellOf, Free, Global, Item, Pinned, Source
from ..breaks import RAISES, SIDE_EFFECT, UNKNOWN_CALL, GraphBreak, raised
from .base import Value, wrap, wraps
from .constant import Constant

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace
    from .dicts import DictValue


WORDS = ("__name__", "__qualname__", "__doc__")
"""What a function says of itself; nobody can change what a built-in one says."""


@dataclass(eq=False)
class Cell:
    """A closure cell; `value` is None while it is empty."""

    value: Value | None = None
    source: Source | None = None
    """How the cell itself is reached, when it existed before the call."""
    outside: ClassVar[bool] = False


class CellValue(Value):
    """A closure cell as an object on the stack."""

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    @property
    def python_type(self) -> type:
        return types.CellType


class Function(Value):
    """A Python function: one that existed before (`function`, reached by `source`), or one made during the trace."""

    def __init__(
        self,
        code: types.CodeType,
        *,
        name: str,
        scope: Scope,
        defaults: Value | None = None,
        keyword_defaults: Value | None = None,
        source: Source | None = None,
        place: Source | None = None,
    ) -> None:
        self.code = code
        self.name = name
        self.scope = scope
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults
        self.source = source
        self.place = place
        """Where the object itself was found: of a jitted function, `source` leads to the one below it."""
        self.annotations: Value | None = None
        self.attributes: DictValue | None = None
        """What the trace has put into the function's own dict."""
        self.wrapped: Function | None = None
        """What `functools.wraps` was told that it wraps."""

    @property
    def python_type(self) -> type:
        return types.FunctionType

    def describe(self) -> str:
        return self.name

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..inline import inline

        return inline(trace, self, args, kwargs)

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in WORDS and self.wrapped is None:
            return self._told(trace, name)
        if name.startswith("__") or self.place is not None:
            raise self.unsupported(f"the attribute {name!r}")
        if self.attributes is None or name not in self.attributes.items:
            raise raised(AttributeError(f"'function' object has no attribute {name!r}"))
        return self.attributes.items[name]

    def _told(self, trace: Trace, name: str) -> Value:
        """What the function says of itself in words."""
        if name == "__qualname__" and self.place is None:
            return Constant(self.name)
        if self.place is None:
            return Constant(getattr(_bare(self.code), name))
        if self.place is not self.source or not isinstance(self.scope, OuterScope):
            raise self.unsupported(f"the attribute {name!r}")
        return wrap(trace, getattr(self.scope.function, name), Attribute(self.place, name))

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        from .dicts import DictValue

        if name.startswith("__") or self.place is not None:
            raise SIDE_EFFECT.stop(name=f"{self.name}.{name}")
        self.attributes = self.attributes or DictValue({})
        self.attributes.items[name] = value

    def rebuild(self, writer: Writer) -> str:
        from ..closures import rebuild_function

        return rebuild_function(writer, self) if self.place is None else self.place.text(writer.pool)


def _bare(code: types.CodeType) -> types.FunctionType:
    """A function of this code that is never called."""
    return types.FunctionType(code, {}, closure=tuple(types.CellType() for _ in code.co_freevars) or None)


class Scope:
    """Where a function's global and free names lead."""

    def global_value(self, trace: Trace, name: str) -> Value:
        """The value of a global name. Errors: a break when it is not defined."""
        raise NotImplementedError

    def free_cell(self, trace: Trace, name: str) -> Cell:
        """The cell of a free variable."""
        raise NotImplementedError

    def globals(self) -> dict[str, Any]:
        """The dict of global names."""
        raise NotImplementedError

    def builtins(self) -> dict[str, Any]:
        """The dict of built-in names."""
        raise NotImplementedError


class OuterScope(Scope):
    """The scope of a function that existed before the trace.

    `source` leads to the function; None stands for the jitted one itself.
    """

    def __init__(self, function: types.FunctionType, source: Source | None) -> None:
        self.function = function
        self.source = source
        self.cells: dict[str, Cell] = {}

    def global_value(self, trace: Trace, name: str) -> Value:
        table = self.function.__globals__
        changed, now = trace.outside.changed_name(table, name)
        if now is not None:
            return now
        if changed:
            if name in self.builtins():
                raise SIDE_EFFECT.stop(name=f"the global {name!r}, which hid a built-in name,")
            raise RAISES.stop(error=f"NameError: name {name!r} is not defined")
        if self._names_global(name):
            source: Source = Global(name)
        else:
            source = Item(Pinned(table, f"{table.get('__name__', '?')}.__dict__"), name)
        if name in table:
            return wrap(trace, table[name], _readable(source, name))
        return self._builtin(trace, name)

    def _names_global(self, name: str) -> bool:
        # A function made inside may read a global that a variable of ours hides in the entry code.
        code = self.function.__code__
        return self.source is None and name not in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)

    def globals(self) -> dict[str, Any]:
        return self.function.__globals__

    def builtins(self) -> dict[str, Any]:
        return self.function.__builtins__  # type: ignore[attr-defined,no-any-return]

    def _builtin(self, trace: Trace, name: str) -> Value:
        scope = self.builtins()
        if name not in scope:
            trace.guard(LacksKey, Pinned(self.function.__globals__, "globals"), key=name)
            trace.guard(LacksKey, Pinned(scope, "builtins"), key=name)
            raise raised(NameError(f"name {name!r} is not defined"))
        if self._names_global(name):
            return wrap(trace, scope[name], Global(name))
        trace.guard(LacksKey, Pinned(self.function.__globals__, "globals"), key=name)
        return wrap(trace, scope[name], Item(Pinned(scope, "builtins"), name))

    def free_cell(self, trace: Trace, name: str) -> Cell:
        if name not in self.cells:
            index = self.function.__code__.co_freevars.index(name)
            assert self.function.__closure__ is not None
            real = self.function.__closure__[index]
            place: Source = Pinned(real, f"the cell of {name}")
            contents: Source = Free(name)
            if self.source is not None:
                place = Named(Item(Attribute(self.source, "__closure__"), index), f"the cell of {name}")
                contents = CellOf(self.source, index, name)
            self.cells[name] = trace.outside.cell(real, place, contents, name)
        return self.cells[name]


@dataclass(frozen=True)
class Named(Source):
    """A source that is shown to the user under a shorter name."""

    base: Source
    label: str

    @property
    def may_vanish(self) -> bool:
        return self.base.may_vanish

    def text(self, pool: Any) -> str:
        return self.base.text(pool)

    def __str__(self) -> str:
        return self.label

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


def _readable(source: Source, name: str) -> Source:
    return source if isinstance(source, Global) else Named(source, name)


class InnerScope(Scope):
    """The scope of a function made during the trace."""

    def __init__(self, outer: Scope, names: tuple[str, ...], cells: list[Cell]) -> None:
        self.outer = outer
        self.cells = dict(zip(names, cells, strict=True))

    def global_value(self, trace: Trace, name: str) -> Value:
        while isinstance(self.outer, InnerScope):
            self.outer = self.outer.outer
        return self.outer.global_value(trace, name)

    def free_cell(self, trace: Trace, name: str) -> Cell:
        return self.cells[name]

    def globals(self) -> dict[str, Any]:
        return self.outer.globals()

    def builtins(self) -> dict[str, Any]:
        return self.outer.builtins()


class BoundMethod(Value):
    """A Python function bound to a receiver."""

    __slots__ = ("function", "receiver", "source")

    def __init__(self, function: Value, receiver: Value, source: Source | None = None) -> None:
        self.function = function
        self.receiver = receiver
        self.source = source

    @property
    def python_type(self) -> type:
        return types.MethodType

    def describe(self) -> str:
        return f"{self.receiver.describe()}.{self.function.describe()}"

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in WORDS:
            return self.function.attribute(trace, name)
        raise self.unsupported(f"the attribute {name!r}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return self.function.call(trace, [self.receiver, *args], kwargs)

    def truth(self, trace: Trace) -> bool:
        return True

    def rebuild(self, writer: Writer) -> str:
        from ..closures import rebuild_method

        return rebuild_method(writer, self) if self.source is None else self.source.text(writer.pool)


class Known(Value):
    """A callable that is not a Python function and has a rule of its own (`np.tanh`, `len`, `math.sqrt`), or none."""

    __slots__ = ("function", "source")

    def __init__(self, function: Any, source: Source | None = None) -> None:
        self.function = function
        self.source = source

    @property
    def python_type(self) -> type:
        return type(self.function)

    def describe(self) -> str:
        module = getattr(self.function, "__module__", None)
        name = getattr(self.function, "__name__", None) or type(self.function).__name__
        return f"{module}.{name}" if module and module != "builtins" else str(name)

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..builtin_errors import settle

        try:
            return self._called(trace, args, kwargs)
        except GraphBreak as stop:
            raise settle(stop, self.function, args, kwargs) from None

    def _called(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..callables import rule_for

        rule = rule_for(self.function)
        if rule is None and isinstance(self.function, type) and issubclass(self.function, BaseException):
            from ..raising import make

            return make(trace, self.function, args, kwargs)
        if rule is None and isinstance(self.function, type):
            from ..construction import construct

            return construct(trace, self, args, kwargs)
        if rule is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        return rule(trace, *args, **kwargs)

    def attribute(self, trace: Trace, name: str) -> Value:
        from ..callables import rule_for
        from .builtin_types import attribute_of_type
        from .classes import ORDINARY_METACLASSES

        found = attribute_of_type(self.function, name)
        if found is not None:
            return found
        made = _alternative_constructor(self.function, name)
        if made is not None and rule_for(made) is not None:
            return Known(made)
        if type(self.function) in ORDINARY_METACLASSES:
            from .objects import read_class

            return read_class(trace, self, name)
        if name in WORDS and type(self.function) is types.BuiltinFunctionType:
            return Constant(getattr(self.function, name))
        inner = getattr(self.function, name, None) if _is_ufunc_method(self.function, name) else None
        if inner is not None and rule_for((self.function, name)) is not None:
            return Known((self.function, name))
        raise self.unsupported(f"the attribute {name!r}")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        from .objects import set_on_class

        if type(self.function) is not type:
            super().set_attribute(trace, name, value)
        set_on_class(trace, self, name, value)

    def is_constant(self) -> bool:
        return isinstance(self.function, type)

    def constant(self, trace: Trace) -> Any:
        if isinstance(self.function, type):
            return self.function
        raise self.unsupported("the value of it as a constant")

    def rebuild(self, writer: Any) -> str:
        return self.source.text(writer.pool) if self.source else writer.pool.add(self.function)


def _alternative_constructor(kind: Any, name: str) -> Any:
    """A method of a built-in class itself (`itertools.chain.from_iterable`), which nobody can replace; else None."""
    if type(kind) is not type or not isinstance(vars(kind).get(name), types.ClassMethodDescriptorType):
        return None
    fixed = not kind.__flags__ & _HEAP_TYPE or kind.__flags__ & _IMMUTABLE_TYPE
    return getattr(kind, name) if fixed else None


_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8
"""Py_TPFLAGS_HEAPTYPE and Py_TPFLAGS_IMMUTABLETYPE."""


def _is_ufunc_method(function: Any, name: str) -> bool:
    import numpy as np

    return isinstance(function, np.ufunc) and name in ("reduce", "accumulate", "outer", "at")


class ContainerMethod(Value):
    """A method of a traced container."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Any, name: str) -> None:
        self.receiver = receiver
        self.name = name

    @property
    def python_type(self) -> type:
        found = getattr(self.receiver.python_type, self.name)
        return types.MethodWrapperType if isinstance(found, types.WrapperDescriptorType) else types.BuiltinMethodType

    def describe(self) -> str:
        return f"{self.receiver.describe()}.{self.name}"

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in WORDS:
            raise self.unsupported(f"the attribute {name!r}")
        return Constant(getattr(getattr(self.receiver.python_type, self.name), name))

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..builtin_errors import settle_method
        from ..callables import checked_call
        from ..container_methods import METHODS

        kind = self.receiver.python_type
        rule = METHODS.get((kind, self.name))
        if rule is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        try:
            return checked_call(self.describe(), rule, trace, self.receiver, *args, **kwargs)
        except GraphBreak as stop:
            raise settle_method(stop, kind, self.name, [self.receiver, *args], kwargs) from None


@wraps(types.FunctionType)
def wrap_function(trace: Trace, value: Any, source: Source) -> Value:
    """A Python function: its rule if it has one (many NumPy functions are Python), else a body to inline."""
    from ..callables import rule_for

    if rule_for(value) is not None:
        trace.guard(Is, source, expected=value)
        return Known(value, source)
    called, place = value, source
    original = vars(value).get("__wrapped__") if "__guardlift_state__" in value.__code__.co_freevars else None
    if original is not None:  # a jitted function: its defaults are its own, its body is the original's
        trace.guard(Is, source, expected=value)
        source, value = Attribute(Pinned(value, value.__name__), "__wrapped__"), original
        trace.guard(Is, source, expected=original)
    elif isinstance(source, (Global, Attribute, Named)):
        trace.guard_function(source, value)
    else:
        trace.guard(TypeIs, source, expected=types.FunctionType)
        trace.guard(Is, Attribute(source, "__globals__"), expected=value.__globals__)
    trace.guard(Is, Attribute(source, "__code__"), expected=value.__code__)
    defaults = keyword_defaults = None
    owner = source if called is value else Pinned(called, called.__name__)
    if called.__defaults__ is not None:
        defaults = wrap(trace, called.__defaults__, Attribute(owner, "__defaults__"))
    if called.__kwdefaults__ is not None:
        keyword_defaults = wrap(trace, called.__kwdefaults__, Attribute(owner, "__kwdefaults__"))
    return Function(
        value.__code__,
        name=value.__qualname__,
        scope=OuterScope(value, source),
        defaults=defaults,
        keyword_defaults=keyword_defaults,
        source=source,
        place=place,
    )


@wraps(types.BuiltinFunctionType)
def wrap_builtin(trace: Trace, value: Any, source: Source) -> Value:
    """A built-in function, as itself."""
    trace.guard(Is, source, expected=value)
    return Known(value, source)
