"""Autocast: which dtype functions compute in, where a program says so for a part of it; see `autocast_lists`.

A function that is listed is wrapped when it is registered. Off autocast the wrapper does nothing but look.
"""

# Note [Casts that are kept]
# A parameter that several functions use is cast once: the outermost `autocast` keeps the casts of float32 leaves that
# require grad, until it is left. So their gradients meet in the narrow dtype, as PyTorch's do. A cast is kept no longer
# than the leaf is not written: with a version that has gone on it is made anew, where PyTorch would go on with the old.

# Note [Functions inside of functions]
# A function that is listed computes with autocast off, as what it calls has its operands in the right dtype already.

from __future__ import annotations

import inspect
import linecache
import threading
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.records import dataclass
from . import autocast_lists as lists
from .dispatch import is_tensor_like
from .python_types import as_dtype, asks_for_dtype
from .tensor import Tensor

Value = Any
Function = Callable[..., Any]
Cast = Callable[[Any, DType], Any]


@dataclass(frozen=True, slots=True)
class DeviceAutocast:
    """Autocast on one kind of device: whether it is on, and the narrow dtype."""

    enabled: bool
    dtype: DType


@dataclass(frozen=True, slots=True, eq=False)
class AutocastState:
    """Autocast in a thread, for each kind of device, and whether casts of parameters are kept.

    Interned by `state_of`, so compare with `is`.
    """

    cpu: DeviceAutocast
    cuda: DeviceAutocast
    cache_enabled: bool

    def on(self, device: str) -> DeviceAutocast:
        """The entry for a device or a kind of device."""
        return self.cuda if device.startswith("cuda") else self.cpu

    def in_force(self) -> AutocastState:
        """Itself; what stands here while a function is traced gives the state of the trace."""
        return self

    def cast(self, x: Value, dtype: DType) -> Value:
        """A tensor in `dtype`, one and the same for each use of a parameter. See Note [Casts that are kept]."""
        kept = self.cache_enabled and x.dtype is dtypes.float32 and dtype is self.on(str(x.device)).dtype
        if (
            not isinstance(x, Tensor)
            or x.is_sparse
            or not kept
            or not x.requires_grad
            or not x.is_leaf
            or x._path is not None
        ):
            return _converted(x, dtype)
        version = x._counter.value
        found = AUTOCAST.casts.get(id(x))
        if found is not None and found[:3] == (x, version, dtype) and found[3] is x._array:
            return found[4]
        made = _converted(x, dtype)
        if made.requires_grad:
            AUTOCAST.casts[id(x)] = x, version, dtype, x._array, made
        return made


DEFAULT = AutocastState(
    DeviceAutocast(False, dtypes.bfloat16), DeviceAutocast(False, dtypes.float16), cache_enabled=True
)
_STATES: dict[Any, AutocastState] = {}


def state_of(cpu: DeviceAutocast, cuda: DeviceAutocast, cache_enabled: bool) -> AutocastState | None:
    """The one state of these; None is that of a thread in which nothing was said."""
    if (cpu, cuda, cache_enabled) == (DEFAULT.cpu, DEFAULT.cuda, DEFAULT.cache_enabled):
        return None
    return _STATES.setdefault((cpu, cuda, cache_enabled), AutocastState(cpu, cuda, cache_enabled))


class _Autocast(threading.local):
    state: Any = None
    """None, an AutocastState, or what stands for one while a function is traced."""

    def __init__(self) -> None:
        self.casts: dict[int, tuple[Any, ...]] = {}


AUTOCAST = _Autocast()
"""Autocast in the calling thread."""


def put_autocast(state: AutocastState | None) -> None:
    """Sets autocast in this thread; where it is off again, the casts that were kept are dropped."""
    AUTOCAST.state = state
    if state is None:
        AUTOCAST.casts.clear()


def autocasting(function: Function, name: str) -> Function:
    """`function`, which asks what autocast does with it, if it is listed under `name`; else itself."""
    if name not in LISTED or hasattr(function, "__guardlift_autocast__"):
        return function

    call = wraps(function)(_asking(function, name))
    call.__guardlift_autocast__ = call.__guardlift_dtypes__ = True  # type: ignore[attr-defined]
    return call


def _asking(function: Function, name: str) -> Function:
    """A function of the parameters of `function` itself, which costs a call half of what one of any arguments would."""
    parameters = inspect.signature(function).parameters.values()
    given = {f"_default_{each.name}": each.default for each in parameters if each.default is not each.empty}
    names = {"positional": "", "by_name": "", "all": ""}
    for each in parameters:
        star = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        by_name = each.kind in (each.KEYWORD_ONLY, each.VAR_KEYWORD)
        if each.kind is each.KEYWORD_ONLY and "*" not in names["all"]:
            names["all"] += "*, "
        default = f"=_default_{each.name}" if each.default is not each.empty else ""
        names["all"] += f"{star}{each.name}{default}, "
        named = f"{each.name}={each.name}" if by_name and not star else f"{star}{each.name}"
        names["by_name" if by_name else "positional"] += f"{named}, "
    takes_types = "    dtype = dtype if dtype is None or type(dtype) is _dtype else _as_dtype(dtype, _name)\n"
    text = (
        f"def {name}({names['all']}):\n"
        f"{takes_types * asks_for_dtype(function, name)}"
        f"    if _autocast_here.state is None:\n"
        f"        return _function({names['positional']}{names['by_name']})\n"
        f"    return _ask(_function, _name, ({names['positional']}), dict({names['by_name']}))\n"
    )
    file = f"{__file__}: {name}"  # a file of ours to whoever looks for the user's line
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made: dict[str, Any] = {
        "__name__": __name__,
        "_autocast_here": AUTOCAST,
        "_function": function,
        "_ask": _autocast,
        "_name": name,
        "_dtype": DType,
        "_as_dtype": as_dtype,
    }
    exec(compile(text, file, "exec"), {**made, **given}, made)
    return made[name]  # type: ignore[no-any-return]


def without_autocast(function: Function, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a call with autocast off."""
    before, AUTOCAST.state = AUTOCAST.state, None
    try:
        return function(*args, **keywords)
    finally:
        AUTOCAST.state = before


def _autocast(function: Function, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    current = AUTOCAST.state
    state = current.in_force()
    first = next(_tensors((args, keywords)), None)
    if state is None or first is None:
        return function(*args, **keywords)
    device = "cuda" if str(first.device).startswith("cuda") else "cpu"
    mode = state.on(device)
    rule = RULES[device].get(name) if mode.enabled else None
    if rule is None:
        return function(*args, **keywords)
    AUTOCAST.state = None
    try:
        return rule(AutocastCall(function, args, keywords, device, mode.dtype, current.cast))
    finally:
        AUTOCAST.state = current


def _tensors(given: Any) -> Iterator[Any]:
    """The tensors among arguments, in their order."""
    for each in given.values() if isinstance(given, dict) else given:
        if isinstance(each, (list, tuple, dict)):
            yield from _tensors(each)
        elif is_tensor_like(each):
            yield each


@dataclass(frozen=True, slots=True)
class AutocastCall:
    """A call of a listed function, on a device where autocast is on."""

    function: Function
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    device: str
    narrow: DType
    cast: Cast

    def tensors(self) -> list[Any]:
        return [each for each in _tensors((self.args, self.keywords)) if self.takes_part(each)]

    def takes_part(self, x: Value) -> bool:
        """Whether a tensor is cast at all."""
        return x.dtype.is_float and x.dtype is not dtypes.float64 and str(x.device).startswith(self.device)

    def as_it_is(self) -> Any:
        return self.function(*self.args, **self.keywords)

    def within(self, dtype: DType) -> Any:
        """The result with every tensor that takes part in `dtype`."""
        return self.function(*self._in(dtype, self.args), **self._in(dtype, self.keywords))

    def _in(self, dtype: DType, given: Any) -> Any:
        if isinstance(given, dict):
            return {name: self._in(dtype, each) for name, each in given.items()}
        if type(given) in (list, tuple):
            return type(given)(self._in(dtype, each) for each in given)
        if is_tensor_like(given) and self.takes_part(given) and given.dtype is not dtype:
            return self.cast(given, dtype)
        return given


def _in_narrow(call: AutocastCall) -> Any:
    return call.within(call.narrow)


def _in_float32(call: AutocastCall) -> Any:
    return call.within(dtypes.float32)


def _in_float32_unless_asked(call: AutocastCall) -> Any:
    asked = any(isinstance(each, DType) for each in (*call.args, *call.keywords.values()))
    return call.as_it_is() if asked else call.within(dtypes.float32)


def _in_widest(call: AutocastCall) -> Any:
    found = {each.dtype for each in call.tensors()}
    return call.within(call.narrow if found == {call.narrow} else dtypes.float32)


def _left_alone(call: AutocastCall) -> Any:
    return call.as_it_is()


def _in_dtype_of_input(call: AutocastCall) -> Any:
    """Computes in float32 where a narrow input meets float32 weights, and rounds once."""
    found = call.tensors()
    if not found or found[0].dtype is dtypes.float32 or all(each.dtype is found[0].dtype for each in found):
        return call.as_it_is()
    return _converted(call.within(dtypes.float32), found[0].dtype)


def _padded(call: AutocastCall) -> Any:
    mode = call.keywords.get("mode", call.args[2] if len(call.args) > 2 else "constant")
    wide = mode == "replicate" or (mode == "reflect" and call.tensors() and call.tensors()[0].ndim < 5)
    return call.within(dtypes.float32) if wide else call.as_it_is()


def _inner(call: AutocastCall) -> Any:
    """The product of two vectors is left alone, that of matrices computes in the narrow dtype."""
    return call.as_it_is() if all(each.ndim == 1 for each in call.tensors()) else call.within(call.narrow)


def _refused(call: AutocastCall) -> Any:
    raise RuntimeError(
        f"{call.function.__name__} is unsafe to autocast: what a sigmoid gives in {call.narrow} has no room near 0 and "
        "1; use binary_cross_entropy_with_logits, or call it with autocast disabled and its operands in float32"
    )


def _rules(**given: Any) -> dict[str, Callable[[AutocastCall], Any]]:
    found: dict[str, Callable[[AutocastCall], Any]] = {}
    for rule, names in given.values():
        found.update(dict.fromkeys(names.split(), rule))
    return found


RULES = {
    "cpu": _rules(
        norms=(_in_dtype_of_input, lists.NORMS),
        narrow=(_in_narrow, lists.NARROW_CPU),
        float32=(_in_float32, lists.FLOAT32_CPU),
        widest=(_in_widest, lists.WIDEST_CPU),
        alone=(_left_alone, f"{lists.ALONE_CPU} {lists.IN_PLACE}"),
        padded=(_padded, "pad"),
        inner=(_inner, "inner"),
    ),
    "cuda": _rules(
        norms=(_in_dtype_of_input, lists.NORMS),
        narrow=(_in_narrow, lists.NARROW_CUDA),
        float32=(_in_float32, lists.FLOAT32_CUDA),
        unless_asked=(_in_float32_unless_asked, lists.FLOAT32_UNLESS_ASKED_CUDA),
        widest=(_in_widest, lists.WIDEST_CUDA),
        refused=(_refused, lists.REFUSED_CUDA),
        alone=(_left_alone, lists.IN_PLACE),
    ),
}
"""The rule for each listed function, by kind of device and name."""
LISTED = frozenset().union(*RULES.values())


def _converted(x: Value, dtype: DType) -> Value:
    from .conversion import to  # which is registered, as all functions are

    return to(x, dtype)
