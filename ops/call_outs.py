"""Call-outs: a NumPy function that is called at run time, from within a plan, where no kernel does its work.

A call-out takes whole arrays and numbers. What its function gives is described beforehand (see `Description`); a call
whose result is of another form leaves the plan, so that Python runs it. Functions with effects are not called so.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.records import dataclass
from ..core.types import TensorType
from .registry import Array
from .several import define_several

Form = tuple[Any, ...]
"""Nested tuples of plain values, the first of which says the kind; what graphs print and parse."""

# Note [Forms of arguments]
# ("array", k, strides)  operand k, an array that lies in memory so; strides count elements; None: as it happens to lie
# ("generator", k)       operand k, a generator of random numbers
# ("scalar", k)          operand k, a NumPy scalar
# ("number", k)          operand k, a Python number
# ("constant", v)        a plain value; ("dtype", name) a dtype; ("type", name) a type of numbers; ("complex", re, im)
# ("slice", a, b, c), ("tuple", *forms), ("list", *forms), ("dict", (key, form), ...)

# Note [Forms of results]
# ("array", dtype, shape, strides)   an array that owns its memory; strides count elements
# ("view", base, shape, strides, at) a view of an array, whose form is `base`, from its element number `at` on
# ("same", k)                        leaf number k once more; as a base, the array that this leaf is, or is a view of
# ("scalar", dtype)                  a NumPy scalar
# ("number", type)                   a Python number: bool, int, float or complex
# ("constant", v), ("tuple", *forms), ("list", *forms), ("named", class, *forms)
#
# The leaves of a form are its arrays and numbers, each once: of a view, its base.


def _call_meta(*types: TensorType, function: str, arguments: Form, keywords: Form, results: Form, module: str) -> Any:
    if not all(operand < len(types) for operand in _operands((*arguments, *keywords))):
        raise OpError(f"a call-out of {function} has {len(types)} operands, and names another one")
    return TensorType((), dtypes.int64)


CALL_OUT, CALL_RESULT = define_several("call_out", meta=_call_meta, result_of="call", exact=True, may_raise=True)
"""The node itself is only a token; what the function gives are `call_result` nodes: arrays and
numbers in the order of `leaves`.

function:  its name from the top module: ``numpy.interp``. module: the user's, for warnings.
arguments: `Form`s, in a tuple; keywords: "dict" and pairs. results: the form of what it gives.
"""


def _operands(forms: Sequence[Any]) -> Iterator[int]:
    for form in forms:
        if form[0] in ("array", "scalar", "number", "generator"):
            yield form[1]
        elif form[0] in ("tuple", "list"):
            yield from _operands(form[1:])


Around = Callable[[], AbstractContextManager[Callable[[], None]]]
AROUND: dict[str, Around] = {}
"""By name of a function with effects: a context of a graph that calls out to it and is run by more than one plan.

What the context gives is called where the graph is run anew from its beginning: what was done is not done again.
"""


def around(functions: Iterable[str]) -> Around | None:
    """The context of a run of a graph that calls out to these; None where none of them has effects."""
    for function in functions:
        found(function)  # whose module tells
        if function in AROUND:
            return AROUND[function]
    return None


INTO = "into "
"""Begins the name of a function that writes into its first array: the call-out gives a copy, written so."""


UNDER = "under "
"""Begins the name of a function that is called in an error state of the program's: modes, and then its own name."""


def found(name: str) -> Callable[..., Any]:
    """The function of that name. Errors: OpError when there is none."""
    if name.startswith(UNDER):
        modes, name = name.removeprefix(UNDER).split(" ", 1)
        return Under(dict(each.split("=") for each in modes.split(",")), found(name))
    if name.startswith(INTO):
        return _giving_what_it_writes(found(name.removeprefix(INTO)))
    parts = name.split(".")
    place: Any = import_module(parts[0])
    for part in parts[1:]:
        place = getattr(place, part, None)
    if place is None:
        raise OpError(f"there is no function {name}")
    return place  # type: ignore[no-any-return]


class Under:
    """A function that is called while NumPy's error state is changed by these modes."""

    def __init__(self, modes: dict[str, Any], function: Callable[..., Any]) -> None:
        self.modes = modes
        self.function = function

    def state(self) -> np.errstate:
        """The context of the call."""
        return np.errstate(**self.modes)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self.state():
            return self.function(*args, **kwargs)


def _giving_what_it_writes(function: Callable[..., Any]) -> Callable[..., Array]:
    def written(*args: Any, **kwargs: Any) -> Array:
        place = next(k for k, each in enumerate(args) if isinstance(each, np.ndarray))
        copy: Array = args[place].copy(order="C")
        function(*args[:place], copy, *args[place + 1 :], **kwargs)
        return copy

    return written


def argument(form: Form, operands: Sequence[Any]) -> Any:
    """The argument that a function is given for a form. See Note [Forms of arguments]."""
    match form:
        case ("array", place, strides):
            return operands[place] if strides is None else in_layout(operands[place], strides)
        case ("generator", place):
            return operands[place]
        case ("scalar", place):
            return operands[place][()]
        case ("number", place):
            return operands[place].item()
        case ("constant", value):
            return value
        case ("complex", real, imaginary):
            return complex(real, imaginary)
        case ("dtype", name):
            return np.dtype(name)
        case ("type", name):
            return {"bool": bool, "int": int, "float": float, "complex": complex}.get(name) or getattr(np, name)
        case ("slice", start, stop, step):
            return slice(start, stop, step)
        case ("tuple", *parts):
            return tuple(argument(each, operands) for each in parts)
        case ("list", *parts):
            return [argument(each, operands) for each in parts]
    raise OpError(f"an argument of the form {form!r}")


def in_layout(array: Array, strides: tuple[int, ...]) -> Array:
    """The array itself where it lies in memory with these strides, in elements; else a copy that does."""
    size = array.itemsize
    if all(n < 2 or step == size * want for n, step, want in zip(array.shape, array.strides, strides, strict=True)):
        return array
    copy = blank(array.dtype, array.shape, strides)
    copy[...] = array
    return copy


def blank(dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    """A new array of zeros with these strides, in elements."""
    steps = [(n - 1) * step for n, step in zip(shape, strides, strict=True)] if 0 not in shape else []
    first, last = sum(min(each, 0) for each in steps), sum(max(each, 0) for each in steps)
    ground = np.zeros(last - first + 1, dtype)
    return np.ndarray(shape, dtype, ground, -first * dtype.itemsize, tuple(step * dtype.itemsize for step in strides))


@dataclass(slots=True)
class Description:
    """A description of a function's result: its form, and the leaves."""

    form: Form = ()
    leaves: list[Any] = field(default_factory=list)

    def of(self, value: Any) -> Form:
        """The form of a part. See Note [Forms of results]. Errors: OpError for what has none."""
        if type(value) is np.ndarray:
            return self._of_array(value)
        if isinstance(value, np.generic):
            self.leaves.append(value)
            return "scalar", _dtype(value.dtype)
        if type(value) in (bool, int, float, complex):
            self.leaves.append(value)
            return "number", type(value).__name__
        if value is None or type(value) is str:
            return "constant", value
        if type(value) in (tuple, list):
            return type(value).__name__, *map(self.of, value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return "named", f"{type(value).__module__}.{type(value).__qualname__}", *map(self.of, value)
        raise OpError(f"it gives a {type(value).__name__}")

    def _of_array(self, array: Array) -> Form:
        for known, each in enumerate(self.leaves):
            if each is array:
                return "same", known
        if not array.flags.writeable:
            raise OpError("it gives an array that is read-only")
        size = array.itemsize
        strides = tuple([step // size for step in array.strides])
        if array.base is None:
            self.leaves.append(array)
            return "array", _dtype(array.dtype), array.shape, strides
        base = array.base
        while isinstance(base, np.ndarray) and base.base is not None:
            base = base.base
        if type(base) is not np.ndarray or base.dtype != array.dtype or not base.flags.c_contiguous:
            raise OpError("it gives a view of other memory")
        at = (array.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // array.itemsize
        return "view", self._of_array(base), array.shape, strides, at


def described(value: Any) -> Description:
    """The form and the leaves of what a function gave. Errors: OpError for what has no form."""
    made = Description()
    made.form = made.of(value)
    return made


def leaves_of(form: Form) -> Callable[[Any], Sequence[Any] | None]:
    """The function that gives the leaves of a value of this form, and None for a value of another form, or of none."""
    if form[0] in ("scalar", "number"):
        wanted = form[1].numpy.type if form[0] == "scalar" else _PYTHON[form[1]]
        return lambda value: (value,) if type(value) is wanted else None
    if form[0] != "array":
        return lambda value: _leaves_of_any(value, form)
    dtype, shape, size = form[1].numpy, form[2], form[1].itemsize
    strides = tuple(step * size for step in form[3])

    def leaves_of_array(value: Any) -> Sequence[Any] | None:
        if type(value) is not np.ndarray or value.shape != shape or value.strides != strides or value.dtype != dtype:
            return None
        return (value,) if value.base is None and value.flags.writeable else None

    return leaves_of_array


def _leaves_of_any(value: Any, form: Form) -> Sequence[Any] | None:
    try:
        given = described(value)
    except OpError:
        return None
    return given.leaves if given.form == form else None


def leaves_alike(form: Form, value: Any, arguments: Sequence[Any]) -> Sequence[Any] | None:
    """The leaves of a value that differs from a form only in who owns the memory of its arrays; else None.

    What is a view of other memory for some values, and an array for others, is so by the way a function happens to take
    to its result. None of the arrays may share memory with the `arguments`.
    """
    leaves: list[Any] = []
    if not _take(form, value, leaves):
        return None
    given = [each for each in arguments if isinstance(each, np.ndarray)]
    return None if any(np.may_share_memory(leaf, each) for leaf in leaves for each in given) else leaves


def _take(form: Form, value: Any, leaves: list[Any]) -> bool:
    """Whether the value is like the form; its leaves have been added then."""
    match form:
        case ("array", dtype, shape, strides):
            return _is_like(value, dtype, shape, strides) and _put(value, leaves)
        case ("view", ("array", dtype, whole, _), shape, strides, at):
            if not _is_like(value, dtype, shape, strides):
                return False
            base = np.zeros(whole, dtype.numpy)
            steps = tuple(step * dtype.itemsize for step in strides)
            np.ndarray(shape, dtype.numpy, base, at * dtype.itemsize, steps)[...] = value
            return _put(base, leaves)
        case ("tuple" | "list" as kind, *parts):
            same = type(value).__name__ == kind and len(value) == len(parts)
            return same and all(_take(part, each, leaves) for part, each in zip(parts, value, strict=True))
        case ("named", name, *parts):
            same = f"{type(value).__module__}.{type(value).__qualname__}" == name and len(value) == len(parts)
            return same and all(_take(part, each, leaves) for part, each in zip(parts, value, strict=True))
        case ("scalar", dtype):
            return type(value) is dtype.numpy.type and _put(value, leaves)
        case ("number", name):
            return type(value).__name__ == name and _put(value, leaves)
        case ("constant", known):
            return type(value) is type(known) and value == known
    return False


def _put(leaf: Any, leaves: list[Any]) -> bool:
    leaves.append(leaf)
    return True


def _is_like(value: Any, dtype: DType, shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    if type(value) is not np.ndarray or value.dtype != dtype.numpy or value.shape != shape:
        return False
    pairs = zip(shape, value.strides, strides, strict=True)
    return value.flags.writeable and (0 in shape or all(n < 2 or a == b * dtype.itemsize for n, a, b in pairs))


def _dtype(dtype: np.dtype[Any]) -> DType:
    known = dtypes.in_memory(dtype)
    if known is None or not dtype.isnative:
        raise OpError(f"it gives numbers of dtype {dtype}")
    return known


def leaves(form: Form) -> list[Form]:
    """The forms of the leaves, in order."""
    match form:
        case ("tuple" | "list", *parts) | ("named", _, *parts):
            return [leaf for part in parts for leaf in leaves(part)]
        case ("view", base, *_):
            return leaves(base)
        case ("constant" | "same", _):
            return []
    return [form]


_PYTHON: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
_NUMBERS = {"bool": dtypes.bool_, "int": dtypes.int64, "float": dtypes.float64, "complex": dtypes.complex128}


def leaf_type(form: Form) -> TensorType:
    """The type of one leaf."""
    if form[0] == "number":
        return TensorType((), _NUMBERS[form[1]])
    return TensorType(form[2] if len(form) > 2 else (), form[1])


class AnotherForm(ValueError):
    """A call-out gave something of another form than was described."""


class ResultPlace(Protocol):
    """A line of the user's code."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def function(self) -> str: ...


_CALL: Any = lambda function, args, keywords: function(*args, **keywords)  # noqa: E731


def _call_under(function: Under, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    with function.state(): return function.function(*args, **keywords)  # noqa: E701  # fmt: skip


def caller(place: ResultPlace | None, module: str, called: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls `called`, and that warnings take for the user's code at that place."""
    call, line = (_call_under, 1) if isinstance(called, Under) else (_CALL, 0)
    if place is None:
        return call  # type: ignore[no-any-return]
    code = call.__code__.replace(co_filename=place.file, co_firstlineno=place.line - line, co_name=place.function)
    known = sys.modules.get(module)
    return types.FunctionType(code, {"__name__": module} if known is None else vars(known))


def evaluate(operands: Sequence[Array], attrs: Mapping[str, Any], place: ResultPlace | None) -> list[Array]:
    """The leaves of a call-out's result as arrays, for the interpreter of graphs.

    Errors: `AnotherForm`; what the function raises.
    """
    args = [argument(each, operands) for each in attrs["arguments"]]
    keywords = {key: argument(form, operands) for key, form in attrs["keywords"]}
    function = found(attrs["function"])
    value = caller(place, attrs["module"], function)(function, args, keywords)
    leaves = leaves_of(attrs["results"])(value)
    if leaves is None:
        leaves = leaves_alike(attrs["results"], value, [*args, *keywords.values()])
    if leaves is None:
        raise AnotherForm
    return [np.asarray(each) for each in leaves]
