"""Custom functions: a forward and a backward of the user's own, as one step of the tape."""

# Note [Context and node]
# The context, which the user's functions write to, is an object apart from the node, which the engine reads: a user may
# call an attribute `edges` or `outputs`. The node holds its context, the context knows the node by a weak reference, so
# the two die with the graph. What one reads from `grad_fn` of a result is looked up on the context.

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from typing import Any

from ..tensor.tensor import Tensor
from .edges import edges_of
from .function_node import ErrorNode, FunctionNode, node_class
from .function_outputs import results_with_history
from .history import attach
from .modes import MODES, no_grad
from .saved import FREED, SavedTensor

_OF_NODE = frozenset({"metadata", "name", "next_functions", "register_hook", "register_prehook"})


class FunctionCtx:
    """The context that one call of a custom function hands from forward to backward.

    Attributes of the user's own may be added.
    """

    needs_input_grad: tuple[bool, ...] = ()
    """For each argument of forward, whether it is a tensor that requires grad."""
    materialize_grads: bool = True
    to_save: tuple[Tensor | None, ...] = ()
    dirty_tensors: tuple[Tensor, ...] = ()
    non_differentiable: tuple[Tensor, ...] = ()
    _records: tuple[SavedTensor, ...] = ()
    _node: weakref.ref[FunctionNode] | None = None

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keeps tensors and Nones for `saved_tensors`; the last call counts. Errors: TypeError for anything else."""
        for place, each in enumerate(tensors):
            if each is not None and not isinstance(each, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {place} is of type "
                    f"{type(each).__name__}; set anything else as an attribute of ctx"
                )
        self.to_save = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Says which arguments forward writes in place; it has to return them. Errors: RuntimeError for no tensor."""
        self.dirty_tensors = _tensors("mark_dirty", args)

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Says which results have no gradient. Errors: RuntimeError for what is no tensor."""
        self.non_differentiable = _tensors("mark_non_differentiable", args)

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros, and not None, for a result that no gradient came to; it does by default."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The values that `save_for_backward` was given. Errors: RuntimeError if one was freed, or written since."""
        node: Any = self._node() if self._node is not None else None
        return tuple(each.unpack(node) for each in self._records)

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        """The records of these, one for each, Nones included. Errors: RuntimeError if they were freed."""
        if any(each._freed for each in self._records):
            raise RuntimeError(FREED)
        return self._records

    def __getattr__(self, name: str) -> Any:
        """The attributes of the node that belong to the user."""
        node = self._node() if name in _OF_NODE and self._node is not None else None
        if node is None:
            raise AttributeError(f"this context of a custom function has no attribute {name!r}")
        return getattr(node, name)


class Function:
    """The base of custom functions. A subclass gives static methods, and is called by ``Sub.apply(*args)``.

    ``forward(ctx, *args)``, or ``forward(*args)`` with ``setup_context(ctx, inputs, output)``, computes the result; in
    it nothing is recorded. ``backward(ctx, *gradients)``, or `vjp`, turns one gradient for each result into one
    gradient or None for each argument.
    """

    _node_class: Callable[..., FunctionNode]

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls._node_class = node_class(cls, f"{cls.__name__}Backward")

    def __call__(self, *_args: Any, **_keywords: Any) -> Any:
        """Errors: RuntimeError, always."""
        raise RuntimeError(
            f"custom functions are not called as objects: write {type(self).__name__}.apply(...), with forward and "
            "backward as static methods"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The results: a value or a tuple of values, tensors or not. Errors: NotImplementedError unless overridden."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Fills `ctx` after a forward that does not take it."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradient of each argument, or None. Errors: NotImplementedError unless overridden."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward
    """Another name for it."""

    generate_vmap_rule = False
    """Whether `vmap` may compute it call by call."""

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], *args: Any) -> tuple[Any, Any]:
        """The results for many calls, and their axes; see `gl.vmap`. Errors: NotImplementedError unless overridden.

        info: has the number of calls, `batch_size`, and the `randomness`.
        in_dims: the axis of each argument, or None.
        """
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap static method or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """The results of forward, each an output of one node if an argument requires grad.

        Keywords become positions, of which there is one gradient for each; where there is a `setup_context`, so do
        defaults. Errors: TypeError for a keyword that forward takes only as a keyword.
        """
        return apply_function(cls, args, kwargs)

    @classmethod
    def _backward_rule(cls) -> Callable[..., Any]:
        """The backward of the user. Errors: RuntimeError if both of its names are taken."""
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                "implement one of them."
            )
        return cls.vjp


def apply_function(function: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The results of `function`."""
    separate = function.setup_context is not Function.setup_context
    if separate or kwargs:
        args = _by_position(function.forward, separate, args, kwargs)
    for each in args:
        of_many_calls = getattr(type(each), "__guardlift_custom__", None)
        if of_many_calls is not None:
            return of_many_calls(function, args)
    ctx = FunctionCtx()
    ctx.needs_input_grad = tuple(isinstance(each, Tensor) and each.requires_grad for each in args)
    node = function._node_class(ctx, args) if MODES.grad_enabled and any(ctx.needs_input_grad) else None
    with no_grad():
        if separate:
            found = function.forward(*args)
            function.setup_context(ctx, args, found)
        else:
            found = function.forward(ctx, *args)
    results = results_with_history(node, ctx, args, found if isinstance(found, tuple) else (found,), separate)
    ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ()
    return results if isinstance(found, tuple) else results[0]


def _by_position(
    forward: Callable[..., Any], separate: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """All arguments of `forward` but `ctx`, defaults included. Errors: TypeError if they do not fit."""
    ctx = () if separate else (None,)
    bound = inspect.signature(forward).bind(*ctx, *args, **kwargs)
    bound.apply_defaults()
    stray = sorted(kwargs.keys() & bound.kwargs.keys())
    if stray:
        raise TypeError(
            f"apply() got the keyword arguments {stray}, which have no position in forward, so that backward could not "
            "give a gradient for each; make them ordinary parameters of forward"
        )
    return bound.args[len(ctx) :]


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator for a `backward` whose result cannot be differentiated: it runs with grad mode off.

    Errors: RuntimeError in a second backward pass that reaches through what it computed.
    """

    @functools.wraps(backward)
    def wrapper(ctx: FunctionCtx, *gradients: Tensor | None) -> Any:
        with no_grad():
            found = backward(ctx, *gradients)
        if not MODES.grad_enabled or not _depends_on_history(ctx, gradients):
            return found
        answers = found if isinstance(found, tuple) else (found,)
        message = "trying to differentiate twice a function that was marked with @once_differentiable"
        node = ErrorNode(message, (*edges_of(gradients), *ctx.next_functions), len(answers))
        ended = tuple(
            attach(each.detach(), node, number) if isinstance(each, Tensor) else each
            for number, each in enumerate(answers)
        )
        return ended if isinstance(found, tuple) else ended[0]

    return wrapper


def _depends_on_history(ctx: FunctionCtx, gradients: tuple[Tensor | None, ...]) -> bool:
    """Whether what a backward computes may depend on something that requires grad."""
    read = (*gradients, *vars(ctx).values())
    return any(isinstance(each, Tensor) and each.requires_grad for each in read) or any(
        each.requires_grad for each in ctx._records
    )


def _tensors(name: str, args: tuple[Any, ...]) -> tuple[Tensor, ...]:
    for place, each in enumerate(args):
        if not isinstance(each, Tensor):
            raise RuntimeError(f"{name} takes tensors, but argument {place} is of type {type(each).__name__}")
    return args
