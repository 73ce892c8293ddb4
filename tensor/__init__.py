"""Tensor, and the functions that make and combine tensors, with PyTorch's names and meanings.

`tensor` holds the class, `dispatch` the funnel that everything goes through; the other modules are the surface by
family, and importing this package makes their functions methods of Tensor.
"""

from . import (
    arithmetic,
    contraction,
    conversion,
    copying,
    creation,
    indexing,
    joining,
    mutations,
    numpy_protocols,
    pointwise,
    printing,
    random,
    reductions,
    shaping,
    writing,
)
from .parameter import Parameter
from .surface import SURFACE
from .tensor import Tensor

__all__ = [
    "SURFACE",
    "Parameter",
    "Tensor",
    "arithmetic",
    "contraction",
    "conversion",
    "copying",
    "creation",
    "indexing",
    "joining",
    "mutations",
    "numpy_protocols",
    "pointwise",
    "printing",
    "random",
    "reductions",
    "shaping",
    "writing",
]
