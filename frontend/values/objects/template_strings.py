"""Template strings (`t"..."`): templates and interpolations that the trace makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Value
from ..constant import NONE, Constant
from ..containers.sequences import TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class _Made(Value):
    """An object of `string.templatelib` that the trace makes. It compares by identity, and nobody changes it."""

    is_one_object = True
    kind: str

    @property
    def python_type(self) -> type:
        from string import templatelib  # type: ignore[attr-defined]  # a module of CPython 3.14

        found: type = getattr(templatelib, self.kind)
        return found

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        found = self.fields().get(name)
        if found is None:
            raise self.unsupported(f"the attribute {name!r}")
        return found

    def fields(self) -> dict[str, Value]:
        """The attributes, by name."""
        raise NotImplementedError

    def arguments(self) -> list[Value]:
        """The arguments of the class that make such an object."""
        raise NotImplementedError

    def rebuild(self, writer: EntryWriter) -> str:
        known = writer.name_of(self)
        if known is None:
            given = ", ".join(each.rebuild(writer) for each in self.arguments())
            known = writer.name_for(self)
            writer.statements.append(f"{known} = {writer.pool.add(self.python_type)}({given})")
        return known


class InterpolationValue(_Made):
    """One field of a template string."""

    kind = "Interpolation"

    def __init__(self, value: Value, expression: Value, conversion: str | None, spec: Value) -> None:
        self.value, self.expression, self.spec = value, expression, spec
        self.conversion = NONE if conversion is None else Constant(conversion)

    def fields(self) -> dict[str, Value]:
        return {
            "value": self.value,
            "expression": self.expression,
            "conversion": self.conversion,
            "format_spec": self.spec,
        }

    def arguments(self) -> list[Value]:
        return [self.value, self.expression, self.conversion, self.spec]


class TemplateValue(_Made):
    """A template string: `strings` are the texts before, between and behind the fields."""

    kind = "Template"

    def __init__(self, strings: TupleValue, interpolations: TupleValue) -> None:
        self.strings, self.interpolations = strings, interpolations

    def fields(self) -> dict[str, Value]:
        values = [each.fields()["value"] for each in self.interpolations.items if isinstance(each, InterpolationValue)]
        return {"strings": self.strings, "interpolations": self.interpolations, "values": TupleValue(values)}

    def elements(self, trace: Trace) -> list[Value]:
        return [each for each in self.arguments() if not (isinstance(each, Constant) and each.value == "")]

    def arguments(self) -> list[Value]:
        first, *rest = self.strings.items
        return [first, *(part for pair in zip(self.interpolations.items, rest, strict=True) for part in pair)]
