"""Backward hooks of modules: called with the gradients of a module's results, and with those of its arguments."""

# Note [Where a module's backward hooks sit]
# The results of a module with such hooks, and the arguments it is given, go through an identity on the tape. The
# backward of the identity at the results is the first of the module's to run, that at the arguments the last. Hooks
# are those that the module had when it was called. Where no argument requires grad there is no identity at the
# arguments, and the hooks are called as soon as the gradients of the results are there.

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..autograd.function import Function
from ..autograd.modes import is_grad_enabled
from ..tensor import Tensor
from ..tensor.creation import zeros
from .errors import BackwardHookError

if TYPE_CHECKING:
    from .hooks import ModuleHooks
    from .module import Module

Gradients = tuple[Any, ...]


class _HookIdentity(Function):
    """The arguments or results of a call as they are."""

    @staticmethod
    def forward(ctx: Any, arrived: Callable[[Gradients], Gradients], *tensors: Tensor) -> tuple[Tensor, ...]:
        """The tensors."""
        ctx.arrived = arrived
        ctx.set_materialize_grads(False)
        return tensors

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Gradients:
        """None for `arrived`, then the gradients that it makes of those of the tensors."""
        return (None, *ctx.arrived(gradients))


class CallWithBackwardHooks:
    """One call of a module that has backward hooks: where its tensors stood, and the gradients on their way."""

    __slots__ = (
        "argument_places",
        "arguments",
        "gradients",
        "hooks",
        "module",
        "pre_hooks",
        "result_places",
        "results",
    )

    def __init__(self, module: Module, hooks: ModuleHooks) -> None:
        self.module = module
        self.pre_hooks = [hook for hook, _ in hooks.backward_before.values()]
        self.hooks = [hook for hook, _ in hooks.backward.values()]
        self.argument_places: list[int] = []
        self.result_places: list[int] = []
        self.arguments: list[tuple[Any, ...] | None] = []
        self.results: list[tuple[Any, ...] | None] = []
        self.gradients: Gradients | None = None
        """The gradients of the results, while the backward pass is inside the module."""

    def of_arguments(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The positional arguments of the call, their tensors through the identity."""
        self.arguments = [_like(each) for each in args]
        self.argument_places, args = _through(self.arrived_at_arguments, args)
        return args

    def of_result(self, result: Any) -> Any:
        """The result of the call, its tensors through the identity."""
        if not isinstance(result, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(result)}",
                stacklevel=4,
            )
            return result
        results = result if isinstance(result, tuple) else (result,)
        self.results = [_like(each) for each in results]
        self.result_places, results = _through(self.arrived_at_results, results)
        return results if isinstance(result, tuple) else results[0]

    def arrived_at_results(self, given: Gradients) -> Gradients:
        """The gradients of the results that the module goes on with."""
        size = len(self.results)
        self.gradients = _spread(self.result_places, given, (None,) * size)
        for hook in self.pre_hooks:
            answer = hook(self.module, self.gradients)
            if answer is not None:
                self.gradients = _answered("Backward pre hook", "grad_output", answer, size)
        gradients = self.gradients
        if not self.argument_places:
            self._call_at_once()
        given = tuple(gradients[place] for place in self.result_places)
        return tuple(
            _zeros(self.results[place]) if each is None else each for place, each in zip(self.result_places, given)
        )

    def _call_at_once(self) -> None:
        if self.hooks:
            warnings.warn(
                "Full backward hook is firing when gradients are computed with respect to module outputs since no "
                "inputs require gradients.",
                stacklevel=2,
            )
        nothing = (None,) * len(self.arguments)
        for hook in self.hooks:
            answer = hook(self.module, nothing, self.gradients)
            if answer is not None and not (isinstance(answer, tuple) and all(each is None for each in answer)):
                raise BackwardHookError(
                    "Backward hook for Modules where no input requires gradient should always return None or None for "
                    "all gradients."
                )
        self.gradients = None

    def arrived_at_arguments(self, given: Gradients) -> Gradients:
        """The gradients of the arguments that the pass goes on with."""
        if self.gradients is None:  # it came to the arguments, and not by way of the results
            return given
        found = tuple(_zeros(each) for each in self.arguments)
        found = _spread(self.argument_places, given, found)
        for hook in self.hooks:
            answer = hook(self.module, found, self.gradients)
            if answer is not None:
                found = _answered("Backward hook", "grad_input", answer, len(self.arguments))
        self.gradients = None
        return tuple(found[place] for place in self.argument_places)


def _through(arrived: Callable[[Gradients], Gradients], values: Any) -> tuple[list[int], Any]:
    """The places of the tensors among `values` that require grad, and the values with these through the identity."""
    places = [place for place, each in enumerate(values) if isinstance(each, Tensor) and each.requires_grad]
    if not places or not is_grad_enabled():
        return [], values
    kept = list(values)
    for place, tensor in zip(places, _HookIdentity.apply(arrived, *(values[place] for place in places))):
        kept[place] = tensor
    return places, type(values)(*kept) if hasattr(values, "_fields") else tuple(kept)


def _spread(places: list[int], given: Gradients, others: Gradients) -> Gradients:
    """The gradients `others`, with those at the places replaced by the `given` ones that are not None."""
    spread = list(others)
    for place, each in zip(places, given):
        if each is not None:
            spread[place] = each
    return tuple(spread)


def _like(value: Any) -> tuple[Any, ...] | None:
    """Shape, dtype and device of a tensor; None for anything else."""
    return (value.shape, value.dtype, value.device) if isinstance(value, Tensor) else None


def _zeros(like: tuple[Any, ...] | None) -> Any:
    """The gradient of a tensor that nothing came to; None for what is no tensor."""
    return None if like is None else zeros(like[0], dtype=like[1], device=like[2])


def _answered(who: str, what: str, answer: Any, size: int) -> Gradients:
    """A hook's answer as a tuple. Errors: BackwardHookError for more or fewer gradients than there were."""
    found = answer if isinstance(answer, tuple) else (answer,) if isinstance(answer, Tensor) else tuple(answer)
    if len(found) != size:
        raise BackwardHookError(f"{who} returned an invalid number of {what}, got {len(found)}, but expected {size}")
    return found
