"""The registry of autograd: tensors tell the tape what was computed and written, and know nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ..core.floors import TAPE, asked
from ..ops.registry import OpDef

if TYPE_CHECKING:
    from .tensor import Tensor


class Tape(Protocol):
    """The methods of the tape that the operations below it call."""

    def record(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], result: Tensor) -> None:
        """Makes `result` know how it came about; some operand requires grad."""

    def record_view(self, op: OpDef, base: Tensor, attrs: Mapping[str, Any], view: Tensor) -> None:
        """Makes `view`, which shares memory with `base`, know how it was taken."""

    def current_node(self, view: Tensor) -> Any:
        """The `grad_fn` of a view, which changes when its base is written."""

    def open_write(self, op: OpDef, x: Tensor, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """The pending write that `close_write` records once `x` is ``op(x, *operands)``.

        Errors: RuntimeError if `x` may not be written.
        """

    def open_assignment(self, x: Tensor, value: Any) -> Any:
        """The pending write that `close_write` records once ``x[...] = value`` has happened.

        Errors: RuntimeError if `x` may not be written.
        """

    def close_write(self, pending: Any, x: Tensor) -> None:
        """Records a write that has happened."""


class _NoTape:
    """Stands here until `guardlift.autograd` is imported: the first record imports it, so that no gradient is lost.

    A tensor may come without it, from a pickle that another process has written.
    """

    def __getattr__(self, name: str) -> Any:
        asked(TAPE)
        if tape is self:
            raise RuntimeError("guardlift.autograd is being imported, and nothing can be recorded yet")
        return getattr(tape, name)


tape: Tape = _NoTape()


def register_tape(new: Tape) -> None:
    """Makes `new` the tape of every operation from now on."""
    global tape
    tape = new
