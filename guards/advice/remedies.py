"""Remedies: the edits that may be printed for a fact that failed. This is the one place that decides it.

An edit keeps results: no cast that can lose anything, no copy of an array that the function writes, nothing that Python
would not accept at its place. Where no such edit is known, the remedy says why.
"""

# Note [Edits that keep results]
# A guard proposes a remedy by one of the functions below, from what it knows: the old type and the new one, and whether
# the function writes the array. What it cannot know is settled at the miss (`settled`): what the function does with the
# value, by the text of its source, and with which dtypes it computes, by the graph of the entry. NumPy's rules of
# promotion decide: beside an array of float32 an np.float64 gives float64 and a float gives float32, so `float(rate)`
# is no remedy there; beside an array of ints it would turn the result into floats.

from __future__ import annotations

import re
import types
from collections.abc import Collection, Iterable

import numpy as np

from ...core.events import Reason, Remedy
from ...core.records import replace
from ..sources import Global, Source
from .items import UNSEEN, item_path, item_uses_in_file
from .uses import ELSEWHERE, uses_in_file, uses_of

BOTH_CASES = "both cases are usual: each is compiled once"
DECIDES = "what runs depends on {}: each value is compiled once"
WRITTEN = "the function writes into {}, and a copy would not show it"
EXACT_INTS = 2**53
"""The ints up to which each is a float too."""

_COPIES = ("np.stack(", "np.asarray(")
"""The beginnings of forms that copy the elements of a sequence."""

ARITHMETIC = frozenset({"arithmetic", "numpy"})
ELEMENTS = frozenset({"item", "iteration", "length"})


def no_edit(why: str, *, aside: bool = False) -> Remedy:
    """The remedy that says why no edit is known; for `aside` see `Remedy`."""
    return Remedy(why=why, aside=aside)


def type_name(kind: type) -> str:
    """The name of a type as the user writes it: np.bool and bool are two."""
    return f"np.{np.dtype(kind).type.__name__.rstrip('_')}" if issubclass(kind, np.generic) else kind.__name__


def number(source: Source, kinds: Iterable[type], values: Iterable[object] = ()) -> Remedy:
    """The remedy for a number that came as these types, with these values where they are known."""
    listed = tuple(dict.fromkeys(kinds))
    if any(type(each) is int and abs(each) > EXACT_INTS for each in values):
        return no_edit(f"{source} is too large to be a float")
    form = _number_form(tuple(map(type_name, listed)))
    if not form:
        return no_edit(f"{source} computes otherwise as {' and as '.join(map(type_name, listed))}")
    return _converted(source, form, tuple(map(type_name, listed)), ARITHMETIC if form.startswith("float") else None)


_BOOLS, _INTS, _FLOATS = {"bool", "np.bool"}, {"int"}, {"float"}


def _number_form(kinds: tuple[str, ...]) -> str:
    """The conversion after which numbers of these types are of one; empty where none keeps results."""
    numbers = {each for each in kinds if each not in _BOOLS}
    if not numbers:
        return "bool({})"
    if all(each in _INTS or _is_numpy(each, np.integer) for each in numbers):
        return "int({})"
    known = all(each in _INTS | _FLOATS or _is_numpy(each, np.integer, np.floating) for each in numbers)
    return "float({})" if known and "np.longdouble" not in numbers else ""


def _is_numpy(name: str, *kinds: type) -> bool:
    found = getattr(np, name.removeprefix("np."), None) if name.startswith("np.") else None
    return isinstance(found, type) and issubclass(found, kinds)


def cast(source: Source, old: np.dtype, new: np.dtype, *, written: bool, tensor: bool) -> Remedy:  # type: ignore[type-arg]
    """The remedy for an array of another dtype."""
    if written:
        return no_edit(WRITTEN.format(source))
    form = _cast_form((old.name, new.name), tensor=tensor) if {old.kind, new.kind} <= set("iuf") else ""
    if not form:
        return no_edit(_why_no_cast(old, new))
    return _converted(source, form, (old.name, new.name))


def _why_no_cast(old: np.dtype, new: np.dtype) -> str:  # type: ignore[type-arg]
    for each in (old, new):
        other = new if each is old else old
        if each.kind in "iu" and each.itemsize < 4:
            return f"{each} wraps around where {other} does not: each dtype is compiled once"
        if each.kind not in "iuf":
            return f"{each} computes otherwise than {other}: each dtype is compiled once"
    return f"no dtype holds all that {old} and {new} hold: each is compiled once"


def _cast_form(names: tuple[str, ...], *, tensor: bool) -> str:
    """The cast after which arrays of these dtypes are of one; empty where none keeps results."""
    dtypes = [np.dtype(name) for name in names]
    if any(each.kind not in "iuf" or each.kind in "iu" and each.itemsize < 4 for each in dtypes):
        return ""  # bools and complex numbers compute otherwise, and small ints wrap
    wide = np.result_type(*dtypes)
    if not all(np.can_cast(each, wide, "safe") for each in dtypes) or wide.kind not in {each.kind for each in dtypes}:
        return ""  # int64 and uint64 meet in float64
    return f"{{}}.to(gl.{wide})" if tensor else f"{{}}.astype(np.{wide})"


def copy(source: Source, form: str, *, written: bool) -> Remedy:
    """The remedy by which another layout in memory is passed, which is that of a copy."""
    return no_edit(WRITTEN.format(source)) if written else _converted(source, form)


def contiguous(source: Source, *, written: bool, tensor: bool) -> Remedy:
    """The remedy for an array that lies otherwise in memory."""
    return copy(source, "{}.contiguous()" if tensor else "np.ascontiguousarray({})", written=written)


def sequence(source: Source, form: str, kinds: tuple[str, ...], uses: Iterable[str] = ELEMENTS) -> Remedy:
    """The remedy for a list, a tuple or an array in place of another of these, or for one of another length."""
    return _converted(source, form, kinds, frozenset(uses))


_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
"""A variable, or an attribute of what one holds."""
_NUMBERS = ("float(", "int(", "bool(")


def _converted(source: Source, form: str, kinds: tuple[str, ...] = (), uses: frozenset[str] | None = None) -> Remedy:
    passed = source.local_name() == str(source)  # an argument, or the memory of a tensor that is one
    number = form.startswith(_NUMBERS)
    assigned = isinstance(source, Global) or number and (_PATH.fullmatch(str(source)) or item_path(str(source)))
    if passed or assigned:
        text = f"{'pass' if passed else 'assign'} {form.format(source)}"
        return Remedy(text, name=str(source), form=form, kinds=kinds, uses=uses or frozenset())
    return no_edit(f"{source} is set outside of the call; {form.format(source)} there would be compiled once")


def any_size(source: Source, static: str) -> Remedy:
    """The remedy for an array of another size."""
    if static:
        return no_edit(f"the sizes of {source} are static here, since {static}")
    return Remedy("gl.jit(dynamic=True), which serves all sizes", option="dynamic=True")


def both(first: Remedy, second: Remedy) -> Remedy:
    """The remedy that takes two edits; none where one of them is not known."""
    if not first.text or not second.text:
        return first if not first.text else second
    return replace(first, text=f"{first.text}, and {second.text}", option=second.option)


def joined(remedies: Iterable[Remedy]) -> Remedy:
    """The one remedy for a cause of several misses: its form serves every type or dtype that has come."""
    listed = tuple(dict.fromkeys(remedies))
    unknown = [each for each in listed if not each.text and not each.aside]
    known = [each for each in listed if each.text]
    if unknown or not known:
        return [*unknown, *listed][0]
    listed, first = tuple(known), known[0]
    if len(listed) == 1 or not first.kinds:
        return first
    kinds = tuple(dict.fromkeys(kind for each in listed for kind in each.kinds))
    if "astype" in first.form or ".to(" in first.form:
        form = _cast_form(kinds, tensor=".to(" in first.form)
    elif "np.ndarray" in kinds:
        form = "np.asarray({})"
    else:
        form = _number_form(kinds) or (first.form if len({each.form for each in listed}) == 1 else "")
    if not form:
        return no_edit(f"{first.name} came as {', '.join(kinds)}, and no one of them holds all")
    text = first.text.replace(first.form.format(first.name), form.format(first.name))
    return replace(first, text=text, form=form, kinds=kinds)


def settled(
    reason: Reason,
    code: types.CodeType,
    dtypes: Iterable[np.dtype],  # type: ignore[type-arg]
    written: Collection[str] = (),
) -> Reason:
    """The reason, with its edit taken away where the function of this code does what the edit would change.

    dtypes: those of the arrays that the function computes with.   written: the arguments that lead to what it writes.
    """
    remedy = reason.remedy
    why = _made_by_the_call(reason, code) or (_why_not(remedy, code, tuple(dtypes), written) if remedy.text else "")
    if not why:
        return reason
    remedy = no_edit(why)
    return replace(reason, text=f"{reason.change()}; {remedy.advice}", edit="", remedy=remedy)


def _made_by_the_call(reason: Reason, code: types.CodeType) -> str:
    """Why there is nothing to edit where the call itself has changed what it relied on."""
    file, line, _ = reason.done_at
    lines = [each[2] for each in code.co_lines() if each[2] is not None]
    if file != code.co_filename or not lines or not code.co_firstlineno <= line <= max(lines):
        return ""
    return "the call itself made this change when it first ran; it does so once"


def _why_not(
    remedy: Remedy,
    code: types.CodeType,
    dtypes: tuple[np.dtype, ...],  # type: ignore[type-arg]
    written: Collection[str],
) -> str:
    """Why an edit does not keep the results of a function; empty where it does."""
    name = remedy.name
    if name in written and remedy.form.startswith(_COPIES):
        return WRITTEN.format(name)
    passed = name in code.co_varnames
    if remedy.uses or name and not passed:
        item = None if passed else item_path(name)
        used = item_uses_in_file(code, item) if item else uses_of(code, name) if passed else uses_in_file(code, name)
        if used is None or ELSEWHERE in used or remedy.uses and used - remedy.uses - {UNSEEN}:
            return f"{remedy.form.format(name)} might not do in all the places that use {name}"
        if UNSEEN in used:
            return f"{remedy.form.format(name)} would do, but not all the places that set or use {name} are known"
    if not remedy.form.startswith("float("):
        return ""
    if "int" in remedy.kinds and any(each.kind in "iu" for each in dtypes):
        return f"arrays of ints stay such beside {name} as an int, and would not beside a float"
    for kind in remedy.kinds:
        if kind.startswith("np.") and kind != "np.bool":
            strong = np.dtype(kind.removeprefix("np."))
            other = next((each for each in dtypes if np.result_type(each, strong) != np.result_type(each, 1.0)), None)
            if other is not None:
                return f"beside arrays of {other}, {name} as {kind} gives another dtype than as a float"
    return ""
