"""The places where a mask holds. How many there are, only the call knows: it finds them before its plan runs."""

# Note [Places of a mask]
# `x[mask]` has as many rows as the mask has True, and graphs have no sizes that are computed. But most masks follow
# from what a call is given and not from what the model computes: labels that count, tokens that are no padding. So the
# call computes such a mask with NumPy, by the ops that the graph has for it, and passes the places as one more array.
# Its size is symbolic from the first call on. `x[mask]` picks rows at these places then, and what follows, gradients
# and the optimizer's step included, is one graph for all counts of 2 or more (see Note [Sizes] in `core.sizes`). One
# mask that the program computes twice, as in `loss(logits[y != -1], y[y != -1])`, has its places once, so that sizes
# are known to be the same. Of a mask that is written down, the places are known (`places_known`). A mask of which the
# model decides (`confidence > 0.5`) is a graph break.

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.asynchronous import is_asynchronous
from ....core.devices import CPU
from ....core.sizes import Facts, FloatOf, Size, structure
from ....core.types import TensorType
from ....graph.aot.specialize import Specializer
from ....graph.node import Node
from ....graph.passes.cse import attribute_key
from ....guards.places import Places
from ....guards.sizes import symbols_of
from ....guards.sources import Attribute, Named, Source
from ....ops.activations import ALIAS
from ....ops.checks import CHECKED_INDEX
from ....ops.creation import FULL
from ....ops.indexing import CAT, TAKE
from ....ops.ordering import ARGSORT
from ....ops.pointwise import CAST, RECOMPUTED
from ....ops.registry import Composite, Creation, Indexed, Movement, Pointwise, Reduction
from ...tracing.inputs import LIFTED, Input
from .array import wrap_memory

if TYPE_CHECKING:
    from ...tracing.trace import Trace

MOST_NODES = 32
"""The number of operations that a call makes at most to know a mask: the plan would be faster at more of them."""
_KINDS = frozenset({"array", "int", "float", "numpy_scalar", LIFTED})
"""The kinds of inputs that a mask is computed from."""
_SAME = frozenset({ALIAS, RECOMPUTED})
"""The ops that give their operand."""
_MAY_RAISE = frozenset({ARGSORT, CHECKED_INDEX, TAKE})
"""The ops that may raise and are computed all the same: places that are not found are those of no plan."""
_NUMBERS = (bool, int, float)
_OPERATOR = re.compile(r"\(\{0\} [-+*/%=!<>&|^]+ \{1\}\)")

Array = np.ndarray[Any, Any]


def can_be_found(trace: Trace, mask: Node) -> bool:
    """Whether the call can know the places where a mask holds."""
    return _nodes_of(trace, mask, _entries(trace)) is not None


def places_of(trace: Trace, mask: Node) -> Node | None:
    """The places, counted row by row, where a mask holds, as an input of the plan; None where the call cannot know."""
    entries = _entries(trace)
    nodes = _nodes_of(trace, mask, entries)
    if nodes is None:
        return None
    number = _number(trace.inputs.masks.numbers, nodes)
    if number not in trace.inputs.masks.places:
        inputs = [entries[each] for each in nodes if each.is_input]
        given = _with_sizes(trace, nodes, inputs)
        if given is None:
            return None
        found = _PlacesOf(trace.facts.sizes, nodes, given)
        example = found(*(each.example for each in given))
        if example is None:
            return None
        label = f"nonzero({_text(nodes, entries)})"
        variable = f"__guardlift_places_{len(trace.inputs.masks.places)}__"
        source = Places(found, label, tuple(map(_operand, given)), variable)
        trace.inputs.masks.places[number] = wrap_memory(trace, example, source).storage.node
    return trace.inputs.masks.places[number]


def places_known(trace: Trace, mask: Node) -> Array | None:
    """The places, one at least, where a mask holds that was written down, as in `gl.tensor([True, False])`; else None.

    It follows from nothing that differs from call to call.
    """
    nodes = _nodes_behind(mask)
    if nodes is None or trace.region is not None:
        return None
    values: dict[Node, Array] = {}
    for node in nodes:
        plain = node.op is CAT or _is_plain(node)
        if node.is_input or not plain or any(_symbols(trace.facts.sizes, value) for _, value in node.attrs):
            return None
        values[node] = np.asarray(node.op.eager(*(values[each] for each in node.inputs), **node.kwargs))
    places = np.flatnonzero(values[mask])
    return places if places.size else None


def _entries(trace: Trace) -> dict[Node, Input]:
    return {each.node: each for each in trace.inputs.entries}


def _nodes_of(trace: Trace, mask: Node, entries: dict[Node, Input]) -> list[Node] | None:
    """The nodes that a mask is computed from, if the call can compute them as well."""
    if trace.iterations or trace.region is not None or trace.deferred is not None or not trace.facts.may_count:
        return None
    nodes = _nodes_behind(mask)
    if nodes is None or not all(_is_passed(entries.get(each)) if each.is_input else _is_plain(each) for each in nodes):
        return None
    return nodes


def _nodes_behind(node: Node) -> list[Node] | None:
    """The nodes that a value is computed from, itself at the end; None for too many."""
    found: dict[Node, None] = {}
    waiting = [node]
    while waiting:
        if len(found) + len(waiting) > MOST_NODES:
            return None
        missing = [each for each in waiting[-1].inputs if each not in found]
        waiting.extend(missing)
        if not missing:
            found[waiting.pop()] = None
    return list(found)


def _is_passed(entry: Input | None) -> bool:
    """Whether an input is one that the call can read before the plan runs."""
    return entry is not None and entry.kind in _KINDS and entry.owner is None and _is_at_hand(entry.node)


def _is_at_hand(node: Node) -> bool:
    return node.type.device == CPU and not node.type.dtype.is_narrow


def _is_plain(node: Node) -> bool:
    """Whether NumPy gives the same bits as a kernel."""
    op, lower = node.op, node.op.lower
    known = isinstance(lower, (Pointwise, Movement, Creation, Reduction, Indexed)) or (
        isinstance(lower, Composite) and lower.elementwise
    )
    if op in _MAY_RAISE:
        return _is_at_hand(node)
    exact = op.exact or isinstance(lower, Reduction) and node.type.dtype.is_integer  # ints in any order
    return known and exact and not op.may_raise and _is_at_hand(node)


def _number(numbers: dict[Any, int], nodes: Sequence[Node]) -> int:
    """The number of the last of these values."""
    of: dict[Node, int] = {}
    for node in nodes:
        if node.op in _SAME:
            of[node] = of[node.inputs[0]]
            continue
        attributes = tuple((name, attribute_key(structure(value))) for name, value in node.attrs)
        key: Any = node if node.is_input else (node.op, tuple(of[each] for each in node.inputs), attributes)
        of[node] = numbers.setdefault(key, len(numbers))
    return of[nodes[-1]]


def _with_sizes(trace: Trace, nodes: Sequence[Node], inputs: list[Input]) -> list[Input] | None:
    """These inputs, and those behind them from which all sizes follow that the nodes name; None where some do not."""
    facts = trace.facts.sizes
    missing = {atom for node in nodes for _, value in node.attrs for atom in _symbols(facts, value)}
    given = [*inputs]
    missing.difference_update(atom for each in given for atom in symbols_of(each.node.type, each.strides))
    for entry in trace.inputs.entries:
        known = missing.intersection(symbols_of(entry.node.type, entry.strides)) if missing else set()
        if known and _is_passed(entry):
            given.append(entry)
            missing -= known
    return None if missing else given


def _symbols(facts: Facts, value: Any) -> set[int]:
    """The symbols that sizes in an attribute are made of."""
    if type(value) is tuple:
        return set().union(*(_symbols(facts, each) for each in value))
    if isinstance(value, FloatOf):
        value = value.size
    if not isinstance(value, Size):
        return set()
    waiting = [atom for atoms, _ in value.terms for atom in atoms]
    found = set()
    while waiting:
        atom = waiting.pop()
        derived = facts.atoms[atom].derived
        if derived is None:
            found.add(atom)
        else:
            waiting.extend(each for terms in derived[1:] for atoms, _ in terms for each in atoms)
    return found


def _operand(entry: Input) -> Source:
    """The source of an array or a number, or of the tensor that holds the array: to read it raises nothing."""
    if entry.passed is not None:
        return entry.passed
    held = entry.source.base if isinstance(entry.source, Named) else entry.source
    return held.base if isinstance(held, Attribute) and held.name == "_array" else entry.source


def _text(nodes: Sequence[Node], entries: dict[Node, Input]) -> str:
    """A mask as an expression, for reports."""
    texts: dict[Node, str] = {}
    for node in nodes:
        given = [texts[each] for each in node.inputs]
        lower = node.op.lower
        if node.is_input:
            texts[node] = str(entries[node].source)
        elif node.op is FULL:
            texts[node] = str(node.attr("value"))
        elif node.op in _SAME or node.op is CAST or isinstance(lower, Movement):
            texts[node] = given[0]
        elif isinstance(lower, Pointwise) and _OPERATOR.fullmatch(lower.text):
            texts[node] = lower.text.format(*given)
        else:
            texts[node] = f"{node.op.name}({', '.join(given)})"
    text = texts[nodes[-1]]
    return text[1:-1] if text[:1] == "(" else text


class _PlacesOf:
    """The function from what a mask is computed from to the places where it holds. See Note [Places of a mask]."""

    def __init__(self, facts: Facts, nodes: Sequence[Node], given: Sequence[Input]) -> None:
        self._facts = facts
        self._types = [each.node.type for each in given]
        self._held = [_operand(each) is not each.source for each in given]
        """Whether each operand is a tensor, and no array or number."""
        self._symbols = [
            (place, axis, unit, atom)
            for place, each in enumerate(given)
            for atom, (axis, unit) in symbols_of(each.node.type, each.strides).items()
        ]
        at = {each.node: place for place, each in enumerate(given)}
        self._steps: list[tuple[Any, tuple[int, ...], dict[str, Any], bool]] = []
        for node in nodes:
            if not node.is_input:
                at[node] = len(given) + len(self._steps)
                sized = any(_symbols(facts, value) for _, value in node.attrs)
                self._steps.append((node.op.eager, tuple(at[each] for each in node.inputs), node.kwargs, sized))
        self._result = at[nodes[-1]]

    def __call__(self, *given: Any) -> Array | None:
        """The places; None where something else is given, which no plan takes."""
        try:
            values = [*map(_array, given, self._types, self._held)]
            with np.errstate(all="ignore"):
                known = self._specializer(values) if any(step[3] for step in self._steps) else None
                for eager, operands, attributes, sized in self._steps:
                    if sized and known is not None:
                        attributes = {name: known.value(value) for name, value in attributes.items()}
                    values.append(np.asarray(eager(*(values[each] for each in operands), **attributes)))
            return np.flatnonzero(values[self._result])
        except Exception as error:
            if is_asynchronous(error):
                raise
            return None

    def _specializer(self, values: Sequence[Array]) -> Specializer:
        """The sizes of this call; those that no operand tells do not matter."""
        facts = self._facts
        found = {atom: facts.atoms[atom].hint for atom in facts.symbols}
        for place, axis, unit, atom in self._symbols:
            array = values[place]
            found[atom] = array.strides[axis] // unit if unit else array.shape[axis]
        return Specializer(facts, [found[each] for each in facts.symbols])


def _array(found: Any, wanted: TensorType, held: bool) -> Array:
    """The array of what a call gives for an operand. Errors: TypeError for anything else, of which no code is run."""
    if held and type(found) is not np.ndarray:
        from ....tensor import Tensor

        found = found._array if issubclass(type(found), Tensor) else None
    if type(found) not in _NUMBERS and type(found) is not np.ndarray and not issubclass(type(found), np.generic):
        raise TypeError(f"{type(found)} in the place of {wanted}")
    array = np.asarray(found)
    if not wanted.shape:
        array = array.astype(wanted.dtype.numpy)
    if array.dtype != wanted.dtype.numpy or array.ndim != len(wanted.shape):
        raise TypeError(f"an array of {array.dtype} in the place of {wanted}")
    return array
