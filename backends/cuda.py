"""The switches of an NVIDIA GPU's products of matrices. `gl.cuda` says whether there is a GPU."""

from __future__ import annotations

from ..core.config import config


class MatrixProducts:
    """The switches of products of matrices, of which `allow_tf32` has an effect."""

    __slots__ = ("allow_bf16_reduced_precision_reduction", "allow_fp16_reduced_precision_reduction")

    def __init__(self) -> None:
        self.allow_fp16_reduced_precision_reduction = True
        self.allow_bf16_reduced_precision_reduction = True

    @property
    def allow_tf32(self) -> bool:
        """Whether elements of float32 are rounded to TF32 first; the same as `gl.set_float32_matmul_precision`."""
        return bool(config.float32_matmul_precision != "highest")

    @allow_tf32.setter
    def allow_tf32(self, allowed: bool) -> None:
        config.float32_matmul_precision = "high" if allowed else "highest"


matmul = MatrixProducts()


def is_built() -> bool:
    """True: kernels for a GPU are compiled where there is one."""
    return True


__all__ = ["is_built", "matmul"]
