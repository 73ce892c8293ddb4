"""Transforms that differentiate backward: gradients of functions, and products with Jacobians from the left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.modes import enable_grad, is_grad_enabled
from ..tensor.creation import ones_like
from ..tensor.dispatch import is_tensor_like, named_type
from .arguments import Argnums, chosen, with_aux, with_chosen
from .differentiate import done_with, entering, gradients, lead_outside, leaving
from .trees import flattened, mapped, same_form, unflattened

Function = Callable[..., Any]


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that gives the gradient of `func`, whose result is a tensor without axes.

    argnums: the positional argument that it is differentiated by, or a tuple of several; each may be a tree (nested
        tuples, lists and dicts) of tensors of floats, and the gradient has its form.
    has_aux: `func` gives a pair; its second part is given out as well, behind the gradient.
    Errors: RuntimeError where `func` gives anything else, or an argument has no such number; ValueError for an
        argument that is no tensor.
    """

    def gradient(*args: Any, **kwargs: Any) -> Any:
        slopes, _, aux = _slopes(func, argnums, has_aux, args, kwargs)
        return (slopes, aux) if has_aux else slopes

    return named(gradient, func)


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that gives the gradient of `func` and what `func` gives.

    argnums, has_aux, errors: as of `grad`; the value is then the pair that `func` gives.
    """

    def gradient_and_value(*args: Any, **kwargs: Any) -> Any:
        slopes, value, aux = _slopes(func, argnums, has_aux, args, kwargs)
        return (slopes, (value, aux)) if has_aux else (slopes, value)

    return named(gradient_and_value, func)


def named(transformed: Function, func: Function) -> Function:
    """`transformed` under the name of `func`."""
    transformed.__name__ = transformed.__qualname__ = getattr(func, "__name__", type(func).__name__)
    return transformed


def _slopes(
    func: Function, argnums: Argnums, has_aux: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any, Any]:
    """The gradient, the value, and the rest of what `func` gave."""
    caller = "grad_and_value(f)(*args)"
    with enable_grad():
        inner = mapped(entering, chosen(args, argnums))
        found = func(*with_chosen(args, argnums, inner), **kwargs)
        value, aux = with_aux(found, caller) if has_aux else (found, None)
        if not is_tensor_like(value):
            raise RuntimeError(f"{caller}: Expected f(*args) to return a Tensor, got {named_type(value)}")
        if value.ndim:
            raise RuntimeError(
                f"{caller}: Expected f(*args) to return a scalar Tensor, got tensor with {value.ndim} dims. Maybe you "
                "wanted to use the vjp or jacrev APIs instead?"
            )
        own = flattened(inner)
        slopes = gradients([value], own, [ones_like(value)], lead_outside([value], own))
        rest = flattened(aux) if has_aux else []
        check_aux(rest)
        out = leaving([value, *slopes, *rest], own)
        done_with(own)
        count = 1 + len(slopes)
        return (
            unflattened(inner, out[1:count]),
            out[0],
            unflattened(aux, out[count:]) if has_aux else None,
        )


def check_aux(leaves: list[Any]) -> None:
    """Errors: RuntimeError for a leaf of what a function gives beside its output that is no tensor."""
    for leaf in leaves:
        if not is_tensor_like(leaf):
            raise RuntimeError(f"Expected tensors, got unsupported type {named_type(leaf)}")


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """The output of `func` at `primals`, and a function that gives products with its Jacobian there from the left.

    primals: trees of tensors of floats. The output of `func` is a tree of tensors of floats; the second function takes
        a tree of its form, and gives a tuple with a tree for each of the primals.
    has_aux: `func` gives a pair; its second part, tensors that are not differentiated, comes third.
    Errors: ValueError for primals that are no tensors, RuntimeError for outputs that are none, or no floats; where the
        function is called with a tree of another form.
    """
    with enable_grad():
        inner = mapped(entering, chosen(primals, tuple(range(len(primals)))))
        found = func(*inner)
        output, aux = with_aux(found, "vjp(f, *primals)") if has_aux else (found, None)
        own, outputs = flattened(inner), flattened(output)
        check_outputs(outputs, "vjp(f, *primals)")
        for each in outputs:
            if not each.dtype.is_differentiable:
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                    f"{each.dtype}"
                )
        rest = flattened(aux) if has_aux else []
        check_aux(rest)
        given = leaving([*outputs, *rest], own)
        further = lead_outside(outputs, own)
        done_with(own)

    def product(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        """`cotangents`, a tree of the form of the output, times the Jacobian: a tree for each of the primals."""
        if not same_form(output, cotangents):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function."
                f" cotangents: {form_of(cotangents)}, primal output: {form_of(output)}"
            )
        weights = flattened(cotangents)
        for each, like in zip(weights, outputs):
            check_cotangent(each, like)
        wanted = is_grad_enabled() if create_graph is None else create_graph
        with enable_grad():
            record = wanted and (further or any(each.requires_grad for each in weights))
            return unflattened(inner, leaving(gradients(outputs, own, weights, record), own))

    results = (unflattened(output, given[: len(outputs)]), product)
    return (*results, unflattened(aux, given[len(outputs) :])) if has_aux else results


def check_outputs(outputs: list[Any], caller: str) -> None:
    """Errors: RuntimeError for an output that is no tensor."""
    for each in outputs:
        if not is_tensor_like(each):
            raise RuntimeError(
                f"{caller}: expected f(*primals) to return only tensors, got unsupported type {named_type(each)}"
            )


def check_cotangent(cotangent: Any, output: Any) -> None:
    """Errors: TypeError for a cotangent that is no tensor, RuntimeError for one of another shape than its output."""
    if not is_tensor_like(cotangent):
        raise TypeError(f"gradients can be either Tensors or None, but got {named_type(cotangent)}")
    if tuple(cotangent.shape) != tuple(output.shape):
        raise RuntimeError(
            f"Mismatch in shape: a cotangent has a shape of {list(cotangent.shape)} and its output has a shape of "
            f"{list(output.shape)}; give one in the shape of the output."
        )


def form_of(tree: Any) -> str:
    """The form of a tree in words, with a star for each leaf."""
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{name!r}: {form_of(each)}" for name, each in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(form_of, tree)) + "]"
    if isinstance(tree, tuple):
        return "(" + ", ".join(map(form_of, tree)) + ")"
    return "*"
