"""Derivatives of ops: which values a rule reads, and what it makes of a cotangent.

A rule is ``rule(f, g, <names>, *, <attributes>)``: `f` is the emitter that its ops go through, `g` the cotangent of the
result. The names say what it reads: operands, ``result``, or the free ``shapes`` and ``dtypes`` of the operands. What
it names, and nothing else, has to be kept until it runs. Of the op's attributes it takes those it names.
A rule answers with the operand's cotangent, or None where there is none (an operand that is no float); the rule of a
variadic op with a list of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..core.dtypes import DType
from .emitter import Emitter
from .registry import OpDef, Pointwise, Rule

Shape = tuple[int, ...]
_NUMBERS = (float, int, bool)
FREE = ("shapes", "dtypes")
"""What a rule may name that takes no memory."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A rule with the names of what it takes."""

    rule: Rule
    names: tuple[str, ...]
    attrs: tuple[str, ...]


@cache
def reads(op: OpDef, wanted: tuple[bool, ...]) -> tuple[str, ...]:
    """The names of what the rules of the wanted operands read: operands in their order, then ``result``."""
    if op.variadic:
        rules = _readings(op) if any(wanted) else ()
    else:
        rules = tuple(each for each, want in zip(_readings(op), wanted, strict=False) if want)
    found = {name for each in rules if each for name in each.names}
    present = op.operands if op.variadic else op.operands[: len(wanted)]
    return tuple(name for name in (*present, "result") if name in found)


def operand_gradients(
    op: OpDef,
    f: Emitter,
    g: Any,
    wanted: Sequence[bool],
    values: Mapping[str, Any],
    shapes: Sequence[Shape],
    dtypes: Sequence[DType],
    attrs: Mapping[str, object],
) -> tuple[Any | None, ...]:
    """The cotangent of each wanted operand, in its shape; None for the others and where there is none.

    values: at least what `reads` lists; a Python number for an operand that was one, None for one that was left out.
    """
    free = {"shapes": shapes, "dtypes": dtypes}
    if op.variadic:
        (reading,) = _readings(op)
        found = _apply(reading, f, g, values, free, attrs) if reading and any(wanted) else [None] * len(wanted)
        return tuple(each if want else None for each, want in zip(found, wanted, strict=True))
    answers: list[Any | None] = [None] * len(wanted)
    pointwise = isinstance(op.lower, Pointwise)
    for place, reading in _wanted_readings(op, tuple(wanted)):
        answer = _apply(reading, f, g, values, free, attrs)
        if pointwise and answer is not None and f.shape(answer) != shapes[place]:
            answer = sum_to(f, answer, shapes[place])
        answers[place] = answer
    return tuple(answers)


def sum_to(f: Emitter, g: Any, shape: Shape) -> Any:
    """`g` summed over the axes along which `shape` was broadcast to the shape of `g`."""
    have = f.shape(g)
    if have == tuple(shape):
        return g
    lead = len(have) - len(shape)
    stretched = (lead + k for k, size in enumerate(shape) if size == 1 and have[lead + k] != 1)
    total = f.sum(g, axes=(*range(lead), *stretched))
    return total if f.shape(total) == tuple(shape) else f.reshape(total, shape=tuple(shape))


def _apply(
    reading: _Reading,
    f: Emitter,
    g: Any,
    values: Mapping[str, Any],
    free: Mapping[str, Any],
    attrs: Mapping[str, object],
) -> Any:
    if not (reading.names or reading.attrs):
        return reading.rule(f, g)
    operands = [free[name] if name in free else values.get(name) for name in reading.names]
    for place, operand in enumerate(operands):
        if operand.__class__ in _NUMBERS:
            operands[place] = f.constant(operand, g)  # two numbers alone would not know their dtype
    if not reading.attrs:
        return reading.rule(f, g, *operands)
    return reading.rule(f, g, *operands, **{name: attrs[name] for name in reading.attrs})


@cache
def _wanted_readings(op: OpDef, wanted: tuple[bool, ...]) -> tuple[tuple[int, _Reading], ...]:
    """The rules of the wanted operands, each with the place of its operand."""
    pairs = enumerate(zip(_readings(op), wanted, strict=False))
    return tuple((place, reading) for place, (reading, want) in pairs if want and reading)


@cache
def _readings(op: OpDef) -> tuple[_Reading | None, ...]:
    if op.vjp is None:
        return (None,) * len(op.operands)
    return tuple(rule and _reading(op, rule) for rule in op.vjp)


def _reading(op: OpDef, rule: Rule) -> _Reading:
    """The names in the signature of a rule. Errors: TypeError for one that the op has not."""
    parameters = list(inspect.signature(rule).parameters.values())[2:]
    names = tuple(each.name for each in parameters if each.kind is not each.KEYWORD_ONLY)
    unknown = [name for name in names if name not in (*op.operands, "result", *FREE)]
    if unknown:
        raise TypeError(f"a derivative rule of {op.name} reads {', '.join(unknown)}, which the op does not have")
    return _Reading(rule, names, tuple(each.name for each in parameters if each.kind is each.KEYWORD_ONLY))
