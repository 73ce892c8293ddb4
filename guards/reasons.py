"""Guards in the user's words: the fact as a statement, and for a fact that failed, what was, what is, and the edit
that would avoid it.

A guard class has one function under `@fact.register` and one under `@change.register`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from ..core.events import Reason
from ..core.types import TensorType, contiguous_strides
from .guard import (
    ArrayLayout,
    DictKeys,
    Different,
    Equals,
    Evaluates,
    Guard,
    Is,
    IsNot,
    LacksAttribute,
    LacksKey,
    Length,
    NoOverlap,
    NumberInput,
    Outcome,
    Same,
    TypeIs,
    describe,
    describe_type,
)
from .sources import Attribute, Source


@dataclass(frozen=True, slots=True)
class Change:
    """How a fact failed. `expression` is what it is about, `edit` the change of the program that would avoid it."""

    expression: str
    was: str
    now: str
    edit: str


def reason(entry: int, guard: Guard, found: object) -> Reason:
    """The record of a guard that failed, of entry number `entry`; `found` is the value now."""
    what = change(guard, found)
    where = guard.where
    at = (where.file, where.line, where.text) if where else ("", 0, "")
    text = guard.explain(found)
    return Reason(entry, guard.kind, what.expression, text, str(where or ""), what.was, what.now, what.edit, at)


@singledispatch
def fact(guard: Guard) -> str:
    """What must hold, as the user would write it."""
    return f"{guard.source}: the {guard.kind} it had"


@singledispatch
def change(guard: Guard, found: object) -> Change:
    """How the fact failed. `found` is the value now."""
    return Change(str(guard.source), "as compiled", describe(found), "keep it as it was in the first call")


@fact.register
def _(guard: TypeIs) -> str:
    return f"type({guard.source}) is {guard.expected.__name__}"


@change.register
def _(guard: TypeIs, found: object) -> Change:
    return _type_change(guard.source, guard.expected, found)


@fact.register
def _(guard: NumberInput) -> str:
    return f"{guard.source}: any {guard.expected.__name__}"


@change.register
def _(guard: NumberInput, found: object) -> Change:
    if type(found) is guard.expected:
        return Change(
            str(guard.source),
            "a number of 64 bits",
            describe(found),
            f"pass float({guard.source}), or keep it within 64 bits",
        )
    return _type_change(guard.source, guard.expected, found)


_CONVERSIONS = (int, float, bool, list, tuple)


def _type_change(source: Source, expected: type, found: object) -> Change:
    name = expected.__name__
    edit = "keep objects of one class there"
    if expected in _CONVERSIONS and type(found) in (*_CONVERSIONS, np.ndarray):
        edit = f"pass {name}({source}) every time"
    elif type(found) is np.ndarray:
        edit = f"pass the same kind of value every time: an array, or {_article(name)} {name}"
    elif issubclass(expected, np.generic):
        edit = f"pass np.{name}({source}) every time"
    return Change(str(source), f"of type {name}", describe_type(found), edit)


@fact.register
def _(guard: Is) -> str:
    name = describe(guard.expected)
    return f"{guard.source} is the same {name[2:]} object" if name.startswith("a ") else f"{guard.source} is {name}"


@change.register
def _(guard: Is, found: object) -> Change:
    source = str(guard.source)
    if guard.expected is None or isinstance(guard.expected, bool):
        edit = f"nothing, if {source} has few values: each is compiled once; otherwise jit one function for each"
    elif isinstance(guard.source, Attribute):
        edit = f"assign {source} once, before the first call"
    else:
        edit = f"keep one object in {source}: make it once, outside the loop that calls the function"
    was, now = describe(guard.expected), describe(found)
    return Change(source, was, now if now != was else f"another {was.removeprefix('a ').removeprefix('the ')}", edit)


@fact.register
def _(guard: IsNot) -> str:
    return f"{guard.source} is not {describe(guard.excluded)}"


@change.register
def _(guard: IsNot, found: object) -> Change:
    edit = f"nothing, if {guard.source} is {describe(found)} at times: both cases are compiled once"
    return Change(str(guard.source), f"not {describe(guard.excluded)}", describe(found), edit)


@fact.register
def _(guard: Equals) -> str:
    return f"{guard.source} == {describe(guard.expected)}"


@change.register
def _(guard: Equals, found: object) -> Change:
    source = str(guard.source)
    if type(guard.expected) is int and type(found) is int:
        counts = guard.where is not None and "range(" in guard.where.text
        turns = "put the body of the loop in a jitted function and loop outside it, or compute with whole arrays"
        edit = (
            turns if counts else f"if only arithmetic needs {source}, pass float({source}); if it counts turns, {turns}"
        )
    else:
        edit = f"keep {source} to few values: each is compiled once"
    return Change(source, describe(guard.expected), describe(found), edit)


@fact.register
def _(guard: Outcome) -> str:
    return str(guard.source) if guard.expected else f"not ({guard.source})"


@change.register
def _(guard: Outcome, found: object) -> Change:
    edit = "nothing, if both outcomes are usual: each is compiled once; np.where(condition, a, b) compiles them as one"
    return Change(f"the condition `{guard.source}`", str(guard.expected), str(not guard.expected), edit)


@fact.register
def _(guard: Evaluates) -> str:
    return f"{guard.source} raises no error"


@change.register
def _(guard: Evaluates, found: object) -> Change:
    edit = "nothing: Python itself then runs the call and raises"
    return Change(f"`{guard.source}`", "a number", "an error", edit)


@fact.register
def _(guard: Length) -> str:
    return f"len({guard.source}) == {guard.expected}"


@change.register
def _(guard: Length, found: object) -> Change:
    now = str(len(found)) if isinstance(found, (list, tuple, dict, str, set, frozenset, bytes)) else describe(found)
    edit = f"keep one length of {guard.source}, or stack its elements into one array"
    return Change(f"len({guard.source})", str(guard.expected), now, edit)


@fact.register
def _(guard: DictKeys) -> str:
    return f"list({guard.source}) == {_listed(guard.expected)}"


@change.register
def _(guard: DictKeys, found: object) -> Change:
    now = _listed(tuple(found)) if isinstance(found, dict) else describe(found)
    edit = f"build {guard.source} with the same keys, in one order, for every call"
    return Change(f"list({guard.source})", _listed(guard.expected), now, edit)


@fact.register
def _(guard: LacksKey) -> str:
    return f"{guard.key!r} not in {guard.source}"


@change.register
def _(guard: LacksKey, found: object) -> Change:
    edit = f"put {guard.key!r} there before the first call, or not at all"
    return Change(f"{guard.key!r} in {guard.source}", "False", "True", edit)


@fact.register
def _(guard: LacksAttribute) -> str:
    return f"not hasattr({guard.source}, {guard.name!r})"


@change.register
def _(guard: LacksAttribute, found: object) -> Change:
    edit = f"set the attribute {guard.name!r} of the class before the first call, or only on instances"
    return Change(f"hasattr({guard.source}, {guard.name!r})", "False", "True", edit)


@fact.register
def _(guard: ArrayLayout) -> str:
    written = ", writeable" if guard.writeable else ""
    return f"{guard.source}: {_array(guard.type)}{_order(guard.type.shape, guard.strides)}{written}"


@change.register
def _(guard: ArrayLayout, found: object) -> Change:
    source, expected = str(guard.source), guard.type
    if type(found) is not np.ndarray:
        edit = (
            f"pass np.asarray({source})" if isinstance(found, (list, tuple, np.ndarray)) else "pass an array every time"
        )
        return Change(source, f"an array {_array(expected)}", describe_type(found), edit)
    dtype = expected.dtype.numpy
    if found.dtype != dtype:
        edit = f"pass one dtype: {source}.astype(np.{dtype})"
        return Change(source, f"an array of {dtype}", f"of {found.dtype}", edit)
    if found.shape != expected.shape:
        edit = f"pad {source} to one shape; or accept one entry for each shape (gl.config.recompile_limit of them)"
        return Change(f"{source}.shape", str(expected.shape), str(found.shape), edit)
    if guard.writeable and not found.flags.writeable:
        return Change(source, "writeable", "read-only", f"pass {source}.copy()")
    if not found.flags.aligned:
        return Change(source, "aligned in memory", "not aligned", f"pass {source}.copy()")
    steps = tuple(step // found.itemsize for step in found.strides)
    edit = f"pass one memory layout: np.ascontiguousarray({source})"
    return Change(source, f"of strides {guard.strides}", f"of strides {steps} (in elements)", edit)


@fact.register
def _(guard: NoOverlap) -> str:
    return f"{guard.source} and {guard.other} share no memory"


@change.register
def _(guard: NoOverlap, found: object) -> Change:
    edit = f"pass {guard.other}.copy(), unless the shared memory is meant"
    return Change(f"the memory of {guard.source} and {guard.other}", "separate", "shared", edit)


@fact.register
def _(guard: Same) -> str:
    return f"{guard.source} is {guard.other}"


@change.register
def _(guard: Same, found: object) -> Change:
    edit = "nothing, if both cases are usual: each is compiled once"
    return Change(f"`{guard.source} is {guard.other}`", "True", "False", edit)


@fact.register
def _(guard: Different) -> str:
    return f"{guard.source} is not {guard.other}"


@change.register
def _(guard: Different, found: object) -> Change:
    edit = f"pass {guard.other}.copy(), unless one object under two names is meant: each case is compiled once"
    return Change(f"`{guard.source} is {guard.other}`", "False", "True", edit)


def _array(type: TensorType) -> str:
    return f"{type.dtype}[{', '.join(map(str, type.shape))}]"


def _order(shape: tuple[int, ...], strides: tuple[int, ...]) -> str:
    """Nothing for the row-major layout; otherwise the strides, which count elements."""
    usual = contiguous_strides(shape)
    same = all(have == want for have, want, size in zip(strides, usual, shape, strict=True) if size > 1)
    return "" if same else f" with strides {strides}"


def _listed(keys: tuple[object, ...]) -> str:
    return f"[{', '.join(map(describe, keys))}]"


def _article(name: str) -> str:
    return "an" if name[0] in "aeiou" else "a"
