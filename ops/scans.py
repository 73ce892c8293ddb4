"""Running sums and products along an axis: composites that double their reach in each step; a device goes through
the elements once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .pointwise import NUMBERS
from .registry import Array, Composite, OpDef, Rule, Sample, define_op
from .shape_gradients import shifted

Value = Any


def running(f: Emitter, x: Value, axis: int, combine: Callable[[Value, Value], Value], neutral: int) -> Value:
    """For each element what those up to it combine to, along `axis`."""
    size = f.shape(x)[axis]
    reach = 1
    while reach < size:
        x = combine(x, shifted(f, x, reach, axis, neutral))
        reach *= 2
    return x


def _samples() -> Iterable[Sample]:
    for dtype in NUMBERS:
        yield samples.with_attrs((samples.values(dtype, (4, 3)),), axis=0)
        yield samples.with_attrs((samples.values(dtype, (3, 4)),), axis=1)
    yield samples.with_attrs((samples.uniform(-1, 1, (2, 5, 3)),), axis=1)
    yield samples.with_attrs((samples.uniform(-1, 1, (1,)),), axis=0)
    yield samples.with_attrs((samples.uniform(-1, 1, (0, 2)),), axis=0)


def _scan(name: str, combine: np.ufunc, expand: Callable[..., Value], rule: Rule) -> OpDef:
    def meta(x: TensorType, *, axis: int) -> TensorType:
        if not 0 <= axis < x.rank:
            raise OpError(f"{name} has no axis {axis} in {x}")
        if x.dtype not in NUMBERS:
            raise OpError(f"{name} does not take {x.dtype}; it takes {', '.join(map(str, NUMBERS))}")
        return x

    def eager(x: Array, *, axis: int) -> Array:
        return np.asarray(combine.accumulate(x, axis=axis, dtype=x.dtype))

    return define_op(
        name,
        meta=meta,
        eager=eager,
        lower=Composite(expand, kept_on_devices=True),
        samples=_samples,
        exact=False,
        operands=("self",),
        vjp=(rule,),
    )


# cumsum: each element with all before it added. The cotangent is added up from the end.
def _turned(f: Emitter, x: Value, axis: int) -> Value:
    shape = f.shape(x)
    if not shape[axis]:
        return x
    starts = tuple(size - 1 if k == axis else 0 for k, size in enumerate(shape))
    return f.slice(x, starts=starts, sizes=shape, steps=tuple(-1 if k == axis else 1 for k in range(len(shape))))


CUMSUM = _scan(
    "cumsum",
    np.add,
    expand=lambda f, x, *, axis: running(f, x, axis, f.add, 0),
    rule=lambda f, g, *, axis: _turned(f, f.cumsum(_turned(f, g, axis), axis=axis), axis),
)


# cumprod: each element with all before it multiplied. Its rule never divides, so zeros do no harm.
def _cumprod_rule(f: Emitter, g: Value, self: Value, *, axis: int) -> Value:
    """The cotangent of a cumprod's operand: for each element k, the product of those before it times ``s[k]``.

    ``s[k] = g[k] + x[k + 1] * s[k + 1]`` is a recurrence that is doubled too.
    """
    size = f.shape(self)[axis]
    if size < 2:
        return g
    before = shifted(f, f.cumprod(self, axis=axis), 1, axis, 1)
    factor, total = shifted(f, self, -1, axis, 0), g
    reach = 1
    while reach < size:
        total = f.add(total, f.multiply(factor, shifted(f, total, -reach, axis, 0)))
        factor = f.multiply(factor, shifted(f, factor, -reach, axis, 0))
        reach *= 2
    return f.multiply(before, total)


CUMPROD = _scan(
    "cumprod",
    np.multiply,
    expand=lambda f, x, *, axis: running(f, x, axis, f.multiply, 1),
    rule=_cumprod_rule,
)

__all__ = ["CUMPROD", "CUMSUM"]
