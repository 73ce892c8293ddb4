"""Padding as modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ...tensor import Tensor
from .. import functional
from ..module import Module

Widths = int | Sequence[int]


class _Padding(Module):
    """Puts something around the spatial axes: the same width everywhere, or pairs of widths from the last axis on."""

    _rank: ClassVar[int]
    _mode: ClassVar[str]

    def __init__(self, padding: Widths) -> None:
        super().__init__()
        self.padding = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * (2 * self._rank)

    def forward(self, input: Tensor) -> Tensor:
        """`input` with more around it."""
        return functional.pad(input, self.padding, self._mode)  # type: ignore[arg-type]

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class _ConstantPadding(_Padding):
    """Puts a number around the spatial axes."""

    _mode = "constant"
    value: float

    def __init__(self, padding: Widths, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """`input` with the number around it."""
        return functional.pad(input, self.padding, "constant", self.value)  # type: ignore[arg-type]

    def extra_repr(self) -> str:
        """The widths and the number."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadding):
    """Puts a number around one axis. Shapes: [N, C, L] or [C, L]."""

    _rank = 1


class ConstantPad2d(_ConstantPadding):
    """Puts a number around two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _rank = 2


class ConstantPad3d(_ConstantPadding):
    """Puts a number around three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _rank = 3


class ZeroPad1d(_ConstantPadding):
    """Puts zeros around one axis. Shapes: [N, C, L] or [C, L]."""

    _rank = 1

    def __init__(self, padding: Widths) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ZeroPad2d(_ConstantPadding):
    """Puts zeros around two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _rank = 2

    def __init__(self, padding: Widths) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ZeroPad3d(_ConstantPadding):
    """Puts zeros around three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _rank = 3

    def __init__(self, padding: Widths) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ReflectionPad1d(_Padding):
    """Puts the mirrored elements around one axis. Shapes: [N, C, L] or [C, L]."""

    _rank = 1
    _mode = "reflect"


class ReflectionPad2d(_Padding):
    """Puts the mirrored elements around two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _rank = 2
    _mode = "reflect"


class ReflectionPad3d(_Padding):
    """Puts the mirrored elements around three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _rank = 3
    _mode = "reflect"


class ReplicationPad1d(_Padding):
    """Puts the first and the last element around one axis. Shapes: [N, C, L] or [C, L]."""

    _rank = 1
    _mode = "replicate"


class ReplicationPad2d(_Padding):
    """Puts the first and the last element around two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _rank = 2
    _mode = "replicate"


class ReplicationPad3d(_Padding):
    """Puts the first and the last element around three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _rank = 3
    _mode = "replicate"


class CircularPad1d(_Padding):
    """Puts the elements from the other end around one axis. Shapes: [N, C, L] or [C, L]."""

    _rank = 1
    _mode = "circular"


class CircularPad2d(_Padding):
    """Puts the elements from the other end around two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _rank = 2
    _mode = "circular"


class CircularPad3d(_Padding):
    """Puts the elements from the other end around three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _rank = 3
    _mode = "circular"
