"""The operations: each primitive is declared once, and everything else is derived from the declaration.

`registry` holds the record and the table; the other modules are the declarations by family. Importing this package
registers them all.
"""

from . import (  # noqa: F401
    activations,
    attention,
    bitcasts,
    call_outs,
    checks,
    complex_numbers,
    conds,
    contraction,
    convolution,
    counts,
    creation,
    devices,
    diagonals,
    elementary,
    factorisations,
    gamma_functions,
    indexing,
    layers,
    loops,
    matrix_exponential,
    matrix_info,
    movement,
    ordering,
    piecewise,
    pointwise,
    pooling,
    random,
    reduction,
    rounding,
    saved,
    scans,
    segments,
    solving,
    special,
    statistics,
    windows,
)
from .registry import OPS, OpDef

__all__ = ["OPS", "OpDef"]
