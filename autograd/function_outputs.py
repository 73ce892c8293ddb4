"""The values that a custom function's forward returned, made outputs of the function's node."""

# Note [Views that a custom function returns]
# The gradient of such a view is what the user's backward makes of it, so it cannot be taken from its base again after a
# write, as that of other views is (see `history.current_node`). Its path is `history.OF_FUNCTION` and no more: a view
# of it can be made, and a write through it, or use after a write to its base, is an error.

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ..tensor.tensor import Tensor
from .edges import edge_of
from .function_node import FunctionNode, WrittenFirst
from .history import OF_FUNCTION, attach, current_node, is_of_function, move_to, steps
from .in_place import CopySlices, is_recorded
from .saved import SavedTensor

if TYPE_CHECKING:
    from .function import FunctionCtx


def results_with_history(
    node: FunctionNode | None, ctx: FunctionCtx, args: tuple[Any, ...], found: tuple[Any, ...], separate: bool
) -> tuple[Any, ...]:
    """The results that the caller gets for what forward returned; what was saved for backward is kept on the way.

    node: whose outputs they become; None where nothing is recorded.   separate: there is a `setup_context`.
    Errors: RuntimeError for a write that is not allowed, or that was marked and whose result was not returned.
    """
    outputs = _Outputs(node, ctx, args, found)
    try:
        outputs.check_written()
        if node is not None and separate:
            outputs.check_saved()
        results = tuple(
            outputs.placed(each, number) if isinstance(each, Tensor) else each for number, each in enumerate(found)
        )
    finally:
        # Counted last: every view whose node was found before is stale now.
        for each in ctx.dirty_tensors:
            each._counter.value += 1
    for each in results:
        if isinstance(each, Tensor) and is_of_function(each):
            each._seen = each._counter.value
    if node is not None:
        node.set_outputs(results)
        ctx._records = tuple(outputs.record(each, number) for number, each in enumerate(ctx.to_save))
    return results


class _Outputs:
    """The tensors that one call of forward was given, and those that it returned."""

    def __init__(
        self, node: FunctionNode | None, ctx: FunctionCtx, args: tuple[Any, ...], found: tuple[Any, ...]
    ) -> None:
        self.node = node
        self.ctx = ctx
        self.found = found
        self.args = args
        self.inputs = [each for each in args if isinstance(each, Tensor)]

    def check_written(self) -> None:
        """Sees to it that the write to each tensor that was marked as written may be recorded."""
        for x in self.ctx.dirty_tensors:
            if not _contains(self.found, x):
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                    "that are modified inplace must all be outputs of the Function."
                )
            if not _contains(self.inputs, x):
                warnings.warn(
                    "ctx.mark_dirty() was given a tensor that is no argument of forward; it is meant for arguments "
                    "that forward writes in place",
                    stacklevel=5,
                )
            elif self._differentiable(x):
                is_recorded(x, self.args)
                if x._base is not None and len(self.found) > 1:
                    raise RuntimeError(
                        "If your Function modifies inplace an input that is a view of another Tensor, your Function "
                        "cannot return more than one Tensor. Give it a clone() of the view, or split it in two: one "
                        "that writes and one that computes the rest"
                    )

    def check_saved(self) -> None:
        """Errors: RuntimeError for an argument that is returned as it is, and saved by `setup_context`."""
        for x in self.ctx.to_save:
            returned = x is not None and _contains(self.found, x) and _contains(self.inputs, x)
            if returned and self._differentiable(x) and not _contains(self.ctx.dirty_tensors, x):  # type: ignore[arg-type]
                raise RuntimeError(
                    "A input that has been returned as-is as output is being saved for backward. With setup_context it "
                    "is not clear which of the two is meant: return and save a view of it, or save in a forward that "
                    "takes ctx"
                )

    def _differentiable(self, x: Tensor) -> bool:
        return self.node is not None and x.dtype.is_differentiable and not _contains(self.ctx.non_differentiable, x)

    def placed(self, x: Tensor, number: int) -> Tensor:
        """Result `number`: `x` itself where it can be, else another tensor over its memory."""
        is_input = _contains(self.inputs, x)
        written = is_input and _contains(self.ctx.dirty_tensors, x)
        if not self._differentiable(x):
            if x.requires_grad:
                return x.detach()
            return _view(x) if is_input and not written else x
        assert self.node is not None
        if written:
            self._written(x, number)
            return x
        if is_input or _is_older(x, self.node):
            x = _view(x)
        attach(x, self.node, number)
        if x._base is not None:
            x._path = OF_FUNCTION
        return x

    def _written(self, x: Tensor, number: int) -> None:
        """Makes `x`, or the base it is a view of, the result of this call."""
        base = x._base
        assert self.node is not None
        if base is None:
            move_to(x, self.node, number)
            return
        place = next(place for place, each in enumerate(self.inputs) if each is x)
        inner = WrittenFirst(self.node, place) if place else self.node
        move_to(base, CopySlices(edge_of(base), steps(x._path), inner))

    def record(self, x: Tensor | None, number: int) -> SavedTensor:
        """The record of a tensor to save, the one with this number."""
        if x is None:
            return SavedTensor(None)
        written_view = x._base is not None and _contains(self.ctx.dirty_tensors, x)
        is_output = written_view or current_node(x) is self.node
        return SavedTensor(x, is_output, self.node, f"saved_tensors[{number}]")


def _is_older(x: Tensor, node: FunctionNode) -> bool:
    """Whether `x` has a history, or is a parameter, that was there before forward ran."""
    if not x.requires_grad:
        return False
    own = current_node(x)
    return own is None or own.sequence < node.sequence


def _view(x: Tensor) -> Tensor:
    """A view of all of `x`, without history."""
    view = x._alias()
    view._base = x if x._base is None else x._base
    return view


def _contains(tensors: Any, x: Tensor) -> bool:
    return any(each is x for each in tensors)
