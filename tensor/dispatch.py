"""The funnel: every function of the surface goes through one of these, whatever computes behind it.

Over tensors an op runs at once, in NumPy, and is put on the tape where an operand requires grad. Operands of another
kind (the values of a trace) bring their own meaning: `apply` hands the op over to their class.
"""

# Note [What a surface function may do]
# The tracer runs the functions of the surface as they are, over its own values. So they read of an operand only
# `.shape`, `.dtype`, `.ndim`, `.requires_grad`, `.device` and `.is_leaf`, and otherwise call other functions of the
# surface and this module. Whether something is a tensor at all, they ask `is_tensor_like`; whether it is a number,
# `number_kind`. Those that cannot do without elements ask `values_of`, which ends a trace.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES, DeviceArray, kernels_for
from ..core.devices.host_or_device import beside
from ..core.dtypes import DType
from ..core.errors import DeviceError, NoArrayError
from ..ops.complex_forms import BY_NUMPY, PRODUCTS
from ..ops.complex_numbers import VIEW_AS_COMPLEX
from ..ops.movement import RESHAPE
from ..ops.narrow_casts import of_number
from ..ops.pointwise import CAST
from ..ops.registry import OpDef
from . import tape as _tape
from .ignored_errstate import IGNORING, ignoring_errstate, is_inside
from .kernels import KERNELS, as_view, find_kernel
from .narrow import is_narrow, kernel_of
from .refused_operands import check_covers, explained, wrapped_around, writable_array
from .shapes import broadcast_shapes
from .tensor import FLOAT_KINDS, Tensor
from .tracing import TRACING
from .writes import WRITES, announce

Array = np.ndarray[Any, Any]
_ndarray = np.ndarray
_no_array = np.dtype(object)
"""Stands for the dtype of a Python number among arrays."""


# What a value is.


def is_tensor_like(value: object) -> bool:
    """Whether `value` is a Tensor or stands for one."""
    return isinstance(value, Tensor) or hasattr(type(value), "__guardlift_apply__")


def number_kind(value: object) -> type | None:
    """`bool`, `int`, `float` or `complex` for a number or what stands for one; None for anything else."""
    kind = type(value)
    if kind is float or kind is int or kind is bool or kind is complex:
        return kind
    stands_for = getattr(kind, "__guardlift_number__", None)
    if stands_for is not None:
        return stands_for
    for base in (bool, int, float, complex):
        if isinstance(value, base):
            return base
    if isinstance(value, np.bool_):
        return bool
    if isinstance(value, np.integer):
        return int
    return float if isinstance(value, np.floating) else complex if isinstance(value, np.complexfloating) else None


def tensor_of(array: Array, like: Any) -> Tensor:
    """A tensor of what NumPy has computed of the values of `like`, on its device."""
    return Tensor._wrap(beside(array, like._array))


# Running ops.


def apply(op: OpDef, *operands: Any, **attrs: Any) -> Any:
    """The result of `op`: of tensors a tensor, recorded where one of them requires grad.

    operands: tensors, and Python numbers that are meant in the dtype of the tensors. Pointwise ops broadcast; movement
        ops give views wherever NumPy can.
    """
    arrays: list[Any] = []
    recorded = narrow = is_complex = False
    array: Any = None
    try:
        for operand in operands:
            if isinstance(operand, Tensor):
                array = operand._array
                arrays.append(array)
                if array.itemsize != 4:
                    if array.itemsize < 4:
                        narrow = narrow or array.dtype.kind in FLOAT_KINDS
                    elif array.dtype.kind == "c":
                        is_complex = True
                if operand._requires_grad or (operand._path is not None and operand._base._requires_grad):  # type: ignore[union-attr]
                    recorded = True
            elif isinstance(operand, (float, int)):
                arrays.append(operand)
            else:
                return _hand_over("__guardlift_apply__", op, operands, attrs)
    except NoArrayError:
        return _hand_over("__guardlift_apply__", op, operands, attrs)
    if is_complex and op.name not in BY_NUMPY and (recorded or not _is_plain_product(op, arrays)):
        return _of_parts(op, operands, attrs)
    kernel = KERNELS.get(op) or find_kernel(op)
    if kernel is as_view:
        return _view(op, operands[0], attrs)
    if narrow:
        kernel = kernel_of(op, kernel)
    elif type(array) is DeviceArray:
        kernels = array.memory.copies.kernels
        array = NotImplemented if kernels is None else kernels.operation(op, tuple(arrays), attrs)
        if array is not NotImplemented:
            result = Tensor._wrap(array)
            if recorded:
                _tape.tape.record(op, operands, attrs, result)
            return result
    try:
        array = IGNORING.run(kernel, *arrays, **attrs)
    except (RuntimeError, ValueError, OverflowError) as error:
        array = _after_error(error, op, kernel, operands, arrays, attrs)
    if type(array) is not _ndarray:
        array = _as_array(op, array, operands)
    result = Tensor._wrap(array)
    if recorded:
        _tape.tape.record(op, operands, attrs, result)
    return result


def _after_error(
    error: Exception,
    op: OpDef,
    kernel: Callable[..., Any],
    operands: tuple[Any, ...],
    arrays: list[Any],
    attrs: Mapping[str, Any],
) -> Any:
    """The kernel's result where an error only says that it has to be called in another way.

    Errors: any other one; ValueError in PyTorch's words.
    """
    if isinstance(error, OverflowError):
        return ignoring_errstate(kernel, *wrapped_around(arrays), **attrs)
    if isinstance(error, ValueError):
        raise explained(error, op, operands) from None
    if isinstance(error, RuntimeError) and is_inside(error):
        return kernel(*arrays, **attrs)
    raise error


def _of_parts(op: OpDef, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """The result of an op on complex tensors, which NumPy does not compute at once."""
    from .complex_operations import of_parts  # which applies ops

    return of_parts(op, operands, attrs)


def _is_plain_product(op: OpDef, arrays: Sequence[Any]) -> bool:
    """Whether NumPy's product is the one of parts: that of two complex arrays, none of which is a number."""
    return op.name in PRODUCTS and all(type(each) is _ndarray and each.dtype.kind == "c" for each in arrays)


def _as_array(op: OpDef, result: Any, operands: Sequence[Any]) -> Array:
    """A kernel's result as an array, where it is no ordinary array; one on a device stays as it is.

    Errors: those of `check_devices`; NotImplementedError for complex numbers on a device.
    """
    if type(result) is DeviceArray:
        check_devices(operands)
        _refuse_complex(op, result)
        return result  # type: ignore[return-value]
    return np.asarray(result)


def _refuse_complex(op: OpDef, result: DeviceArray) -> None:
    if result.dtype.kind == "c":
        raise NotImplementedError(
            f"complex tensors are on the CPU alone, and the result of {op.name} would lie on {result.device}; compute "
            "it there, of operands that .cpu() gives"
        )


def check_devices(operands: Iterable[Any], written: bool = False) -> None:
    """Errors: DeviceError for operands on several devices, but for those of the CPU without axes.

    written: the first one is.
    """
    found = [
        each for place, each in enumerate(operands) if is_tensor_like(each) and (each.ndim or (written and not place))
    ]
    others = [each.device for each in found if each.device != found[0].device]
    if others:
        raise DeviceError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{found[0].device} and {others[0]}!"
        )


def apply_(op: OpDef, x: Any, *operands: Any, **attrs: Any) -> Any:
    """`x` itself, after it became ``op(x, *operands)``.

    Errors: RuntimeError where the result does not have the shape of `x`, or `x` may not be written.
    """
    if not isinstance(x, Tensor):
        return _hand_over("__guardlift_apply_in_place__", op, (x, *operands), attrs)
    arrays: list[Any] = []
    try:
        target = x._array
        kind: Any = type(target)
        for operand in operands:
            if isinstance(operand, Tensor):
                array = operand._array
                if type(array) is not kind:
                    check_devices((x, *operands), written=True)
                arrays.append(array)
            elif isinstance(operand, (float, int)):
                arrays.append(operand)
            else:
                return _hand_over("__guardlift_apply_in_place__", op, (x, *operands), attrs)
    except NoArrayError:
        return _hand_over("__guardlift_apply_in_place__", op, (x, *operands), attrs)
    if op.name not in BY_NUMPY and any(getattr(each, "dtype", _no_array).kind == "c" for each in (target, *arrays)):
        result = _of_parts(op, (x, *operands), attrs)
        check_covers(target.shape, result.shape)
        return assign_(x, result)
    if not target.flags.writeable:
        target = writable_array(x)
    pending = _tape.tape.open_write(op, x, operands, attrs)
    counter = x._counter
    version = counter.value  # an error for an inference tensor, before anything is written
    kernel = KERNELS.get(op) or find_kernel(op)
    if any(isinstance(each, ARRAY_TYPES) and is_narrow(each) for each in (target, *arrays)):
        kernel = kernel_of(op, kernel)
    if WRITES.observers is not None:
        announce(x)
    try:
        if kind is DeviceArray and _written_by_kernel(op, target, arrays, attrs):
            pass
        elif isinstance(kernel, np.ufunc):
            ignoring_errstate(kernel, target, *arrays, out=target)
        else:
            result = ignoring_errstate(kernel, target, *arrays, **attrs)
            check_covers(target.shape, np.shape(result))
            target[...] = _fitting(result, x.dtype)
    except ValueError as error:
        raise explained(error, op, (x, *operands), written=True) from None
    except OverflowError:
        target[...] = ignoring_errstate(kernel, *wrapped_around([target, *arrays]), **attrs)
    counter.value = version + 1
    if pending is not None:
        _tape.tape.close_write(pending, x)
    return x


def _written_by_kernel(op: OpDef, target: Any, arrays: list[Any], attrs: Mapping[str, Any]) -> bool:
    """Whether a kernel has made an array on a device what the op gives of it and of others."""
    kernels = kernels_for((target,))
    return kernels is not None and kernels.in_place(op, target, (target, *arrays), attrs) is not NotImplemented


def assign_(x: Any, value: Any, repeats: bool = False) -> Any:
    """`x` itself, after all its elements became those of `value`, which broadcasts and is cast.

    value: a tensor or a Python number; of complex tensors the real part, where `x` is real.
    repeats: elements of `x` may share memory, as those of an expanded tensor do.
    Errors: RuntimeError for a complex number where `x` is real.
    """
    if not isinstance(x, Tensor) or not isinstance(value, (Tensor, float, int, complex)):
        return _assign_by_rule(x, value)
    try:
        target, _ = x._array, value._array if isinstance(value, Tensor) else None
    except NoArrayError as error:
        return _assign_by_rule(x, value, error)
    if isinstance(value, complex) and target.dtype.kind != "c":
        raise RuntimeError(f"value cannot be converted to type {x.dtype} without overflow: {value} is complex")
    if not target.flags.writeable:
        target = writable_array(x, repeats)
    pending = _tape.tape.open_assignment(x, value)
    counter = x._counter
    version = counter.value  # an error for an inference tensor, before anything is written
    if isinstance(value, Tensor):
        if value._array.shape != target.shape:
            check_covers(x.shape, broadcast_shapes(x.shape, value.shape))
        if WRITES.observers is not None:
            announce(x)
        ignoring_errstate(np.copyto, target, _fitting(value._array, x.dtype), casting="unsafe")
    else:
        if WRITES.observers is not None:
            announce(x)
        plain: Any = value
        ignoring_errstate(target.fill, of_number(plain, target.dtype) if is_narrow(target) else plain)
    counter.value = version + 1
    if pending is not None:
        _tape.tape.close_write(pending, x)
    return x


def _assign_by_rule(x: Any, value: Any, why: Exception | None = None) -> Any:
    """``x[...] = value`` by the rule of the first of the two that has one. Errors: `why`, or TypeError, if none has."""
    for operand in (x, value):
        rule = getattr(type(operand), "__guardlift_assign__", None)
        if rule is not None:
            return rule(x, value)
    raise why or TypeError(f"cannot assign a {type(value).__name__} to a {type(x).__name__}")


def _fitting(array: Array, dtype: DType) -> Array:
    """An array that NumPy copies to elements of `dtype` as a cast of `array` would; see Note [Half floats]."""
    if (dtype.is_narrow or is_narrow(array) or array.dtype.kind == "c") and array.dtype != dtype.numpy:
        return CAST.eager(array, dtype=dtype)
    return array


def create(op: OpDef, *, requires_grad: bool = False, **attrs: Any) -> Any:
    """The result of an op that takes no operands, as a leaf."""
    handler = TRACING.handler
    if handler is not None:
        return handler.create(op, attrs, requires_grad)
    result = Tensor._wrap(ignoring_errstate(op.eager, **attrs))
    return result.requires_grad_() if requires_grad else result


def _hand_over(rule_name: str, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """The result by the rule of the first operand that is no tensor and has one. Errors: TypeError if none has."""
    for operand in operands:
        rule = getattr(type(operand), rule_name, None)
        if rule is not None:
            return rule(op, operands, attrs)
    place, strange = next((k, each) for k, each in enumerate(operands) if not isinstance(each, (Tensor, float, int)))
    names = op.operands
    name = "input" if not place else names[place] if names and place < len(names) else "other"
    raise not_a_tensor(op.name, name, place + 1, strange)


def check_tensors(function: str, **arguments: Any) -> None:
    """Errors: TypeError for the first of the arguments, given in their order, that is no tensor."""
    for place, (name, value) in enumerate(arguments.items()):
        if not is_tensor_like(value):
            raise not_a_tensor(function, name, place + 1, value)


def not_a_tensor(function: str, argument: str, position: int, value: object) -> TypeError:
    """The error for an argument that is to be a tensor, and is something else."""
    advice = "; convert it with as_tensor()" if isinstance(value, (np.ndarray, list)) else ""
    return TypeError(
        f"{function}(): argument {argument!r} (position {position}) must be Tensor, not {named_type(value)}{advice}"
    )


def named_type(value: object) -> str:
    """The type of a value, with the module that has it unless it is built in."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


# Views.


def _view(op: OpDef, x: Tensor, attrs: Mapping[str, Any]) -> Tensor:
    """A movement op, or another one that gives a view: one of `x` where NumPy can make it, else a fresh tensor."""
    source = x._array
    array: Any = op.eager(source, **attrs)
    if op is VIEW_AS_COMPLEX and type(array) is DeviceArray:
        _refuse_complex(op, array)
    may_copy = op is RESHAPE or op is VIEW_AS_COMPLEX
    if not may_copy or source.flags.c_contiguous or np.may_share_memory(array, source):
        result = Tensor._wrap(array, x._counter)
        result._storage = x._storage
        _tape.tape.record_view(op, x, attrs, result)
        return result
    result = Tensor._wrap(array)
    if x.requires_grad:
        _tape.tape.record(op, (x,), attrs, result)
    return result
