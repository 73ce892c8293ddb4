"""Random tensors. The numbers are guardlift's own: the same on every machine, eager or compiled, but not PyTorch's.

A generator is a seed and an offset; a draw is a function of both (see `ops.random`) and moves the offset on by what it
read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices import HOST, Device
from ..core.dtypes import DType
from ..ops.complex_numbers import COMPLEX
from ..ops.ordering import ARGSORT
from ..ops.pointwise import ADD, BITWISE_OR, LEFT_SHIFT, MULTIPLY, RIGHT_SHIFT
from ..ops.random import RANDOM_INTEGERS, RANDOM_NORMAL, RANDOM_PLACE, RANDOM_UNIFORM, blocks, words
from ..ops.registry import OpDef
from . import dispatch
from .devices import chosen, is_host, made_on, placed_on
from .drawing import BATCHES, digits, drawn
from .generator import Generator, default_generator
from .narrow import check_computes
from .promotion import get_default_dtype, to_dtype
from .shapes import Shape, sizes
from .surface import method, surface
from .tensor import Tensor
from .tracing import tracing

Value = Any


def manual_seed(seed: int) -> Generator:
    """The default generator, at the start of the sequence of `seed`."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """A new seed of the default generator that nobody can foretell."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator, as a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Puts the default generator where it was when `get_rng_state` gave this."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True) -> Iterator[None]:
    """Puts the default generator back, at the end of a `with` block, where it was at the start, whatever is raised.

    One generator serves all devices, so `devices` changes nothing. enabled: False for a block that does nothing.
    """
    state = default_generator.get_state() if enabled else None
    try:
        yield
    finally:
        if state is not None:
            default_generator.set_state(state)


# Drawing.


def _draw(
    op: OpDef,
    shape: Shape,
    dtype: DType,
    generator: Generator | None,
    requires_grad: bool = False,
    device: Device = HOST,
    **attrs: int,
) -> Value:
    """A new leaf; while a trace is recorded, what its handler makes of the draw. It may lie on the CPU whatever the
    device that it is for."""
    if dtype.is_narrow:
        return _narrow_draw(op, shape, dtype, generator, requires_grad, device)
    if dtype.is_complex:
        return _draw_of_parts(op, shape, dtype, generator, requires_grad, device)
    source = _checked_generator(generator)
    whole: dict[str, Any] = {"shape": shape, "dtype": dtype, **attrs}
    handler = tracing()
    if handler is not None:
        return handler.random(op, source, whole, requires_grad)
    if BATCHES.draw is not None:
        return BATCHES.draw(op, source, whole, requires_grad)
    return drawn(op, source, whole, requires_grad, device)


def place_of_draws(shape: Shape, dtype: DType, device: Device = HOST) -> Value:
    """Seed and offset, int64[2], of a draw of uniform numbers from the default generator, which moves on behind it."""
    kind = dtypes.float32 if dtype.is_narrow else dtype  # which narrow floats are drawn in
    return placed_on(device, _draw(RANDOM_PLACE, shape, kind, None, device=device))


def _draw_of_parts(op: OpDef, shape: Shape, dtype: DType, generator: Any, requires_grad: bool, device: Device) -> Value:
    """Complex numbers with drawn parts; the variance 1 of normal ones is that of both together."""
    both = _draw(op, (2, *shape), dtypes.PART[dtype], generator, False, device)
    if op is RANDOM_NORMAL:
        both = dispatch.apply(MULTIPLY, both, math.sqrt(0.5))
    result = dispatch.apply(COMPLEX, both[0], both[1])
    return result.requires_grad_() if requires_grad else result


def _narrow_draw(op: OpDef, shape: Shape, dtype: DType, generator: Any, requires_grad: bool, device: Device) -> Value:
    """Drawn in float32; uniform ones lose the digits that the dtype does not hold, so that none becomes 1."""
    check_computes("a draw of random numbers", dtype)
    drawn = _draw(op, shape, dtypes.float32, generator, False, device)
    if op is RANDOM_UNIFORM:
        drawn = drawn.mul(2.0 ** digits(dtype)).floor().mul(2.0 ** -digits(dtype))
    result = to_dtype(drawn, dtype)
    return result.requires_grad_() if requires_grad else result


def _checked_generator(generator: Any) -> Generator:
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator) and not hasattr(type(generator), "__guardlift_generator__"):
        raise TypeError(f"random numbers come from a Generator, got {type(generator).__name__}")
    return generator  # type: ignore[no-any-return]


def _shape(name: str, arguments: tuple[Any, ...], size: Any) -> Shape:
    if size is not None:
        arguments = (*arguments, size)
    if not arguments:
        raise TypeError(f"{name}() takes a size: {name}(2, 3) or {name}((2, 3))")
    shape = sizes(arguments)
    for extent in shape:
        if extent < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {extent}: {list(shape)}")
    return shape


def _float_dtype(name: str, dtype: DType | None) -> DType:
    found = get_default_dtype() if dtype is None else dtype
    if not found.is_differentiable:
        raise NotImplementedError(f"{name} makes floats and complex numbers, not {found}")
    return found


def _of_size(name: str, op: OpDef, gives: str) -> Callable[..., Value]:
    """The function of the surface that draws with `op` into a new tensor of a given size."""

    def function(
        *sizes: Any,
        size: Any = None,
        generator: Generator | None = None,
        dtype: DType | None = None,
        device: str | None = None,
        requires_grad: bool = False,
    ) -> Value:
        kind = _float_dtype(name, dtype)
        if is_host(device):
            return _draw(op, _shape(name, sizes, size), kind, generator, requires_grad)
        drawn = _draw(op, _shape(name, sizes, size), kind, generator, device=chosen(device))
        return made_on(device, drawn, requires_grad)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"A tensor of {gives}.\n\nThe numbers are not PyTorch's for the same seed.\n"
    return surface(function)


def _of_size_like(name: str, op: OpDef) -> Callable[..., Value]:
    """The function of the surface that draws with `op` into a new tensor like another one."""

    def function(
        input: Value,
        *,
        generator: Generator | None = None,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Value:
        kind = _float_dtype(name, dtype or input.dtype)
        place = input.device if device is None else device
        if is_host(place):
            return _draw(op, tuple(input.shape), kind, generator, requires_grad)
        return made_on(place, _draw(op, tuple(input.shape), kind, generator, device=chosen(place)), requires_grad)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{name.removesuffix('_like')}` in the shape and dtype of `input`."
    return surface(function)


rand = _of_size("rand", RANDOM_UNIFORM, "numbers from [0, 1), even in steps of 2**-24 (float32) or 2**-53 (float64)")
randn = _of_size("randn", RANDOM_NORMAL, "numbers from the normal distribution of mean 0 and variance 1")
rand_like = _of_size_like("rand_like", RANDOM_UNIFORM)
randn_like = _of_size_like("randn_like", RANDOM_NORMAL)


@surface
def randint(
    *arguments: Any,
    low: int | None = None,
    high: int | None = None,
    size: Any = None,
    generator: Generator | None = None,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """Whole numbers from `low` (0) to `high`, without `high`: ``randint(high, size)``, ``randint(low, high, size)``.

    dtype: int64 unless given; a float dtype takes them as floats. The numbers are not PyTorch's for the same seed.
    Errors: RuntimeError for an empty range, or one that the dtype does not hold.
    """
    first, last, shape = _range_and_size(arguments, low, high, size)
    kind = dtypes.int64 if dtype is None else dtype
    if first >= last:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={first} >= to={last}")
    lowest, highest = _bounds(kind)
    for name, bound in (("from", first), ("to - 1", last - 1)):
        if not lowest <= bound <= highest:
            raise RuntimeError(f"{name} is out of bounds for {kind}")
    drawn = kind if kind.is_integer else dtypes.int64
    whole = _draw(RANDOM_INTEGERS, shape, drawn, generator, device=chosen(device), low=first, high=last)
    return made_on(device, to_dtype(whole, kind), requires_grad)


def _range_and_size(arguments: tuple[Any, ...], low: Any, high: Any, size: Any) -> tuple[int, int, Shape]:
    given = list(arguments)
    if size is None:
        if not given:
            raise TypeError("randint() takes a size: randint(10, (2, 3))")
        size = given.pop()
    if high is None:
        if not given:
            raise TypeError("randint() takes the end of the range: randint(10, (2, 3))")
        high = given.pop()
    if low is None:
        low = given.pop() if given else 0
    if given:
        raise TypeError("randint() takes low, high and size at most")
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"randint() takes a size in the form of a tuple, got {type(size).__name__}")
    return low.__index__(), high.__index__(), _shape("randint", (size,), None)


def _bounds(dtype: DType) -> tuple[int, int]:
    """The integers that a dtype holds, each of them exactly."""
    if dtype.is_bool:
        return 0, 1
    if dtype.is_float:
        digits = 24 if dtype is dtypes.float32 else 53
        return -(2**digits), 2**digits
    info = np.iinfo(dtype.numpy)
    return int(info.min), int(info.max)


@surface
def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """The whole numbers below `n` in random order: sorted by 64 random bits each. The order is not PyTorch's.

    Errors: RuntimeError for a negative `n`, and where the dtype does not hold n - 1.
    """
    kind = dtypes.int64 if dtype is None else dtype
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if n - 1 > _bounds(kind)[1]:
        raise RuntimeError(f"{kind} does not hold {n - 1}")
    if tracing() is not None or BATCHES.draw is not None:
        found = dispatch.apply(ARGSORT, _keys(n, generator), axis=0, descending=False)
        return made_on(device, to_dtype(found, kind), requires_grad)
    source = _checked_generator(generator)
    start = source.take(blocks(RANDOM_INTEGERS, (n,), dtypes.uint64))
    keys = words(*start, 2 * n).view(np.uint64)
    result = Tensor._wrap(np.argsort(keys, kind="stable").astype(kind.numpy))
    return made_on(device, result, requires_grad)


def _keys(n: int, generator: Generator | None) -> Value:
    """The keys of `randperm` in a trace: whole draws have the first of their two words in the upper half."""
    drawn = _draw(RANDOM_INTEGERS, (n,), dtypes.uint64, generator, low=0, high=2**64)
    halves = (dispatch.apply(LEFT_SHIFT, drawn, 32), dispatch.apply(RIGHT_SHIFT, drawn, 32))
    return dispatch.apply(BITWISE_OR, *halves)


# Filling tensors that exist.


@method("uniform_")
def uniform_(self: Value, low: float = 0.0, high: float = 1.0, *, generator: Generator | None = None) -> Value:
    """`self`, filled with numbers from [low, high). Errors: RuntimeError where `low` is above `high`."""
    kind = _float_dtype("uniform_", self.dtype)
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}")
    drawn = _draw(RANDOM_UNIFORM, tuple(self.shape), kind, generator, device=self.device)
    return dispatch.assign_(self, _scaled(drawn, high - low, complex(low, low) if kind.is_complex else low))


@method("normal_")
def normal_(self: Value, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> Value:
    """`self`, filled with normal numbers. Errors: RuntimeError for a negative standard deviation."""
    kind = _float_dtype("normal_", self.dtype)
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    drawn = _draw(RANDOM_NORMAL, tuple(self.shape), kind, generator, device=self.device)
    return dispatch.assign_(self, _scaled(drawn, std, mean))


def _scaled(drawn: Value, factor: float, shift: complex) -> Value:
    """``drawn * factor + shift``."""
    if isinstance(shift, complex):
        return drawn * float(factor) + shift
    return dispatch.apply(ADD, dispatch.apply(MULTIPLY, drawn, float(factor)), float(shift))
