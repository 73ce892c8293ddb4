"""`backward` and `grad`: from tensors to a run of the engine, with PyTorch's checks and messages."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..tensor.joining import stack
from ..tensor.promotion import to_dtype
from ..tensor.tensor import Tensor
from .edges import GradientEdge, edges_of
from .engine import run_backward
from .history import keep_retaining
from .node import Edge

_warned = False
_ONES: dict[np.dtype[Any], np.ndarray[Any, Any]] = {}
"""The gradient of a scalar result by itself, by dtype."""


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Adds to the `.grad` of leaves the gradient of `tensors`, each weighted by its entry of `grad_tensors`.

    inputs: only these get a gradient; other tensors than leaves among them too.
    Errors: RuntimeError for a tensor without history, or without a gradient where it has more than one element.
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        grad_tensors = grad_variables if grad_tensors is None else grad_tensors
    roots, gradients = _starts(_listed(tensors), grad_tensors)
    edges: tuple[Edge, ...] = ()
    if inputs is not None:
        wanted = _listed(inputs)
        if not wanted:
            raise RuntimeError("'inputs' argument to 'backward' cannot be empty.")
        edges = _wanted_edges(wanted)
        for each in wanted:
            if isinstance(each, Tensor) and not each.is_leaf:
                keep_retaining(each)
    if create_graph:
        warn_of_cycle()
    keep = create_graph if retain_graph is None else retain_graph
    run_backward(roots, gradients, keep=keep, create_graph=create_graph, wanted=edges)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs`, each weighted by its entry of `grad_outputs`, with respect to `inputs`.

    allow_unused: None instead of an error for an input that the outputs do not depend on.
    materialize_grads: zeros instead of None for such an input.
    only_inputs: whether nothing else gets a gradient, which is always so; False gives a warning.
    is_grads_batched: the gradients come with an axis in front, for as many passes.
    """
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    if is_grads_batched:
        return _batched(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads)
    if allow_unused is None:
        allow_unused = materialize_grads
    elif materialize_grads and not allow_unused:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True")
    roots, gradients = _starts(_listed(outputs), grad_outputs)
    wanted = _listed(inputs)
    if not wanted:
        raise ValueError("grad requires non-empty inputs.")
    edges = _wanted_edges(wanted)
    keep = create_graph if retain_graph is None else retain_graph
    found = run_backward(roots, gradients, keep=keep, create_graph=create_graph, wanted=edges, capture=True)
    for place, each in enumerate(found):
        if each is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior."
            )
        if each is None and materialize_grads:
            found[place] = Tensor._wrap(np.zeros_like(wanted[place]._array))
        elif each is not None and isinstance(wanted[place], Tensor) and each.device != wanted[place].device:
            found[place] = each.to(wanted[place].device)
    return tuple(found)


def _batched(
    outputs: Any, inputs: Any, grad_outputs: Any, retain: bool | None, create_graph: bool, *unused: Any
) -> tuple[Tensor | None, ...]:
    """The gradients of a pass for each entry of the first axis of `grad_outputs`, stacked."""
    given = _listed(grad_outputs)
    count = given[0].shape[0]
    found = []
    for k in range(count):
        keep = True if k + 1 < count else retain
        parts = [None if each is None else each[k] for each in given]
        found.append(grad(outputs, inputs, parts, keep, create_graph, True, unused[0], False, unused[1]))
    return tuple(None if each[0] is None else stack(each) for each in zip(*found))


def _listed(values: Any) -> tuple[Any, ...]:
    return (values,) if isinstance(values, (Tensor, GradientEdge)) else tuple(values)


def _starts(outputs: tuple[Any, ...], given: Any) -> tuple[tuple[Edge, ...], list[Any]]:
    """The edges to start from, and the gradient to start with, which may be raw, for each output."""
    if given is None:
        given = (None,) * len(outputs)
    elif not isinstance(given, (tuple, list)):
        given = (given,)
    if len(given) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    edges = edges_of(outputs)
    for place, (node, _) in enumerate(edges):
        if node is None:
            raise RuntimeError(f"element {place} of tensors does not require grad and does not have a grad_fn")
    if len(outputs) == 1:
        return edges, [_root_gradient(outputs[0], given[0], 0)]
    return edges, [_root_gradient(*pair, place) for place, pair in enumerate(zip(outputs, given))]


def _root_gradient(output: Any, gradient: Any, place: int) -> Any:
    if type(gradient) is Tensor is type(output):
        given, wanted = gradient._array, output._array
        if given.dtype is wanted.dtype and given.shape == wanted.shape and type(given) is type(wanted):
            return gradient  # the usual case, found soon
    if gradient is None:
        if not isinstance(output, Tensor):
            raise RuntimeError("a gradient edge as output takes a gradient: give grad_outputs")
        if output._array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        array = output._array
        if array.dtype.kind == "c":
            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {output.dtype}; give a gradient, "
                "or take the real part"
            )
        if type(array) is not np.ndarray:
            return Tensor._wrap(np.ones_like(array))
        one = _ONES.get(array.dtype)
        if one is None:
            one = _ONES[array.dtype] = np.array(1, array.dtype)
            one.flags.writeable = False  # so that whoever is to see it sees a copy
        if array.shape:
            one = one.reshape(array.shape)
        return one
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if isinstance(output, Tensor):
        if gradient.shape != output.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{place}] has a shape of {list(gradient.shape)} and output[{place}] "
                f"has a shape of {list(output.shape)}."
            )
        if gradient.device != output.device:
            raise RuntimeError(f"grad_output[{place}] is on {gradient.device}, and output[{place}] on {output.device}")
        if gradient.dtype is not output.dtype:
            return to_dtype(gradient, output.dtype)
    return gradient


def _wanted_edges(values: tuple[Any, ...]) -> tuple[Edge, ...]:
    edges = edges_of(values)
    for place, (node, _) in enumerate(edges):
        if node is None:
            raise RuntimeError(f"One of the differentiated Tensors does not require grad (the one at index {place})")
    return edges


def warn_of_cycle() -> None:
    """Says once in a process that a leaf and its gradient now hold each other."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
            "gradient which can cause a memory leak. Use autograd.grad when creating the graph to avoid this, or reset "
            "the .grad fields of your parameters to None after use to break the cycle.",
            stacklevel=4,
        )
