"""Python functions and bound methods while tracing: their calls are inlined."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ...guards.guard import Is, TypeIs
from ...guards.sources import Attribute, Global, Named, Pinned, Source
from ..breaks import SIDE_EFFECT, raised
from .base import Value, wrap, wraps
from .constant import Constant
from .known import Known
from .scopes import OuterScope, Scope

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace
    from .containers import DictValue


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
        if name in ("__name__", "__qualname__") and self.place is None and self.wrapped is None:
            return Constant(self.name if name == "__qualname__" else self.code.co_name)
        if name.startswith("__") or self.place is not None:
            raise self.unsupported(f"the attribute {name!r}")
        if self.attributes is None or name not in self.attributes.items:
            raise raised(AttributeError(f"'function' object has no attribute {name!r}"))
        return self.attributes.items[name]

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        from .containers import DictValue

        if name.startswith("__") or self.place is not None:
            raise SIDE_EFFECT.stop(name=f"{self.name}.{name}")
        self.attributes = self.attributes or DictValue({})
        self.attributes.items[name] = value

    def rebuild(self, writer: Writer) -> str:
        from ..closures import rebuild_function

        return rebuild_function(writer, self) if self.place is None else self.place.text(writer.pool)


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

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return self.function.call(trace, [self.receiver, *args], kwargs)

    def truth(self, trace: Trace) -> bool:
        return True

    def rebuild(self, writer: Writer) -> str:
        from ..closures import rebuild_method

        return rebuild_method(writer, self) if self.source is None else self.source.text(writer.pool)


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
