"""Transforms that carry derivatives forward: products with Jacobians from the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.modes import enable_grad
from ..tensor.creation import zeros_like
from ..tensor.dispatch import is_tensor_like, named_type
from .arguments import with_aux
from .differentiate import begin_tangents, done_with, end_tangents, entering, lead_outside, leaving, tangents_of
from .gradients import check_aux, check_outputs, form_of
from .trees import flattened, mapped, same_form, unflattened

Function = Callable[..., Any]


def jvp(func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """The output of `func` at `primals`, and its derivative there along `tangents`, a tree of the same form.

    primals, tangents: tuples of trees of tensors of floats, of the same form and shapes.
    strict: an output that does not depend on the primals is an error; else its derivative is zeros.
    has_aux: `func` gives a pair; its second part, tensors that are not differentiated, comes third.
    Errors: RuntimeError for what is no tuple, for trees of two forms, for outputs that are no tensors; where `func`
        turns grad mode off, through which derivatives are not carried here: use detach() to stop them.
    """
    caller = "jvp(f, primals, tangents)"
    _check_primals(primals, tangents, caller)
    with enable_grad():
        inner = mapped(entering, primals)
        begin_tangents()
        try:
            found = func(*inner)
        finally:
            end_tangents()
        output, aux = with_aux(found, caller) if has_aux else (found, None)
        outputs, own = flattened(output), flattened(inner)
        check_outputs(outputs, caller)
        rest = flattened(aux) if has_aux else []
        check_aux(rest)
        along = [way.to(each.dtype) for way, each in zip(flattened(tangents), own)]
        record = lead_outside(outputs, own) or any(each.requires_grad for each in along)
        slopes = tangents_of(outputs, own, along, record)
        if strict and any(each is None for each in slopes):
            raise RuntimeError(
                f"{caller[:-1]}, strict=True): The output of f is independent of the inputs. This is not allowed with "
                "strict=True."
            )
        filled = [zeros_like(each) if slope is None else slope for each, slope in zip(outputs, slopes)]
        given = leaving([*outputs, *filled, *rest], own)
        done_with(own)
    count = len(outputs)
    results = (unflattened(output, given[:count]), unflattened(output, given[count : 2 * count]))
    return (*results, unflattened(aux, given[2 * count :])) if has_aux else results


def _check_primals(primals: Any, tangents: Any, caller: str) -> None:
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{caller}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals). Got "
            f"{named_type(primals)}"
        )
    if not same_form(primals, tangents):
        raise RuntimeError(
            f"{caller}: Expected primals and tangents to have the same python structure. For example, if primals is a "
            f"tuple of 3 tensors, tangents also must be. Got primals with structure {form_of(primals)} and tangents "
            f"with structure {form_of(tangents)}"
        )
    for primal, tangent in zip(flattened(primals), flattened(tangents)):
        for each in (primal, tangent):
            if not is_tensor_like(each):
                raise ValueError(f"Thing passed to transform API must be Tensor, got {named_type(each)}")
        if tuple(primal.shape) != tuple(tangent.shape):
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is "
                f"not supported. Tensor is of size {list(primal.shape)} while the given forward gradient is of size "
                f"{list(tangent.shape)}."
            )


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """The output of `func` at `primals`, and a function that gives its derivative there along tangents.

    The second function can be called for many tangents, each a tree of the form of its primal: `func` is computed once.
    Errors: those of `jvp`.
    """
    output, derivative, _ = linearized(func, primals, False, "linearize(f, *primals)")
    return output, derivative


def linearized(func: Function, primals: tuple[Any, ...], has_aux: bool, caller: str) -> tuple[Any, Function, Any]:
    """The output of `func`, the function that gives its derivative, and the rest of what `func` gave."""
    with enable_grad():
        inner = mapped(entering, primals)
        begin_tangents()
        try:
            found = func(*inner)
        finally:
            end_tangents()
        output, aux = with_aux(found, caller) if has_aux else (found, None)
        outputs, own = flattened(output), flattened(inner)
        check_outputs(outputs, caller)
        rest = flattened(aux) if has_aux else []
        check_aux(rest)
        further = lead_outside(outputs, own)
        given = leaving([*outputs, *rest], own)
        done_with(own)

    def derivative(*tangents: Any) -> Any:
        """The derivative along `tangents`, a tree of the form of the output."""
        _check_primals(primals, tangents, f"{caller}(*tangents)")
        with enable_grad():
            along = [way.to(each.dtype) for way, each in zip(flattened(tangents), own)]
            slopes = tangents_of(outputs, own, along, further or any(each.requires_grad for each in along))
            filled = [zeros_like(each) if slope is None else slope for each, slope in zip(outputs, slopes)]
            return unflattened(output, leaving(filled, own))

    count = len(outputs)
    return unflattened(output, given[:count]), derivative, unflattened(aux, given[count:]) if has_aux else None
