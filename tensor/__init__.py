"""Tensor, and the functions that make and combine tensors, with PyTorch's names and meanings.

`tensor` holds the class, `dispatch` the funnel that everything goes through; the other modules are the surface by
family, and importing this package makes their functions methods of Tensor.
"""

from . import (
    aliases,
    arithmetic,
    complex_parts,
    contraction,
    conversion,
    copying,
    creation,
    diagonals,
    distributions,
    elementary,
    facts,
    folding,
    indexing,
    joining,
    linear_algebra,
    more_creation,
    mutations,
    numpy_protocols,
    ordering,
    out,
    pointwise,
    printing,
    products,
    quantiles,
    random,
    rearranging,
    reductions,
    scattering,
    shaping,
    sparse,
    statistics,
    storage,
    writing,
)
from . import in_place as _in_place  # noqa: F401  (twins of methods that are there by now)
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
    "aliases",
    "arithmetic",
    "complex_parts",
    "contraction",
    "conversion",
    "copying",
    "creation",
    "diagonals",
    "distributions",
    "elementary",
    "facts",
    "folding",
    "indexing",
    "joining",
    "linear_algebra",
    "more_creation",
    "mutations",
    "numpy_protocols",
    "ordering",
    "out",
    "pointwise",
    "printing",
    "products",
    "quantiles",
    "random",
    "rearranging",
    "reductions",
    "scattering",
    "shaping",
    "sparse",
    "sparse_coo",
    "statistics",
    "storage",
    "strided",
    "writing",
]
