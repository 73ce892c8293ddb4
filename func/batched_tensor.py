"""The tensor that a function sees inside of `vmap`: it stands for one call, and holds what all calls have."""

# Note [One call of many]
# A BatchedTensor is a tensor, its `whole`, whose first axis is that of the calls, and has the shape that one call sees.
# It has no array: dense code that asks for one gets a BatchedValueError, which the funnel (`tensor/dispatch.py`) takes
# as the sign to ask `__guardlift_apply__`, as it does for sparse tensors. The op is then applied to the wholes by the
# rules of `ops/batching.py`, through the funnel again: so the tape records what is done to the wholes, and autograd
# knows nothing of batches. Of nested calls the innermost has the greatest depth, and its wholes may be BatchedTensors
# of the others; an op is handed to the innermost of its operands first.

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from ..autograd.emitter import TENSORS
from ..autograd.function import Function
from ..core.devices import Device
from ..core.dtypes import DType
from ..core.errors import BatchedValueError
from ..core.records import dataclass
from ..ops.batching import aligned, batch, one_by_one
from ..ops.batching_rules import Calls
from ..ops.registry import OpDef, broadcasts
from ..tensor import dispatch
from ..tensor.conversion import clone_in_rows, is_contiguous
from ..tensor.joining import stack
from ..tensor.more_creation import new_full
from ..tensor.promotion import to_dtype
from ..tensor.refused_operands import check_covers
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import as_own
from ..tensor.tensor import Tensor

_NO_ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. It has another value in each of the calls that are "
    "mapped: write what is done with it in operations on tensors."
)
_NO_BRANCH = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. It has another value "
    "in each of the calls that are mapped: use where(condition, a, b)."
)
_NO_LEAF = (
    "You are attempting to call Tensor.requires_grad_() inside of a function being transformed by vmap. This is "
    "unsupported: use the transforms of gl.func (grad, vjp, jacrev, jacfwd, hessian), or call it outside."
)
_NO_TAPE = (
    "vmap: autograd does not know one call of many: inside of vmap, hooks on tensors, autograd.grad and their history "
    "are not to be had; use gl.func.grad, gl.func.vjp and their like"
)
_NO_BACKWARD = (
    "backward() called inside a functorch transform. This is not supported, please use gl.func.grad or gl.func.vjp "
    "instead, or call backward() outside of vmap."
)


def _no_array(self: BatchedTensor) -> Any:
    raise BatchedValueError(
        f"vmap: this needs the elements of a tensor of shape {list(self.shape)}, which are others in each of the calls "
        "that are mapped (their number, a branch or an index may depend on them): use operations on tensors, or "
        "compute it outside of vmap"
    )


def _no_tape(self: BatchedTensor) -> Any:
    raise BatchedValueError(_NO_TAPE)


class BatchedTensor(Tensor):
    """One call's part of `whole`, a tensor whose first axis is that of the calls.

    depth: that of the `vmap` it belongs to, 1 for the outermost.
    Made inside of `vmap` alone; see Note [One call of many].
    """

    __slots__ = ("__guardlift_whole__", "_depth")
    __guardlift_whole__: Tensor
    _depth: int

    def __init__(self, whole: Tensor, depth: int) -> None:
        self.__guardlift_whole__ = whole
        self._depth = depth
        self._marked = False
        self._watchers = None

    @staticmethod
    def __guardlift_as_own__(x: BatchedTensor) -> BatchedTensor:
        x.__guardlift_whole__ = as_own(x.__guardlift_whole__)
        return x

    _array = property(_no_array)  # type: ignore[assignment]
    _node = _path = _base = _hooks = _grad = _seen = property(_no_tape)  # type: ignore[assignment]
    _output_nr = _accumulator = property(_no_tape)  # type: ignore[assignment]

    # What its whole has.

    @property
    def _storage(self) -> Any:  # type: ignore[override]
        return self.__guardlift_whole__._storage

    @property
    def _counter(self) -> Any:  # type: ignore[override]
        return self.__guardlift_whole__._counter

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of its axes, as one call sees them."""
        return self.__guardlift_whole__.shape[1:]

    @property
    def ndim(self) -> int:
        """Number of its axes, as one call sees them."""
        return self.__guardlift_whole__.ndim - 1

    @property
    def dtype(self) -> DType:
        """Its element type."""
        return self.__guardlift_whole__.dtype

    @property
    def device(self) -> Device:
        """The device on which its elements lie."""
        return self.__guardlift_whole__.device

    @property
    def requires_grad(self) -> bool:
        """Whether operations on it are recorded."""
        return self.__guardlift_whole__.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    _requires_grad = requires_grad  # type: ignore[assignment]

    @property
    def is_leaf(self) -> bool:
        """Whether it was not computed from something that requires grad."""
        return self.__guardlift_whole__.is_leaf

    @property
    def grad_fn(self) -> Any:
        """The node that its whole came from; None for a leaf."""
        return self.__guardlift_whole__.grad_fn

    @property  # type: ignore[misc]
    def grad(self) -> Tensor | None:
        """None: gradients inside of `vmap` come from `gl.func.grad` and its like."""
        return None

    @property  # type: ignore[misc]
    def data(self) -> Tensor:
        """A tensor over the same memory, without history."""
        return BatchedTensor(self.__guardlift_whole__.data, self._depth)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Errors: RuntimeError, always: what a function under a transform is differentiated by is said outside."""
        raise RuntimeError(_NO_LEAF)

    def _alias(self) -> Tensor:
        return BatchedTensor(self.__guardlift_whole__.detach(), self._depth)

    def lies_in_rows(self) -> bool:
        """Whether the elements of one call lie row by row."""
        whole = self.__guardlift_whole__
        return is_contiguous(whole[0]) if whole.shape[0] else True

    def lie_in_rows(self) -> None:
        """Its elements, which were just made and which nothing else sees, lie row by row."""
        self.__guardlift_whole__ = clone_in_rows(self.__guardlift_whole__)

    def stride(self, dim: int | None = None) -> Any:
        """Steps between elements along its axes, as one call sees them, or along one."""
        steps = self.__guardlift_whole__.stride()[1:]
        return steps if dim is None else steps[dim]

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    # What one call has not.

    def item(self) -> Any:
        """Errors: RuntimeError, always: it has another value in each call."""
        raise BatchedValueError(_NO_ITEM)

    def __bool__(self) -> bool:
        raise BatchedValueError(_NO_BRANCH)

    __float__ = __int__ = __index__ = tolist = item

    def backward(self, *_args: Any, **_kwargs: Any) -> None:
        """Errors: RuntimeError, always: gradients inside of `vmap` come from `gl.func.grad` and its like."""
        raise BatchedValueError(_NO_BACKWARD)

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)

    def __repr__(self) -> str:
        whole = repr(self.__guardlift_whole__).replace("\n", "\n" + " " * 4)
        return f"BatchedTensor(lvl={self._depth}, bdim=0, value=\n    {whole}\n)"

    # The rules of the funnel, and of what makes tensors like this one.

    def __guardlift_filled__(self, shape: tuple[int, ...], value: Any, *how: Any) -> Tensor:
        """A tensor of that shape for each call, filled with a number."""
        whole, (dtype, device, requires_grad) = self.__guardlift_whole__, how
        size = (whole.shape[0], *shape)
        made = new_full(whole, size, value, dtype=dtype, device=device, requires_grad=requires_grad)
        return BatchedTensor(made, self._depth)

    @staticmethod
    def __guardlift_apply__(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        return _alone(_apply, op, operands, attrs)

    @staticmethod
    def __guardlift_apply_in_place__(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        return _alone(_apply_in_place, op, operands, attrs)

    @staticmethod
    def __guardlift_assign__(x: Any, value: Any) -> Any:
        return _alone(_assign, x, value)

    @staticmethod
    def __guardlift_custom__(function: Any, args: tuple[Any, ...]) -> Any:
        return _custom(function, args)

    @staticmethod
    def __guardlift_call_by_call__(function: Any, values: tuple[Any, ...]) -> list[Any]:
        return _call_by_call(function, values)


@dataclass(frozen=True, slots=True)
class VmapInfo:
    """The facts of a call of `vmap` that the `vmap` of a custom function is told."""

    batch_size: int
    randomness: str


def _custom(function: Any, args: tuple[Any, ...]) -> Any:
    """The results of a custom function, of whose arguments one is a BatchedTensor.

    Errors: RuntimeError unless it says how it is computed for many calls.
    """
    own = function.vmap is not Function.vmap
    if own and function.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {function.__name__}, but it has both generate_vmap_rule=True and an overridden "
            "vmap staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod."
        )
    if function.generate_vmap_rule:
        found = _call_by_call(lambda given: _listed(function.apply(*given)), args)
        return found[0] if len(found) == 1 else tuple(found)
    if not own:
        raise RuntimeError(
            f"You tried to vmap over {function.__name__}, but it does not have vmap support. Please override and "
            "implement the vmap staticmethod or set generate_vmap_rule=True."
        )
    depth = depth_of(args)
    dims = tuple(0 if is_at(each, depth) else None for each in args)
    values = [each.__guardlift_whole__ if dim == 0 else each for each, dim in zip(args, dims, strict=True)]
    size = next(each.shape[0] for each, dim in zip(values, dims, strict=True) if dim == 0)
    results, axes = function.vmap(VmapInfo(size, "error"), dims, *values)
    if not isinstance(results, tuple):
        return _entered(results, axes, depth)
    placed = axes if isinstance(axes, tuple) else (axes,) * len(results)
    return tuple(_entered(each, axis, depth) for each, axis in zip(results, placed, strict=True))


def _listed(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def _entered(value: Any, axis: int | None, depth: int) -> Any:
    return value if axis is None else BatchedTensor(value.movedim(axis, 0), depth)


def _call_by_call(function: Any, values: tuple[Any, ...]) -> list[Any]:
    """The results of `function` for each call of the innermost `vmap`, one after the other, as tensors of all calls."""
    depth = depth_of(values)
    size = next(each.__guardlift_whole__.shape[0] for each in values if is_at(each, depth))
    rows = [
        function(tuple(each.__guardlift_whole__[place] if is_at(each, depth) else each for each in values))
        for place in range(size)
    ]
    return [None if each[0] is None else BatchedTensor(stack(list(each)), depth) for each in zip(*rows, strict=True)]


def depth_of(operands: tuple[Any, ...]) -> int:
    """The greatest depth among operands; 0 if none is a BatchedTensor."""
    return max((each._depth for each in operands if type(each) is BatchedTensor), default=0)


def is_at(value: Any, depth: int) -> bool:
    """Whether a value is a BatchedTensor of the `vmap` of that depth."""
    return type(value) is BatchedTensor and value._depth == depth


def _calls(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> tuple[int, Calls]:
    depth = depth_of(operands)
    batched = tuple(is_at(each, depth) for each in operands)
    values = tuple(each.__guardlift_whole__ if flag else each for each, flag in zip(operands, batched, strict=True))
    size = next(each.shape[0] for each, flag in zip(values, batched, strict=True) if flag)
    return depth, Calls(TENSORS, op, values, batched, size, attrs)


def _alone(rule: Any, *given: Any) -> Any:
    """The result of a rule. That an operand has no array, which led to it, is no news beside an error of its own."""
    try:
        return rule(*given)
    except Exception as error:
        raise error from None


def _apply(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """The result of `op`, of whose operands one is a BatchedTensor."""
    depth, calls = _calls(op, operands, attrs)
    found = batch(TENSORS, op, calls.operands, calls.batched, calls.size, attrs)
    if found is None:
        _tell_of_loop(op)
        found = one_by_one(TENSORS, op, calls.operands, calls.batched, calls.size, attrs)
    return BatchedTensor(found, depth)


def _tell_of_loop(op: OpDef) -> None:
    warnings.warn(
        f"There is a performance drop because we have not yet implemented the batching rule for {op.name}: it is "
        "computed for one call of vmap after the other.",
        stacklevel=2,
    )


def _apply_in_place(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    x = operands[0]
    depth, calls = _calls(op, operands, attrs)
    if not is_at(x, depth):
        raise _not_batched(op.name)
    if broadcasts(op):
        shape = broadcast_shapes(*(each.shape for each in operands if isinstance(each, Tensor)))
        check_covers(x.shape, shape)
        dispatch.apply_(op, *aligned(calls), **attrs)
        return x
    result = _apply(op, (x.clone(), *operands[1:]), attrs)  # a copy, which a derivative may read when `x` is written
    check_covers(x.shape, result.shape)
    return _assign(x, to_dtype(result, x.dtype))


def _assign(x: Any, value: Any) -> Any:
    """``x[...] = value`` where one of the two is a BatchedTensor."""
    depth = depth_of((x, value))
    if not is_at(x, depth):
        raise _not_batched("copy_")
    if isinstance(value, Tensor):
        check_covers(x.shape, broadcast_shapes(x.shape, value.shape))
    if is_at(value, depth):
        whole, missing = value.__guardlift_whole__, x.ndim - value.ndim
        value = whole.reshape(whole.shape[0], *(1,) * missing, *whole.shape[1:]) if missing else whole
    dispatch.assign_(x.__guardlift_whole__, value)
    return x


def _not_batched(name: str) -> RuntimeError:
    return RuntimeError(
        f"vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
        f"extra_args that has more elements than `self`. This happened due to `other` being vmapped over but `self` "
        f"not being vmapped over (in {name}). Use the operation that is not in place, or make `self` from a tensor "
        "that is mapped over: x.new_zeros(...), zeros_like(x)."
    )


__all__ = ["BatchedTensor", "depth_of", "is_at"]
