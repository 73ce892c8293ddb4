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
    """A rule with the names of what it takes; `only` is the one operand that a rule takes and nothing besides."""

    rule: Rule
    names: tuple[str, ...]
    attrs: tuple[str, ...]
    only: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Derivative:
    """What gives the cotangents of the wanted operands of an op, and what that reads; one object for all its nodes.

    wanted:      for each operand, whether its cotangent is asked for.
    reads:       the names of what the rules read: operands in their order, then ``result``.
    operands:    of these, names and positions of the operands; none for a variadic op.
    rules:       the rule of each wanted operand, with the operand's place; the one rule of a variadic op with place 0.
    pointwise:   the op is: a cotangent may have the shape of the result still.
    """

    wanted: tuple[bool, ...]
    reads: tuple[str, ...]
    operands: tuple[tuple[str, int], ...]
    reads_result: bool
    rules: tuple[tuple[int, _Reading], ...]
    variadic: bool
    pointwise: bool

    def apply(
        self,
        f: Emitter,
        g: Any,
        values: Mapping[str, Any],
        shapes: Sequence[Shape],
        dtypes: Sequence[DType],
        attrs: Mapping[str, object],
    ) -> list[Any | None]:
        """The cotangent of each wanted operand, in its shape; None for the others and where there is none.

        values: at least what `reads` lists; a Python number for an operand that was one, None for one that was left
            out.
        """
        answers: list[Any | None] = [None] * len(self.wanted)
        for place, reading in self.rules:
            name = reading.only
            operand = None if name is None else values.get(name)
            if name is None or operand.__class__ in _NUMBERS:
                answer = _apply(reading, f, g, values, shapes, dtypes, attrs)
            else:
                answer = reading.rule(f, g, operand)
            if self.variadic:
                return [each if want else None for each, want in zip(answer, self.wanted, strict=True)]
            if self.pointwise and answer is not None and answer.shape != shapes[place]:
                answer = sum_to(f, answer, shapes[place])
            answers[place] = answer
        return answers


@cache
def derivative(op: OpDef, wanted: tuple[bool, ...]) -> Derivative:
    """The derivative of `op` by its wanted operands."""
    readings = _readings(op)
    if op.variadic:
        rules = ((0, readings[0]),) if readings[0] and any(wanted) else ()
    else:
        pairs = enumerate(zip(readings, wanted, strict=False))
        rules = tuple((place, reading) for place, (reading, want) in pairs if want and reading)
    named = {name for _, each in rules for name in each.names}
    present = op.operands if op.variadic else op.operands[: len(wanted)]
    return Derivative(
        wanted,
        tuple(name for name in (*present, "result") if name in named),
        () if op.variadic else tuple((name, place) for place, name in enumerate(present) if name in named),
        "result" in named,
        rules,
        op.variadic,
        isinstance(op.lower, Pointwise),
    )


def reads(op: OpDef, wanted: tuple[bool, ...]) -> tuple[str, ...]:
    """The names of what the rules of the wanted operands read: operands in their order, then ``result``."""
    return derivative(op, wanted).reads


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
    """What `Derivative.apply` gives, of an op at hand."""
    return tuple(derivative(op, tuple(wanted)).apply(f, g, values, shapes, dtypes, attrs))


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
    shapes: Sequence[Shape],
    dtypes: Sequence[DType],
    attrs: Mapping[str, object],
) -> Any:
    if not (reading.names or reading.attrs):
        return reading.rule(f, g)
    free = {"shapes": shapes, "dtypes": dtypes}
    operands = [free[name] if name in free else values.get(name) for name in reading.names]
    for place, operand in enumerate(operands):
        if operand.__class__ in _NUMBERS:
            operands[place] = f.constant(operand, g)  # two numbers alone would not know their dtype
    if not reading.attrs:
        return reading.rule(f, g, *operands)
    return reading.rule(f, g, *operands, **{name: attrs[name] for name in reading.attrs})


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
    attrs = tuple(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)
    only = names[0] if len(names) == 1 and not attrs and names[0] not in FREE else None
    return _Reading(rule, names, attrs, only)
