"""Seeds of draws on the GPU."""

from __future__ import annotations

from ..tensor.generator import default_generator
from .cuda import is_available


def manual_seed(seed: int) -> None:
    """Seeds the draws of tensors on the GPU, where there is one: tensors of all devices draw from one generator."""
    if is_available():
        default_generator.manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seeds the draws of all GPUs. See `manual_seed`."""
    manual_seed(seed)
