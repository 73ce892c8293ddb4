"""The operations: each primitive is declared once, and everything else is derived from the declaration.

`registry` holds the record and the table; the other modules are the declarations by family. Importing this package
registers those that programs over arrays are made of; `SELDOM` are the others, which the table imports when it is asked
for them.
"""

from . import (  # noqa: F401
    activations,
    bitcasts,
    call_outs,
    checks,
    complex_numbers,
    conds,
    contraction,
    counts,
    creation,
    devices,
    diagonals,
    elementary,
    indexing,
    layers,
    loops,
    movement,
    ordering,
    piecewise,
    pointwise,
    random,
    reduction,
    rounding,
    saved,
    scans,
    segments,
    statistics,
)
from .registry import OPS, OpDef

SELDOM = (
    *("attention", "convolution", "elimination", "factorisations", "fourier", "gamma_functions", "matrix_exponential"),
    *("angles", "bessel", "matrix_info", "pooling", "solving", "special", "symmetric_elimination", "windows"),
)
OPS.seldom = tuple(f"{__name__}.{family}" for family in SELDOM)

__all__ = ["OPS", "OpDef"]
