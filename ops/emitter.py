"""The targets of derivative rules and composites: operations go into NumPy at once, into a graph, or onto the tape.

A rule says ``f.multiply(g, f.cos(self))`` and does not know what `f` makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from .registry import OPS, Array, OpDef, Pointwise

LoopStep = Callable[..., tuple[Sequence[Any], Sequence[Any]]]


def op_named(name: str) -> OpDef:
    """The op of that name. Errors: AttributeError for none."""
    op = OPS.get(name)
    if op is None:
        raise AttributeError(f"an emitter has no op named {name!r}")
    return op


class Emitter:
    """Applies ops to values of some kind; ``f.<name of an op>(...)`` is ``f.apply(that op, ...)``.

    The operands of pointwise ops broadcast, and may be Python numbers, which take the dtype of the others.
    """

    __slots__ = ()

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Any:
        """The value of `op` applied to `operands`."""
        raise NotImplementedError

    def constant(self, value: bool | int | float, like: Any) -> Any:
        """`value` in the dtype of `like`, of a shape that broadcasts to that of `like`."""
        raise NotImplementedError

    def shape(self, value: Any) -> tuple[int, ...]:
        """The shape of a value."""
        raise NotImplementedError

    def dtype(self, value: Any) -> DType:
        """The dtype of a value."""
        raise NotImplementedError

    def on_device(self, value: Any) -> bool:
        """Whether a value lies on a device, so that what has kernels of its own there may be left whole."""
        return False

    def loop(
        self, step: LoopStep, carried: Sequence[Any], scanned: Sequence[Any], fixed: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """The carried values after all rounds, and what the rounds give, one behind the other along a new first axis.

        step: ``step(f, carried, rows, fixed)`` gives the carried values of the next round, and the results of this one.
        scanned: arrays of which each round is given one row. fixed: what is the same in all rounds.
        """
        now: Sequence[Any] = list(carried)
        given: list[list[Any]] = []
        for k in range(self.shape(scanned[0])[0]):
            now, made = step(self, now, [self._row(each, k) for each in scanned], list(fixed))
            given.append([self.apply(OPS["reshape"], each, shape=(1, *self.shape(each))) for each in made])
        return list(now), [self.apply(OPS["cat"], *column, axis=0) for column in zip(*given)]

    def _row(self, rows: Any, k: int) -> Any:
        rest = self.shape(rows)[1:]
        starts, steps = (k, *(0 for _ in rest)), (1,) * (len(rest) + 1)
        row = self.apply(OPS["slice"], rows, starts=starts, sizes=(1, *rest), steps=steps)
        return self.apply(OPS["reshape"], row, shape=rest)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        op = op_named(name)

        def emit(*operands: Any, **attrs: object) -> Any:
            return self.apply(op, *operands, **attrs)

        return emit


class ArrayEmitter(Emitter):
    """Computes at once, in NumPy. It keeps nothing but the functions of ops asked for; one serves all (`ARRAYS`)."""

    __slots__ = ("__dict__",)

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Any:
        """The array that `op` gives."""
        return op.eager(*operands, **attrs)

    def constant(self, value: bool | int | float, like: Array) -> Array:
        """An array of no axes."""
        return np.asarray(value, like.dtype)

    def shape(self, value: Array) -> tuple[int, ...]:
        """The shape of an array."""
        return value.shape

    def dtype(self, value: Array) -> DType:
        """The dtype of an array. Errors: TypeError for one that tensors do not hold."""
        found = dtypes.held(value.dtype)
        if found is None:
            raise TypeError(f"no op takes an array of {value.dtype}")
        return found

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Found once; from then on the instance's own attribute, with no call between the rule and the op.
        self.__dict__[name] = eager = op_named(name).eager
        return eager


ARRAYS = ArrayEmitter()


class UfuncEmitter(ArrayEmitter):
    """Computes at once, in NumPy, with ufuncs as they are.

    So it gives NumPy's scalars for operands without axes.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        op = op_named(name)
        self.__dict__[name] = function = ufunc_of(op) or op.eager
        return function


UFUNCS = UfuncEmitter()


def ufunc_of(op: OpDef) -> np.ufunc | None:
    """The ufunc that computes `op`: that of its own name, if it is pointwise and there is one."""
    ufunc = getattr(np, op.name, None)
    return ufunc if isinstance(op.lower, Pointwise) and isinstance(ufunc, np.ufunc) else None
