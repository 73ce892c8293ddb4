"""Call-outs of plans and of kernels: C functions, made by ctypes, that call a NumPy function on native memory.

A plan runs one as a step, in place of a kernel, and hands over a table of addresses. A kernel calls one by its address
(see `functions`), with a word or several for each operand and result. Either way what the function is given and what it
may give is described by forms (see `ops.call_outs`).
"""

# Note [What a call-out does not do]
# It takes the GIL itself. What Python raises must come from the user's line, so whatever goes wrong ends the plan or
# the kernel with a status, and Python runs the call. Warnings name the user's line: the frame that calls NumPy says it
# stands there.

from __future__ import annotations

import _thread
import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from math import prod
from typing import Any, Protocol, cast

import numpy as np

from ...core.dtypes import DType
from ...core.once import once
from ...graph.node import Location
from ...graph.parser import parse_attribute
from ...graph.printer import format_attribute
from ...ops import call_outs
from .functions import Name, finds

Array = np.ndarray[Any, Any]
Words = Any  # a sequence of what a call hands over: addresses, strides, numbers
Made = Callable[[Words], Any]
"""What makes an operand of the words of a call."""

GENERATORS: dict[int, Any] = {}
"""The generators of calls that are running, by the address of their C functions."""


@dataclass(frozen=True, slots=True)
class CallOut:
    """What a step calls: in place of a kernel that was compiled."""

    address: int
    symbol: str
    source: str
    keep: Any
    """What the address lives on."""


class Operand(Protocol):
    """How an operand or a result is handed over."""

    @property
    def codes(self) -> tuple[Any, ...]:
        """The C types of its words."""

    def reader(self, at: int) -> Made:
        """What makes it from the words of a call, of which number `at` is its first."""


@dataclass(frozen=True, slots=True)
class Memory:
    """An array that lies where its word points. Units: strides count elements."""

    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,)

    def reader(self, at: int) -> Made:
        dtype, shape, size = self.dtype.numpy, self.shape, self.dtype.itemsize
        strides = tuple(step * size for step in self.strides)
        if not prod(shape):
            return lambda words: np.empty(shape, dtype)
        low, high = _span(shape, strides)
        block, array = (ctypes.c_char * (high - low + size)).from_address, np.ndarray
        return lambda words: array(shape, dtype, block(words[at] + low), -low, strides)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Strided:
    """An array whose word points to it; the next ones are its strides, in elements."""

    dtype: DType
    shape: tuple[int, ...]

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,) * (1 + len(self.shape))

    def reader(self, at: int) -> Made:
        dtype, shape, size = self.dtype.numpy, self.shape, self.dtype.itemsize
        if not prod(shape):
            return lambda words: np.empty(shape, dtype)

        def read(words: Words) -> Array:
            strides = tuple([words[at + 1 + axis] * size for axis in range(len(shape))])
            low, high = _span(shape, strides)
            memory = (ctypes.c_char * (high - low + size)).from_address(words[at] + low)
            return np.ndarray(shape, dtype, memory, -low, strides)  # type: ignore[arg-type]

        return read


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is its word."""

    dtype: DType

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_double if self.dtype.is_float else ctypes.c_int64,)

    def reader(self, at: int) -> Made:
        scalar = self.dtype.numpy.type
        return lambda words: scalar(words[at])


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator of random numbers, whose word is the address of its C functions."""

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,)

    def reader(self, at: int) -> Made:
        return lambda words: GENERATORS[words[at]]


def _span(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int]:
    """How far before and behind its first element an array reaches, in bytes."""
    ends = [(n - 1) * step for n, step in zip(shape, strides, strict=True)]
    return sum(min(each, 0) for each in ends), sum(max(each, 0) for each in ends)


_Prepared = tuple[list[Any], dict[str, Any], list[Any]]


class _Call:
    """A call of NumPy on what the words of a call stand for."""

    def __init__(
        self, attrs: Mapping[str, Any], operands: Sequence[Operand], results: Sequence[Operand], place: Location | None
    ) -> None:
        first = [0, *accumulate(len(each.codes) for each in (*operands, *results))]
        readers = [each.reader(at) for each, at in zip((*operands, *results), first, strict=False)]
        self._function, self._leaves_of = call_outs.found(attrs["function"]), call_outs.leaves_of(attrs["results"])
        self._arguments = [_argument(each, operands, readers) for each in attrs["arguments"]]
        self._keywords = [(key, _argument(form, operands, readers)) for key, form in attrs["keywords"]]
        self._homes = readers[len(operands) :]
        self._call = call_outs.caller(place, attrs["module"])
        self.words = first[-1]
        self.codes = [code for each in (*operands, *results) for code in each.codes]
        self.may_be_kept = not any(isinstance(each, Generator) for each in operands)
        """Whether equal words mean the same operands: another generator may get the address of one that is gone."""

    def prepared(self, words: Words) -> _Prepared:
        """The arguments by position and by keyword, and the memory of the results."""
        keywords = {key: make(words) for key, make in self._keywords}
        return [make(words) for make in self._arguments], keywords, [home(words) for home in self._homes]

    def is_done(self, prepare: Callable[[], _Prepared]) -> bool:
        """Calls, and stores what the function gives; False where Python has to run the call."""
        try:
            arguments, keywords, homes = prepare()
            leaves = self._leaves_of(self._call(self._function, arguments, keywords))
            if leaves is None:
                return False
            for home, leaf in zip(homes, leaves, strict=True):
                home[...] = leaf
        except KeyboardInterrupt:
            _thread.start_new_thread(_thread.interrupt_main, ())  # for Python, which runs the call next
            return False
        except BaseException:
            return False  # Python runs the call, and raises it
        return True


_STEP = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def call_out(
    attrs: Mapping[str, Any], operands: Sequence[Memory], results: Sequence[Memory], place: Location | None
) -> CallOut:
    """The function of a plan's step: it takes the addresses of the operands, then of the results.

    Its status is 0, or 1 where Python has to run the call."""
    call = _Call(attrs, operands, results, place)
    table = ctypes.c_size_t * call.words

    def run(addresses: int, sizes: int, start: int, stop: int) -> int:
        return 0 if call.is_done(lambda: call.prepared(table.from_address(addresses))) else 1

    callback = _STEP(run)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    return CallOut(address, f"call-out of {attrs['function']}", "", callback)


KIND = "python"
"""Of the names of call-outs among the functions that kernels call."""


def name_of(
    attrs: Mapping[str, Any], operands: Sequence[Operand], results: Sequence[Operand], place: Location | None
) -> Name:
    """The name under which kernels find a call-out: all there is to say about it, as text.

    It takes the words of the operands, then of the results. It gives 1; 0 where Python has to run the call, which is
    also what ctypes gives when something goes wrong in the callback itself."""
    where = None if place is None else (place.file, place.line, place.function)
    return KIND, format_attribute((tuple(attrs.items()), _forms(operands), _forms(results), where))


def _forms(operands: Sequence[Any]) -> tuple[Any, ...]:
    return tuple((_WORDS[type(each)], *(getattr(each, field.name) for field in fields(each))) for each in operands)


_KINDS: dict[str, Any] = {"array": Strided, "number": Number, "generator": Generator}
_WORDS = {kind: word for word, kind in _KINDS.items()}


@finds(KIND)
def _address(text: str) -> int | None:
    return ctypes.cast(_kept(text), ctypes.c_void_p).value


@once
def _kept(text: str) -> Any:
    """The callback of a name, which lives as long as the process: any kernel may hold its address."""
    attrs, *forms, where = cast("tuple[Any, ...]", parse_attribute(text))
    operands, results = ([_KINDS[kind](*rest) for kind, *rest in each] for each in forms)
    return _callback(_Call(dict(attrs), operands, results, None if where is None else Location(*where)))


def _callback(call: _Call) -> Any:
    last: list[tuple[tuple[Any, ...], Any]] = []
    """What the last call made of its words: in a loop the memory is the same in every round."""

    def prepared(words: tuple[Any, ...]) -> _Prepared:
        known = last[0] if last else None
        if known is None or known[0] != words:
            known = words, call.prepared(words)
            last[:] = [known] if call.may_be_kept else []
        return known[1]

    def run(*words: Any) -> int:
        return int(call.is_done(lambda: prepared(words)))

    return ctypes.CFUNCTYPE(ctypes.c_int64, *call.codes)(run)


def _argument(form: call_outs.Form, operands: Sequence[Operand], readers: Sequence[Made]) -> Made:
    """What makes the argument of a form: Note [Forms of arguments]."""
    match form:
        case ("array", place, strides):
            read = readers[place]
            if strides is None or _lies_so(operands[place], strides):
                return read
            return lambda words: call_outs.in_layout(read(words), strides)
        case ("generator", place):
            return readers[place]
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


def _lies_so(operand: Operand, strides: tuple[int, ...]) -> bool:
    """Whether an operand is known to have these strides, as far as they matter."""
    if not isinstance(operand, Memory):
        return False
    return all(n < 2 or a == b for n, a, b in zip(operand.shape, operand.strides, strides, strict=True))
