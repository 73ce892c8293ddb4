"""Real classes that stand for those a traced function makes, so that the rules about classes can look things up."""

# Note [Templates]
# A class statement in a traced function makes a new class at every call, so none may be made while tracing. What
# `class_attribute` and its callers need is a real class: with an MRO, slots, and entries that tell functions from
# properties. Such a class is the template. Its entries only have the right types; what an entry stands for is the
# traced value at the same name (`TemplateEntry`), and of the parts of a property or a classmethod, the traced functions
# that the trace has noted for them (`Trace.template_values`).
# A template is ours alone. It is made below a class of ours, with the MRO that the program's class has: no class from
# outside hears of it, neither by `__subclasses__` nor by `__init_subclass__`. Facts about it never become guards, and
# the pool refuses it. It has no reader outside of the trace, which empties it at the end.

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....guards.pool import Pool
from ....guards.sources import ConstantSource, Source
from ...breaks import UNKNOWN_VALUE
from ..objects.type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..base import Value
    from .classes import NewClass

_MADE = "__guardlift_made__"
"""The entry of a template that leads to its traced class."""


class ClassTemplate(type):
    """The metaclass of templates. See Note [Templates]."""

    _watchers = ()  # what a pool refuses to keep

    def mro(cls) -> list[type]:
        """The class, then what its traced class has behind it."""
        return [cls, *vars(cls)[_MADE].ancestors]


@dataclass(frozen=True, eq=False)
class TemplateEntry(Source):
    """The entry under a name of a class that the trace makes."""

    owner: NewClass
    name: str

    def text(self, pool: Pool) -> str:
        raise UNKNOWN_VALUE.stop(operation="a return", name=str(self))

    def __str__(self) -> str:
        return f"{self.owner.name}.{self.name}"


def new_template(made: NewClass, entries: dict[str, Any]) -> type:
    """A class with these entries and the MRO of the traced one. Errors: what `type` itself says to them."""
    refused: TypeError | None = None
    for base in _below(made.ancestors):
        try:
            return ClassTemplate(made.name, (base,), {**entries, _MADE: made})
        except TypeError as error:  # perhaps its objects lie otherwise in memory than those of a class of the MRO
            refused = refused or error
    assert refused is not None
    raise refused


def _below(ancestors: list[type]) -> list[type]:
    """The classes of ours that a template may be made below."""
    built_in = [base for base in ancestors if not base.__flags__ & HEAP_TYPE]
    layout = next(base for base in reversed(built_in) if base.__basicsize__ == built_in[0].__basicsize__)
    return [_like(layout), *(base for base in ancestors if type(base) is ClassTemplate)]


@functools.cache
def _like(layout: type) -> type:
    return type(f"like {layout.__name__}", (layout,), {"__slots__": ()})


def empty(template: type) -> None:
    """Let go of what a template holds."""
    for name in list(vars(template)):
        if not name.startswith("__") or name == _MADE:
            type.__delattr__(template, name)


# Asking.
def made_of(cls: type) -> NewClass | None:
    """The traced class that a template stands for; None for any other class."""
    return vars(cls)[_MADE] if type(cls) is ClassTemplate else None  # type: ignore[no-any-return]


def metaclass(cls: type) -> type:
    """`type(cls)`, for a template that of the class it stands for."""
    return type if type(cls) is ClassTemplate else type(cls)


def is_about_template(source: Source) -> bool:
    """Whether a source starts at a template."""
    return any(
        isinstance(each, TemplateEntry)
        or isinstance(each, ConstantSource)
        and (each.value is ClassTemplate or type(each.value) is ClassTemplate)
        for each in (source, *source.below())
    )


def value_at(trace: Trace, real: Any, source: Source) -> Value | None:
    """The traced value that something found in a template stands for; None where it is no such thing."""
    if isinstance(source, TemplateEntry):
        return source.owner.entry(source.name, real)
    known = trace.template_values.get(id(real))
    if known is None and is_about_template(source):
        raise UNKNOWN_VALUE.stop(operation="a use", name=str(source))
    return None if known is None else known[1]


def class_text(writer: EntryWriter, cls: type) -> str:
    """The expression for a class in the entry code."""
    made = made_of(cls)
    return writer.pool.add(cls) if made is None else made.rebuild(writer)
