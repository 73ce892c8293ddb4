"""Call-outs of plans and of kernels: Python objects that native code calls, and that call NumPy on native memory.

A plan runs one as a step, in place of a kernel, and hands over a table of addresses. A kernel calls one by its address
(see `functions`), with a word or several for each operand and result. Either way it gets the address of these words
(see `python_calls`). What the function is given and what it may give is described by forms (see `ops.call_outs`).
"""

# Note [What a call-out does not do]
# What NumPy raises must come from the user's line, so whatever goes wrong ends the plan or the kernel, and Python runs
# the call. An asynchronous exception would not come again: it leaves the call, as if it had come before. Warnings name
# the user's line: the frame that calls NumPy says it stands there.

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import accumulate, islice
from typing import Any, cast

import numpy as np

from ...core.asynchronous import is_asynchronous
from ...core.dtypes import DType
from ...core.once import once
from ...core.records import dataclass
from ...core.sizes import Size, is_symbolic
from ...core.types import contiguous_strides
from ...graph.node import Location
from ...graph.parser import parse_attribute
from ...graph.printer import format_attribute
from ...ops import call_outs
from .call_out_operands import (
    Array,
    CalledArray,
    CalledGenerator,
    CalledNumber,
    CalledOperand,
    CallMemory,
    Made,
    Shaped,
    Words,
)
from .compiler.c_functions import Name, finds
from .plan.cpython_api import object_address


@dataclass(frozen=True, slots=True)
class CallOut:
    """A Python object that a step calls, in place of a kernel that was compiled: it takes the address of a table."""

    run: Callable[[int], bool]
    symbol: str
    source: str = ""

    @property
    def address(self) -> int:
        """The address of the object."""
        return object_address(self.run)


_Prepared = tuple[list[Any], dict[str, Any], list[Any]]


class _Call:
    """A call of NumPy on what the words of a call stand for."""

    def __init__(
        self,
        attrs: Mapping[str, Any],
        operands: Sequence[CalledOperand],
        results: Sequence[CalledOperand],
        place: Location | None,
    ) -> None:
        first = [0, *accumulate(len(each.codes) for each in (*operands, *results))]
        readers = [each.reader(at) for each, at in zip((*operands, *results), first, strict=False)]
        self._function, self._form = call_outs.found(attrs["function"]), attrs["results"]
        self._leaves_of = None if self._form[0] == _FREE else call_outs.leaves_of(self._form)
        self._arguments = [_argument(each, operands, readers) for each in attrs["arguments"]]
        self._keywords = [(key, _argument(form, operands, readers)) for key, form in attrs["keywords"]]
        self._homes = readers[len(operands) :]
        self._call = call_outs.caller(place, attrs["module"], self._function)
        self.codes = [code for each in (*operands, *results) for code in each.codes]
        self.may_be_kept = not any(isinstance(each, CalledGenerator) for each in operands)
        """Whether equal words mean the same operands: another generator may get the address of one that is gone."""

    def prepared(self, words: Words) -> _Prepared:
        """The arguments by position and by keyword, and the memory of the results."""
        keywords = {key: make(words) for key, make in self._keywords}
        return [make(words) for make in self._arguments], keywords, [home(words) for home in self._homes]

    def is_done(self, prepare: Callable[[], _Prepared]) -> bool:
        """Calls, and stores what the function gives; False where Python has to run the call."""
        try:
            arguments, keywords, homes = prepare()
            value = self._call(self._function, arguments, keywords)
            leaves = None if self._leaves_of is None else self._leaves_of(value)
            if leaves is None:
                given = [*arguments, *keywords.values()]
                if self._leaves_of is None:
                    leaves = _leaf_like(self._form[1], homes[0], value, given)
                else:
                    leaves = call_outs.leaves_alike(self._form, value, given)
                if leaves is None:
                    return False
            for home, leaf in zip(homes, leaves, strict=True):
                home[...] = leaf
        except BaseException as error:
            if _is_sent(error):
                raise
            return False  # Python runs the call, and raises it
        return True


_FREE = "free array"
"""The form of a row-major array whose shape is that of its home: see `sized_call_out`."""


def _leaf_like(dtype: DType, home: Array, value: Any, arguments: Sequence[Any]) -> Sequence[Any] | None:
    """The array that has this form, in memory that is none of the arguments'; None for anything else."""
    if type(value) is not np.ndarray or value.dtype != dtype.numpy or value.shape != home.shape:
        return None
    given = [each for each in arguments if isinstance(each, np.ndarray)]
    apart = value.base is None or not any(np.may_share_memory(value, each) for each in given)
    return (value,) if apart and value.flags.c_contiguous else None


def _is_sent(error: BaseException) -> bool:
    """Whether it is none that NumPy raised: another thread may have sent one, of a class of the user's."""
    return is_asynchronous(error) or type(error).__module__.partition(".")[0] not in ("builtins", "numpy")


def call_out(
    attrs: Mapping[str, Any], operands: Sequence[CallMemory], results: Sequence[CallMemory], place: Location | None
) -> CallOut:
    """The object of a plan's step: it takes the addresses of the operands, then of the results.

    It gives False where Python has to run the call."""
    call = _Call(attrs, operands, results, place)
    table = _table(call)

    def run(addresses: int) -> bool:
        return call.is_done(lambda: call.prepared(table.from_address(addresses)))

    return CallOut(run, f"call-out of {attrs['function']}")


def sized_call_out(
    attrs: Mapping[str, Any], operands: Sequence[CallMemory], results: Sequence[CallMemory], place: Location | None
) -> tuple[CallOut, tuple[int, ...]]:
    """The object of a plan's step where sizes are free; and the sizes that the step hands over.

    The object gives False where Python has to run the call. The sizes are the shape and the strides, in bytes, of each
    operand and result in turn, then the numbers among the arguments that are made of sizes."""
    views = (*operands, *results)
    shaped = [Shaped(each.dtype, len(each.shape)) for each in views]
    ranks = [each.rank for each in shaped]
    numbers: list[Size] = []
    concrete = _with_concrete_sizes(attrs, operands, numbers, len(views) + 2 * sum(ranks))
    call = _Call(concrete, shaped[: len(operands)], shaped[len(operands) :], place)
    table = ctypes.c_int64 * (len(views) + 2 * sum(ranks) + len(numbers))

    def words(address: int) -> Words:
        given = table.from_address(address)[:]
        rest = iter(given[len(views) :])
        of_views = [word for at, rank in zip(given, ranks, strict=False) for word in (at, *islice(rest, 2 * rank))]
        return [*of_views, *rest]

    def run(address: int) -> bool:
        return call.is_done(lambda: call.prepared(words(address)))

    sizes = [(*each.shape, *(step * each.dtype.itemsize for step in each.strides)) for each in views]
    handed: list[Any] = [*(word for each in sizes for word in each), *numbers]
    return CallOut(run, f"call-out of {attrs['function']}"), tuple(handed)


def has_sizes(form: Any) -> bool:
    """Whether there is a size in a form, or in the attributes of a call."""
    if type(form) is tuple:
        return any(map(has_sizes, form))
    return any(map(has_sizes, form.values())) if isinstance(form, Mapping) else isinstance(form, Size)


def _with_concrete_sizes(
    attrs: Mapping[str, Any], operands: Sequence[CallMemory], numbers: list[Size], first: int
) -> dict[str, Any]:
    """The attributes with each size in them relied on. An array that lies as its form asks is asked for nothing.

    A size that is a number among the arguments becomes one of `numbers`, which are the words from `first` on."""

    def form(value: Any) -> Any:
        if isinstance(value, Size):
            return int(value)
        if type(value) is not tuple:
            return value
        match value:
            case ("array", int() as place, strides) if strides is not None and _lies_so(operands[place], strides):
                return ("array", place, None)
            case ("constant", Size() as number):
                numbers.append(number)
                return ("word", first + len(numbers) - 1)
        return tuple(map(form, value))

    given = dict(attrs)
    match given["results"]:
        case ("array", dtype, shape, strides) if is_symbolic(shape) and strides == contiguous_strides(shape):
            given["results"] = (_FREE, dtype)
    return {name: form(value) for name, value in given.items()}


def _table(call: _Call) -> Any:
    """The C type of the words of a call: what is no double is an int."""
    if ctypes.c_double not in call.codes:
        return ctypes.c_int64 * len(call.codes)
    fields = [(f"word_{k}", code) for k, code in enumerate(call.codes)]
    return type("Words", (ctypes.Structure,), {"_fields_": fields, "__getitem__": _field})


def _field(words: Any, at: int) -> Any:
    return getattr(words, f"word_{at}")


KIND = "python"
"""The beginning of the names that call-outs have among the functions that kernels call."""


def name_of(
    attrs: Mapping[str, Any],
    operands: Sequence[CalledOperand],
    results: Sequence[CalledOperand],
    place: Location | None,
) -> Name:
    """The name under which kernels find a call-out: all there is to say about it, as text.

    It takes the words of the operands, then of the results, and gives False where Python has to run the call."""
    where = None if place is None else (place.file, place.line, place.function)
    return KIND, format_attribute((tuple(attrs.items()), _forms(operands), _forms(results), where))


def _forms(operands: Sequence[Any]) -> tuple[Any, ...]:
    return tuple((_WORDS[type(each)], *(getattr(each, field.name) for field in fields(each))) for each in operands)


_KINDS: dict[str, Any] = {"array": CalledArray, "number": CalledNumber, "generator": CalledGenerator}
_WORDS = {kind: word for word, kind in _KINDS.items()}


@finds(KIND)
def _address(text: str) -> int | None:
    return object_address(_kept(text))


@once
def _kept(text: str) -> Any:
    """The object of a name, which lives as long as the process: any kernel may hold its address."""
    attrs, *forms, where = cast("tuple[Any, ...]", parse_attribute(text))
    operands, results = ([_KINDS[kind](*rest) for kind, *rest in each] for each in forms)
    return _asked(_Call(dict(attrs), operands, results, None if where is None else Location(*where)))


def _asked(call: _Call) -> Callable[[int], bool]:
    table, length = _table(call), 8 * len(call.codes)
    block: Any = ctypes.c_char * length
    place: tuple[int, Any] = 0, None
    """The place of the words of the last call, and what reads there: in a loop they lie there in every round."""
    last: tuple[bytes | None, Any] = None, None
    """The words of the last call, and what was made of them: in a loop the memory is mostly the same."""

    def prepared(address: int) -> _Prepared:
        nonlocal place, last
        here, known = place, last  # each at once: another thread may come between
        if here[0] != address:
            place = here = address, block.from_address(address)
        words = here[1].raw
        if known[0] != words:
            known = words, call.prepared(table.from_buffer_copy(words) if length else ())
            last = known if call.may_be_kept else (None, None)
        return known[1]  # type: ignore[no-any-return]

    return lambda address: call.is_done(lambda: prepared(address))


def _argument(form: call_outs.Form, operands: Sequence[CalledOperand], readers: Sequence[Made]) -> Made:
    """The function that makes the argument of a form from the words of a call: Note [Forms of arguments]."""
    match form:
        case ("array", place, strides):
            read = readers[place]
            if strides is None or _lies_so(operands[place], strides):
                return read
            return lambda words: call_outs.in_layout(read(words), strides)
        case ("generator", place):
            return readers[place]
        case ("word", at):
            return lambda words: int(words[at])
        case ("scalar", place):
            number = readers[place]
            return lambda words: number(words)[()]
        case ("number", place):
            number = readers[place]
            return lambda words: number(words).item()
        case ("tuple" | "list" as kind, *parts):
            makers = [_argument(each, operands, readers) for each in parts]
            collect: Any = tuple if kind == "tuple" else list
            return lambda words: collect(make(words) for make in makers)
    constant = call_outs.argument(form, ())
    return lambda words: constant


def _lies_so(operand: CalledOperand, strides: tuple[int, ...]) -> bool:
    """Whether an operand is known to have these strides, as far as they matter."""
    if not isinstance(operand, CallMemory):
        return False
    return all(n < 2 or a == b for n, a, b in zip(operand.shape, operand.strides, strides, strict=True))
