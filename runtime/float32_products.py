"""`gl.set_float32_matmul_precision` and `gl.get_float32_matmul_precision`. Names and meanings are PyTorch's."""

from __future__ import annotations

from ..core.config import check_choice, config


def set_float32_matmul_precision(precision: str) -> None:
    """From now on, a GPU multiplies matrices of float32 so; the same as setting `gl.config.float32_matmul_precision`.

    precision: ``"highest"``, in float32; with ``"high"`` and ``"medium"`` alike elements are rounded to TF32 first.
    Products on the CPU are always those of float32. What was compiled under another precision is compiled again.
    Errors: `SettingValueError`, which is a ValueError, for another one.
    """
    check_choice("float32_matmul_precision", precision, "set_float32_matmul_precision was given")
    config.float32_matmul_precision = precision


def get_float32_matmul_precision() -> str:
    """The precision in which a GPU multiplies matrices of float32: ``"highest"``, ``"high"`` or ``"medium"``."""
    return str(config.float32_matmul_precision)


__all__ = ["get_float32_matmul_precision", "set_float32_matmul_precision"]
