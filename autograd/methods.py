"""The one place where autograd registers itself with `tensor/`: as its tape, and as methods of Tensor."""

from __future__ import annotations

from typing import Any

from ..core.watched_slots import changing_tensor
from ..tensor.tape import register_tape
from ..tensor.tensor import Tensor
from . import hooks, inference
from .differentiate import backward
from .history import current_node
from .in_place import close_write, open_assignment, open_write
from .op_node import record, record_view


class _Tape:
    """The functions that `tensor.tape.Tape` asks for."""

    record = staticmethod(record)
    record_view = staticmethod(record_view)
    current_node = staticmethod(current_node)
    open_write = staticmethod(open_write)
    open_assignment = staticmethod(open_assignment)
    close_write = staticmethod(close_write)


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Adds to the `.grad` of the leaves it was computed from the gradient of this tensor, weighted by `gradient`."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


def _detach_(self: Tensor) -> Tensor:
    """Itself, without history from now on. Errors: RuntimeError for a view."""
    if self._base is not None:
        raise RuntimeError("Can't detach views in-place. Use detach() instead.")
    if self._requires_grad:
        with changing_tensor(self, "requires_grad", "it was detached in place"):
            _forget(self)
    else:
        _forget(self)
    return self


def _forget(tensor: Tensor) -> None:
    tensor._requires_grad, tensor._node, tensor._output_nr = False, None, 0


METHODS = {
    "backward": _backward,
    "detach_": _detach_,
    "is_inference": inference.is_inference,
    "register_hook": hooks.register_hook,
    "register_post_accumulate_grad_hook": hooks.register_post_accumulate_grad_hook,
    "retain_grad": hooks.retain_grad,
    "retains_grad": property(hooks.retains_grad),
}
"""The methods and properties that autograd adds to Tensor, by name."""

for _name, _method in METHODS.items():
    setattr(Tensor, _name, _method)
register_tape(_Tape())
