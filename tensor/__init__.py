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
    sparse,
    writing,
)
from .layouts import sparse_coo, strided
from .parameter import Parameter
from .sparse_tensor import SparseTensor
from .surface import SURFACE
from .tensor import Tensor

__all__ = [
    "SURFACE",
    "Parameter",
    "SparseTensor",
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
    "sparse",
    "sparse_coo",
    "strided",
    "writing",
]
