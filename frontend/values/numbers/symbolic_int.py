"""Sizes as the program sees them: `x.shape[0]`, `len(x)`, `x.size`, and whole numbers computed from them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.sizes import LARGEST, Size, Terms, is_symbolic, symbol
from ....guards.computed_sources import Computed
from ....guards.guard import TypeIs
from ....guards.places import Places
from ....guards.sizes import symbols_of
from ....guards.sources import Attribute, Item, Local, Named, Source
from ...tracing.rules import asked
from ..constant import Constant
from ..python_operators import BINARY, UNARY, OperatorRank
from . import input_scalar
from .input_scalar import InputNumber, is_number, rely_on_types

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..base import Value


class SymInt(Constant):
    """An int that is another one where arguments have other sizes.

    Rules that know sizes take `size`. To all others it is the constant that it is in the traced call, and to ask for
    that `value` is to rely on it.
    """

    __slots__ = ("size",)
    operator_rank = OperatorRank.SYMBOLIC_INT

    def __init__(self, size: Size) -> None:
        self.size = size
        self.source = None

    @property
    def value(self) -> int:  # type: ignore[override]
        return int(self.size)

    @property
    def python_type(self) -> type:
        return int

    def describe(self) -> str:
        return "a size"

    def truth(self, trace: Trace) -> bool:
        return self.size != 0

    def unary(self, trace: Trace, name: str) -> Value:
        return operate(name, self) or super().unary(trace, name)

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        of_sizes = operate(name, *(concrete_count(trace, each) for each in (left, right)))
        if of_sizes is not None or not (is_number(left) and is_number(right)):
            return of_sizes
        return input_scalar.operate(trace, name, as_scalar(trace, left), as_scalar(trace, right))

    def rebuild(self, writer: EntryWriter) -> str:
        source = _source_of(writer.trace, self.size)
        return f"({self.value!r})" if source is None else source.text(writer.pool)


def _source_of(trace: Trace, size: Size) -> Source | None:
    """The source of a size after the call; None where that is not sure."""
    sized = [entry.source for entry in trace.inputs.entries if is_symbolic(entry.node.type.shape)]
    if not all(map(_is_of_argument, (*trace.facts.size_sources, *sized))):
        return None
    return _sum_of(size.terms, _atom_sources(trace))


def symbol_sources(trace: Trace) -> dict[int, Source]:
    """The source of each symbol, behind the plan."""
    atoms: dict[int, Source] = {each.terms[0][0][0]: source for source, each in trace.facts.size_sources.items()}
    for entry in trace.inputs.entries:
        for atom, (axis, unit) in symbols_of(entry.node.type, entry.strides).items():
            place = Item(Attribute(entry.source.behind_plan, "strides" if unit else "shape"), axis)
            trace.inputs.scalar_types[place] = int
            atoms[atom] = Computed(f"{{}} // {unit}", (place,)) if unit else place
    return atoms


def _atom_sources(trace: Trace) -> dict[int, Source]:
    """The source of each atom, or how it is computed."""
    atoms = symbol_sources(trace)
    for place, atom in enumerate(trace.facts.sizes.atoms):
        if atom.derived is not None:
            operation, one, other = atom.derived
            atoms[place] = Computed(f"{{}} {operation} {{}}", (_sum_of(one, atoms), _sum_of(other, atoms)))
    return atoms


def _is_of_argument(source: Source) -> bool:
    """Whether a source is a variable, or the memory of a tensor in one, or was found by the call."""
    if isinstance(source, Named) and isinstance(source.base, Attribute) and source.base.name == "_array":
        source = source.base.base
    return isinstance(source, (Local, Places))


def _sum_of(terms: Terms, atoms: dict[int, Source]) -> Computed:
    products = [["{}"] * len(monomial) for monomial, _ in terms]
    factors = [[] if factor == 1 and product else [str(factor)] for (_, factor), product in zip(terms, products)]
    form = " + ".join(" * ".join([*factor, *product]) for factor, product in zip(factors, products))
    return Computed(form, tuple(atoms[atom] for monomial, _ in terms for atom in monomial))


def number(value: int | Size) -> Constant:
    """The traced value of a whole number."""
    return SymInt(value) if isinstance(value, Size) else Constant(value)


def size_of(trace: Trace, value: Value) -> Any:
    """A constant, a size being left symbolic; also one in a tuple, a list or a slice."""
    from ..containers.ranges import SliceValue
    from ..containers.sequences import Sequence

    value = value.whole_number(trace)
    if type(value) is SymInt:
        return value.size
    if isinstance(value, InputNumber):
        found = _size_outside(trace, value.source, value.example)
        return value.constant(trace) if found is None else found
    if isinstance(value, Sequence) and value.python_type in (tuple, list):
        return value.python_type(size_of(trace, each) for each in value.items)
    if type(value) is SliceValue:
        return slice(*(size_of(trace, part.index_number(trace)) for part in value.parts))
    return value.constant(trace)


def _size_outside(trace: Trace, source: Source, example: Any, *, bounds: bool = False) -> Any:
    """An int from outside, or computed from such, as a size; None where it has to be known.

    bounds: it bounds a range, which a region takes as a size too."""
    if type(example) is not int or trace.region is not None and not bounds:
        return None
    return _computed(trace, source) if isinstance(source, Computed) else _read(trace, source, example)


def _computed(trace: Trace, source: Computed) -> Any:
    """The size that is computed of ints from outside; None where it is not computed exactly."""
    known = (*BINARY.items(), *UNARY.items())
    names = {form: name for name, (_, form) in known if name in _ARITHMETIC}
    operands: list[Any] = []
    for each in source.operands:
        if isinstance(each, Computed):
            operands.append(_computed(trace, each))
        elif isinstance(each, Source):
            example = trace.inputs.scalar_examples.get(each)
            operands.append(_read(trace, each, example) if type(example) is int else None)
        else:
            operands.append(each if type(each) is int else None)
    if source.form not in names or any(each is None for each in operands):
        return None
    name = names[source.form]
    if name in ("//", "%") and operands[1] == 0:
        return None
    return (BINARY if len(operands) == 2 else UNARY)[name][0](*operands)


def _read(trace: Trace, source: Source, example: int) -> Any:
    """An int from outside as a symbol; None where it has to be known."""
    if not -LARGEST <= example <= LARGEST or not trace.facts.has_free_sizes(source) or trace.deferred is not None:
        return None
    if source not in trace.facts.size_sources:
        rely_on_types(trace, source)
        trace.facts.size_sources[source] = symbol(trace.facts.sizes, str(source), example, low=-LARGEST)
    return trace.facts.size_sources[source]


_ARITHMETIC = ("+", "-", "*", "//", "%")


def whole_of(trace: Trace, value: Value) -> Any:
    """An argument that is an index or a count, a size being left symbolic. Errors: TypeError for what is no integer."""
    known = size_of(trace, value)
    return known if isinstance(known, Size) else asked(operator.index, known)


def concretized(trace: Trace, value: Value, *, bounds: bool = False) -> Value:
    """An int from outside as a size where it is one; anything else as it is. `bounds`: it bounds a range."""
    value = value.whole_number(trace)
    found = _size_outside(trace, value.source, value.example, bounds=bounds) if isinstance(value, InputNumber) else None
    return value if found is None else number(found)


def concrete_count(trace: Trace, value: Value) -> Value:
    """An int as a size where code that ran before relied on its value; any other is a number like a float."""
    if not isinstance(value, InputNumber) or trace.iterations:  # in a round it may be no int of the caller's
        return value
    places = (value.source, *value.source.below())
    return concretized(trace, value) if any(map(trace.facts.has_free_sizes.counts, places)) else value


def whole(value: Constant) -> Any:
    """The Python value of a constant, a size being left symbolic."""
    return value.size if isinstance(value, SymInt) else value.value


def as_scalar(trace: Trace, value: Value) -> Value:
    """A size as a number that is computed before each call; any other value as it is, and so is a size in a region."""
    if type(value) is not SymInt or trace.region is not None:
        return value
    for entry in trace.inputs.entries:
        if is_symbolic(entry.node.type.shape) and entry.argument is not None:
            kind = np.ndarray if entry.access_path is None else entry.access_path.links[0].kind
            trace.guard(TypeIs, entry.argument, expected=kind)  # so that no code of the user's runs in what reads it
    return InputNumber(_sum_of(value.size.terms, _atom_sources(trace)), value.size.hint)


def concerns(*values: Value) -> bool:
    """Whether values are whole numbers, and one of them is a size."""
    return any(type(each) is SymInt for each in values) and all(
        type(each) is SymInt or type(each) is Constant and type(each.value) is int for each in values
    )


_EXACT = frozenset(("+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">="))


def operate(name: str, *values: Value) -> Constant | None:
    """`left <name> right`, or `<name> value`, of whole numbers; None for what has to rely on their values."""
    if not concerns(*values) or name not in _EXACT:
        return None
    operands = [each.size if isinstance(each, SymInt) else each.value for each in values]  # type: ignore[attr-defined]
    if name in ("//", "%") and operands[1] == 0:
        return None
    function = (BINARY if len(values) == 2 else UNARY)[name][0]
    return number(function(*operands))
