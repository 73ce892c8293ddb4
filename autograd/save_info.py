"""Facts about a save while it is packed: for whom the tensor is kept, under which name, and in which user line."""

from __future__ import annotations

import re
import sys
from dataclasses import field
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.devices import Device
from ..core.dtypes import DType
from ..core.records import dataclass
from ..core.user_line import UserLine, line_of, user_frame
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor

if TYPE_CHECKING:
    from .node import Node


class SavedPlace(NamedTuple):
    """The place in the graph at which a tensor is kept; empty names where nobody has told.

    node: what the node is called in messages.   op: the operation it is the derivative of.   argument: which of its
    operands was saved, or ``result``.
    """

    node: str = ""
    op: str = ""
    argument: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SaveInfo:
    """The facts that a pack hook of two arguments is told, ``pack(tensor, info)``. It keeps no tensor or graph alive.

    node: the name of the node that saves, such as ``MulBackward0``.   op: that of its operation.
    argument: the operand that is saved, as in ``node._saved_<argument>``; ``result`` for what the operation gave.
    shape, dtype, device: of the tensor that is saved; in a chain of pairs, of the one that the innermost pair is given.
    is_parameter: it is a `Parameter` or a view of one.   is_leaf: no operation that is recorded computed it.
    is_output: it is a result of the node that saves it.
    """

    node: str
    op: str
    argument: str
    shape: tuple[int, ...]
    dtype: DType
    device: Device
    is_parameter: bool
    is_leaf: bool
    is_output: bool
    _line: UserLine | None = field(default=None, init=False, repr=False)

    @property
    def user_line(self) -> UserLine | None:
        """The innermost line of the user's that is saving; of a compiled forward the one where its function begins.

        It is looked for when it is read first, which has to be before the pack hook returns; None if it was not.
        """
        if self._line is None:
            object.__setattr__(self, "_line", _line_saving(self))
        return self._line


def place_of(node: Node, argument: str) -> SavedPlace:
    """The place of what `node` keeps as `argument`."""
    return SavedPlace(node.name(), op_of(node), argument)


def op_of(node: Node) -> str:
    """The name of the operation that `node` is the derivative of."""
    name = getattr(getattr(node, "op", None), "name", None)
    return name if isinstance(name, str) else re.sub("Backwards?[0-9]*$", "", node.name())


def is_parameter(tensor: Tensor) -> bool:
    """Whether it is a parameter or a view of one."""
    return isinstance(tensor if tensor._base is None else tensor._base, Parameter)


def packing(function: Any) -> Any:
    """`function`, marked as what runs pack hooks: its variable ``info`` is the save that it is busy with."""
    _PACKING.add(function.__code__)
    return function


_PACKING: set[CodeType] = set()


def _line_saving(info: SaveInfo) -> UserLine | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not (frame.f_code in _PACKING and frame.f_locals.get("info") is info):
        frame = frame.f_back
    found = user_frame(frame)[0] if frame is not None else None
    return None if found is None else line_of(found)
