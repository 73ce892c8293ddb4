"""Parameters, as PyTorch's programs import them: ``from guardlift.nn.parameter import Parameter``."""

from ..tensor.parameter import Buffer, Parameter
from ..tensor.uninitialized import UninitializedBuffer, UninitializedParameter, is_lazy

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]
