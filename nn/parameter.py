"""Parameters, as PyTorch's programs import them: ``from guardlift.nn.parameter import Parameter``."""

from ..tensor.parameter import Parameter
from ..tensor.uninitialized import UninitializedBuffer, UninitializedParameter

__all__ = ["Parameter", "UninitializedBuffer", "UninitializedParameter"]
