"""Derivatives of ops: which values a rule reads, and what it makes of a cotangent.

A rule is ``rule(f, g, <names>, *, <attributes>)``: `f` is the emitter that its ops go through, `g` the cotangent of the
result. The names say what it reads: operands, ``result``, or the free ``shapes`` and ``dtypes`` of the operands. What
it names, and nothing else, has to be kept until it runs. Of the op's attributes it takes those it names. A rule with
``*operands`` reads every operand that it does not name; one with ``**attributes`` takes every attribute of the op.
A rule answers with the operand's cotangent, or None where there is none (an operand that is no float); the rule of a
variadic op with a list of them. An op whose cotangents share their work has a `Part` of one rule for each operand.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..core.dtypes import DType
from ..core.records import dataclass
from ..core.sizes import same_sizes
from .emitter import Emitter
from .registry import KernelFrom, OpDef, Rule, broadcasts

Shape = tuple[int, ...]
_NUMBERS: frozenset[Any] = frozenset((float, int, bool))
FREE = ("shapes", "dtypes")
"""The names that a rule may read at no cost in memory: no array is kept for them."""


@dataclass(frozen=True, slots=True)
class Part:
    """The rule of one operand where a rule gives the cotangents of all at once, in a sequence; it runs once for them.

    number: the place of the operand's cotangent there.
    """

    whole: Rule
    number: int

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.whole)

    def __call__(self, f: Emitter, g: Any, *values: Any, **attrs: Any) -> Any:
        """The cotangent of the operand alone."""
        return self.whole(f, g, *values, **attrs)[self.number]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A rule with the names of what it takes. attrs: None stands for every attribute of the op."""

    rule: Rule
    names: tuple[str, ...]
    attrs: tuple[str, ...] | None

    @property
    def whole(self) -> _Reading:
        """The reading of the rule that a `Part` is one of."""
        assert isinstance(self.rule, Part)
        return _Reading(self.rule.whole, self.names, self.attrs)

    @property
    def only(self) -> str | None:
        """The name of an operand if the rule takes nothing but that one."""
        alone = len(self.names) == 1 and self.attrs == () and self.names[0] not in FREE
        return self.names[0] if alone else None


@dataclass(frozen=True, slots=True, eq=False)
class Derivative:
    """The rules for the cotangents of the wanted operands of an op, and what they read; one object for all its nodes.

    name:        what the node of the op is called.
    wanted:      for each operand, whether its cotangent is asked for.
    reads:       the names of what the rules read: operands in their order, then ``result``.
    operands:    of these, names and positions of the operands; none for a variadic op.
    rules:       of each wanted operand the place, the rule, the one operand that it reads if there is nothing else, and
        all it reads; of a variadic op the one rule, if it is wanted.
    pointwise:   the op is: a cotangent may have the shape of the result still.
    kernel_from: from how many elements on eager mode on the CPU compiles the rules.
    """

    name: str
    wanted: tuple[bool, ...]
    reads: tuple[str, ...]
    operands: tuple[tuple[str, int], ...]
    reads_result: bool
    reads_dtypes: bool
    rules: tuple[tuple[int, Rule, str | None, _Reading], ...]
    variadic: bool
    pointwise: bool
    kernel_from: KernelFrom

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
        if self.variadic:
            return self._of_all(f, g, values, shapes, dtypes, attrs)
        answers: list[Any | None] = [None] * len(self.wanted)
        whole: Any = None
        for place, rule, only, reading in self.rules:
            if rule.__class__ is Part:
                if whole is None:
                    whole = _apply(reading.whole, f, g, values, shapes, dtypes, attrs)
                answers[place] = whole[rule.number]  # type: ignore[attr-defined]
                continue
            operand = None if only is None else values.get(only)
            if only is None or operand.__class__ in _NUMBERS:
                answer = _apply(reading, f, g, values, shapes, dtypes, attrs)
            else:
                answer = rule(f, g, operand)
            if self.pointwise and answer is not None and not same_sizes(answer.shape, shapes[place]):
                answer = sum_to(f, answer, shapes[place])
            answers[place] = answer
        return answers

    def _of_all(self, f: Emitter, g: Any, *free: Any) -> list[Any | None]:
        for _, _, _, reading in self.rules:
            found = _apply(reading, f, g, *free)
            return [each if want else None for each, want in zip(found, self.wanted, strict=True)]
        return [None] * len(self.wanted)


@cache
def derivative(op: OpDef, wanted: tuple[bool, ...]) -> Derivative:
    """The derivative of `op` by its wanted operands."""
    readings = _readings(op)
    asked = (any(wanted),) if op.variadic else wanted
    rules = tuple(
        (place, reading.rule, reading.only, reading)
        for place, (reading, want) in enumerate(zip(readings, asked, strict=False))
        if want and reading
    )
    named = {name for *_, reading in rules for name in reading.names}
    present = op.operands if op.variadic else op.operands[: len(wanted)]
    return Derivative(
        f"{op.grad_name}Backward0",
        wanted,
        tuple(name for name in (*present, "result") if name in named),
        () if op.variadic else tuple((name, place) for place, name in enumerate(present) if name in named),
        "result" in named,
        "dtypes" in named,
        rules,
        op.variadic,
        broadcasts(op),
        op.kernel_from,
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
    """The cotangents that `Derivative.apply` gives of an op at hand; None for operands that are not wanted."""
    return tuple(derivative(op, tuple(wanted)).apply(f, g, values, shapes, dtypes, attrs))


def sum_to(f: Emitter, g: Any, shape: Shape) -> Any:
    """`g` summed over the axes along which `shape` was broadcast to the shape of `g`."""
    have = f.shape(g)
    if same_sizes(have, tuple(shape)):
        return g
    lead = len(have) - len(shape)
    stretched = (lead + k for k, size in enumerate(shape) if size == 1 and have[lead + k] != 1)
    total = f.sum(g, axes=(*range(lead), *stretched))
    return total if same_sizes(f.shape(total), tuple(shape)) else f.reshape(total, shape=tuple(shape))


def _apply(
    reading: _Reading,
    f: Emitter,
    g: Any,
    values: Mapping[str, Any],
    shapes: Sequence[Shape],
    dtypes: Sequence[DType],
    attrs: Mapping[str, object],
) -> Any:
    if not reading.names and reading.attrs == ():
        return reading.rule(f, g)
    free: dict[str, Any] = {"shapes": shapes, "dtypes": dtypes}
    operands: list[Any] = [free[name] if name in free else values.get(name) for name in reading.names]
    for place, operand in enumerate(operands):
        if operand.__class__ in _NUMBERS:
            operands[place] = f.constant(operand, g)  # two numbers alone would not know their dtype
    if reading.attrs == ():
        return reading.rule(f, g, *operands)
    if reading.attrs is None:
        return reading.rule(f, g, *operands, **attrs)
    return reading.rule(f, g, *operands, **{name: attrs[name] for name in reading.attrs})


@cache
def _readings(op: OpDef) -> tuple[_Reading | None, ...]:
    if op.vjp is None:
        return (None,) * len(op.operands)
    return tuple(rule and _reading(op, rule) for rule in op.vjp)


def _reading(op: OpDef, rule: Rule) -> _Reading:
    """The names in the signature of a rule. Errors: TypeError for one that the op has not."""
    parameters = list(inspect.signature(rule).parameters.values())[2:]
    names = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    unknown = [name for name in names if name not in (*op.operands, "result", *FREE)]
    if unknown:
        raise TypeError(f"a derivative rule of {op.name} reads {', '.join(unknown)}, which the op does not have")
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        names += [name for name in op.operands if name not in names]
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return _Reading(rule, tuple(names), None)
    return _Reading(rule, tuple(names), tuple(each.name for each in parameters if each.kind is each.KEYWORD_ONLY))
