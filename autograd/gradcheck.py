"""`gradcheck` and `gradgradcheck`: whether backward gives what differences of a function's values give."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..core.dtypes import float64
from ..core.records import dataclass
from ..tensor.creation import zeros_like
from ..tensor.dispatch import tensor_of
from ..tensor.tensor import Array, Tensor
from .differentiate import grad
from .edges import edge_of
from .engine import run_backward
from .gradcheck_parts import in_parts, real_form
from .jacobians import (
    analytical_jacobians,
    analytical_slopes,
    gradients_of,
    numerical_jacobians,
    numerical_slopes,
)

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

SEED = 0
"""The seed of the directions and cotangents that are drawn: a check that failed fails again."""


class GradcheckError(RuntimeError):
    """A derivative is not what differences of values give, or backward breaks one of its promises."""


@dataclass(frozen=True, slots=True)
class _Check:
    """One call of `gradcheck`: the function, its inputs and how far off a derivative may be."""

    func: Callable[..., Any]
    inputs: tuple[Any, ...]
    eps: float
    atol: float
    rtol: float
    nondet_tol: float

    @property
    def checked(self) -> list[tuple[int, Tensor]]:
        """The inputs that require grad, with their places."""
        return [
            (place, each) for place, each in enumerate(self.inputs) if isinstance(each, Tensor) and each.requires_grad
        ]

    @property
    def leading(self) -> list[Tensor]:
        """The inputs that require grad."""
        return [each for _, each in self.checked]

    def numbered(self) -> list[tuple[int, Tensor]]:
        """The outputs that are floats, with their numbers. Errors: TypeError for an output that is no Tensor."""
        outputs = enumerate(_listed(self.func(*self.inputs), "the function returns"))
        return [(number, each) for number, each in outputs if each.is_floating_point()]

    def floats(self) -> list[Tensor]:
        """The outputs that are floats, whether they have a history or not."""
        return [each for _, each in self.numbered()]

    def agree(self, found: Any, expected: Any) -> bool:
        """Whether two arrays are as close as this check wants them."""
        return bool(np.allclose(found, expected, rtol=self.rtol, atol=self.atol))


@dataclass(frozen=True, slots=True)
class _Output:
    """One output that is a float: its number among all of them and among the floats."""

    number: int
    column: int
    value: Tensor


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    fast_mode: bool = False,
) -> bool:
    """Whether the gradients of `func` at `inputs` are what central differences give; by default it raises if not.

    inputs: a tensor or a sequence of anything; those tensors that require grad are checked, and have their values back
        afterwards.   eps: the step of the differences.   atol, rtol: how far off a derivative may be.
    nondet_tol: by how much two backward passes may differ.   check_undefined_grad: backward is also called without
        gradients.   check_grad_dtypes: gradients must have their input's dtype.
    fast_mode: only along one drawn direction, which costs a few calls whatever the sizes.
    Complex numbers are checked as pairs of real ones.
    Errors: GradcheckError, which names output and input and shows both derivatives; ValueError where no input requires
        grad; RuntimeError for an input whose elements share memory.
    """
    check = _Check(*in_parts(func, _inputs_of(inputs)), eps, atol, rtol, nondet_tol)
    _check_inputs(check)
    try:
        _run(check, fast_mode, check_undefined_grad, check_grad_dtypes)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    fast_mode: bool = False,
) -> bool:
    """Whether the second derivatives of `func` are right: `gradcheck` of its gradients, by `inputs` and `grad_outputs`.

    grad_outputs: the weights of the outputs that have a history; drawn where left out, and not contiguous if
        `gen_non_contig_grad_outputs`. The other arguments and errors are those of `gradcheck`.
    """
    func, given = in_parts(func, _inputs_of(inputs))
    if isinstance(grad_outputs, (tuple, list)):
        grad_outputs = [real_form(each) for each in grad_outputs]
    weights = _weights(_outputs_of(func, given), grad_outputs, gen_non_contig_grad_outputs)
    return gradcheck(
        _slopes_of(func, len(given)),
        (*given, *weights),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        fast_mode=fast_mode,
    )


# What is checked, and whether it can be.


def _inputs_of(inputs: Any) -> tuple[Any, ...]:
    return (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)


def _listed(values: Any, where: str) -> list[Tensor]:
    """The tensors in `values`. Errors: TypeError for anything else."""
    found = list(values) if isinstance(values, (tuple, list)) else [values]
    for place, each in enumerate(found):
        if not isinstance(each, Tensor):
            raise TypeError(f"gradcheck: {where} tensors, but number {place} has type {type(each).__name__}")
    return found


def _outputs_of(func: Callable[..., Any], values: Sequence[Any]) -> list[Tensor]:
    """The outputs that have a history."""
    return [each for each in _listed(func(*values), "the function returns") if each.requires_grad]


def _slopes_of(func: Callable[..., Any], count: int) -> Callable[..., tuple[Tensor, ...]]:
    """The function of the `count` inputs of `func`, and of weights of its outputs, that gives the gradients."""

    def slopes(*arguments: Any) -> tuple[Tensor, ...]:
        values, weights = arguments[:count], arguments[count:]
        outputs = _outputs_of(func, values)
        leading = [each for each in values if isinstance(each, Tensor) and each.requires_grad]
        found = grad(outputs, leading, weights, create_graph=True, allow_unused=True) if outputs else ()
        return tuple(each for each in found if each is not None)

    return slopes


def _weights(outputs: list[Tensor], given: Any, scattered: bool) -> list[Tensor]:
    """The weights `given` for `outputs`, or drawn ones. Errors: ValueError unless there is one for each."""
    weights = _drawn(outputs, scattered) if given is None else _listed(given, "grad_outputs are")
    if len(weights) != len(outputs):
        raise ValueError(
            f"grad_outputs has {len(weights)} tensors; give one for each output that requires grad, which are "
            f"{len(outputs)}"
        )
    return weights


def _drawn(outputs: Sequence[Tensor], scattered: bool) -> list[Tensor]:
    """Weights for `outputs`, which require grad; with gaps between their elements if `scattered`."""
    generator = np.random.default_rng(SEED)
    found = []
    for output in outputs:
        shape = (*output.shape, 2) if scattered else output.shape
        array = generator.standard_normal(shape).astype(output._array.dtype)
        found.append(tensor_of(array[..., 0] if scattered else np.asarray(array), output).requires_grad_())
    return found


def _check_inputs(check: _Check) -> None:
    """Errors: ValueError, RuntimeError for inputs that cannot be checked. Warns of floats that are too short."""
    if not check.checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for place, each in check.checked:
        if each.dtype is not float64:
            warnings.warn(
                f"Input #{place} requires gradient and is not a double precision floating point but {each.dtype}; "
                "differences of its values are so rough that the check will likely fail. Use float64.",
                stacklevel=3,
            )
        array = each._array
        if array.size and any(step == 0 and size > 1 for step, size in zip(array.strides, array.shape)):
            raise RuntimeError(
                f"Input #{place} has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping: an element could not be moved alone. Call .contiguous() on it before."
            )
        if not array.flags.writeable:
            raise RuntimeError(f"Input #{place} is over read-only memory, so its elements cannot be moved; clone() it")


def _run(check: _Check, fast: bool, undefined: bool, dtypes: bool) -> None:
    """Every check in turn. Errors: GradcheckError by the first that fails."""
    found = [_Output(number, column, each) for column, (number, each) in enumerate(check.numbered())]
    leading = [each for each in found if each.value.requires_grad]
    if not leading:
        _check_constant(check, found)
        return
    compare = _compare_slopes if fast else _compare_jacobians
    compare(check, leading)
    outputs = [each.value for each in leading]
    _check_zero(check, outputs, dtypes)
    if undefined:
        _check_undefined(check, outputs)


def _check_constant(check: _Check, outputs: list[_Output]) -> None:
    """Check that outputs without a history do not change."""
    for place, value in check.checked:
        for output, slope in zip(outputs, numerical_jacobians(check.floats, value, check.eps)):
            if not check.agree(slope, 0.0):
                raise GradcheckError(
                    f"Output {output.number} has no history, so its numerical gradient with respect to input {place} "
                    f"was expected to be zero, but it is\n{slope}"
                )


# Derivatives against differences.


def _compare_jacobians(check: _Check, outputs: list[_Output]) -> None:
    by_input = [numerical_jacobians(check.floats, value, check.eps) for value in check.leading]
    for output in outputs:
        first = analytical_jacobians(output.value, check.leading)
        _check_reentrant(check, output.number, first, analytical_jacobians(output.value, check.leading))
        for (place, _), jacobians, analytical in zip(check.checked, by_input, first):
            numerical = jacobians[output.column]
            if not check.agree(analytical, numerical):
                raise GradcheckError(_report(output.number, place, numerical, analytical))


def _compare_slopes(check: _Check, outputs: list[_Output]) -> None:
    """Compares derivatives with differences along one direction of each input, by one cotangent for each output."""
    generator = np.random.default_rng(SEED)
    directions = [np.asarray(_unit(generator, each.numel())).reshape(each.shape) for each in check.leading]
    by_input = [
        numerical_slopes(check.floats, value, direction, check.eps)
        for value, direction in zip(check.leading, directions)
    ]
    for output in outputs:
        cotangent = _unit(generator, output.value.numel())
        first = analytical_slopes(output.value, check.leading, cotangent)
        again = analytical_slopes(output.value, check.leading, cotangent)
        _check_reentrant(check, output.number, first, again)
        for (place, value), direction, slopes, gradient in zip(check.checked, directions, by_input, first):
            numerical = float(slopes[output.column] @ cotangent)
            analytical = float(gradient @ direction.reshape(-1))
            # A sum of n elements may be off by sqrt(n) times as much as each of them.
            allowed = check.atol * max(1, value.numel() * output.value.numel()) ** 0.5 + check.rtol * abs(numerical)
            if not abs(analytical - numerical) <= allowed:
                raise GradcheckError(_whole_report(check, output, place, value, numerical, analytical))


def _whole_report(
    check: _Check, output: _Output, place: int, value: Tensor, numerical: float, analytical: float
) -> str:
    """The message about slopes that differ, with the matrices too, which are computed for it."""
    jacobian = numerical_jacobians(check.floats, value, check.eps)[output.column]
    return f"Along a drawn direction the numerical slope is {numerical}, the analytical one {analytical}.\n" + _report(
        output.number, place, jacobian, analytical_jacobians(output.value, [value])[0]
    )


def _unit(generator: np.random.Generator, size: int) -> Array:
    """A vector of length 1 in a drawn direction."""
    drawn = generator.standard_normal(size)
    return np.asarray(drawn / max(float(np.linalg.norm(drawn)), 1e-300))


def _report(number: int, place: int, numerical: Array, analytical: Array) -> str:
    worst = float(np.max(np.abs(numerical - analytical), initial=0.0))
    return (
        f"Jacobian mismatch for output {number} with respect to input {place}: they differ by up to {worst:.6g}. Rows "
        f"are elements of the input, columns those of the output.\nnumerical:\n{numerical}\nanalytical:\n{analytical}"
    )


def _check_reentrant(check: _Check, number: int, first: list[Array], second: list[Array]) -> None:
    """Two backward passes over one graph must give the same."""
    for (place, _), one, other in zip(check.checked, first, second):
        if not np.allclose(one, other, rtol=0.0, atol=check.nondet_tol, equal_nan=True):
            apart = float(np.max(np.abs(one - other)))
            raise GradcheckError(
                f"Backward is not reentrant: run twice for output {number}, it gave gradients with respect to input "
                f"{place} that differ by {apart:.6g}, and nondet_tol is {check.nondet_tol}"
            )


# What backward owes besides.


def _check_zero(check: _Check, outputs: list[Tensor], dtypes: bool) -> None:
    """Zero gradients must give zeros, in the shape of each input and, if so told, in its dtype."""
    found = gradients_of(outputs, check.leading, [np.zeros(each.shape) for each in outputs])
    for (place, value), gradient in zip(check.checked, found):
        if gradient is None:
            continue
        if gradient.shape != value.shape:
            raise GradcheckError(f"the gradient of input {place} has shape {gradient.shape}, the input {value.shape}")
        if dtypes and gradient.dtype is not value.dtype:
            raise GradcheckError(f"the gradient of input {place} has dtype {gradient.dtype}, the input {value.dtype}")
        if gradient._array.any():
            raise GradcheckError(
                f"backward not multiplied by grad_output: zero gradients of the outputs gave input {place} the "
                f"gradient\n{gradient._array}"
            )


def _check_undefined(check: _Check, outputs: list[Tensor]) -> None:
    """Backward must take None for the gradients of some or all outputs, and make nothing or zeros of it."""
    edges = [edge_of(each) for each in outputs]
    wanted = [edge_of(each) for each in check.leading]
    for starts in _with_none(outputs):
        try:
            found = run_backward(edges, starts, keep=True, create_graph=False, wanted=wanted, capture=True)
        except Exception as error:
            raise GradcheckError(
                "Expected backward function to handle undefined output grads: given None for the gradient of an "
                f"output, it raised {type(error).__name__}: {error}"
            ) from error
        if any(each is not None and each._array.any() for each in found):
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero."
            )


def _with_none(outputs: list[Tensor]) -> Iterator[list[Any]]:
    """Gradients of the outputs: None for all of them, then for each one beside zeros."""
    yield [None] * len(outputs)
    if len(outputs) > 1:
        zeros = [zeros_like(each) for each in outputs]
        for place in range(len(outputs)):
            yield [*zeros[:place], None, *zeros[place + 1 :]]
