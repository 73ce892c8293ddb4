"""The operations: each primitive is declared once, and everything else is derived from the declaration.

`registry` holds the record and the table; the other modules are the declarations by family. Importing this package
registers them all.
"""

from . import (  # noqa: F401
    bitcasts,
    call_outs,
    checks,
    complex_numbers,
    composite,
    conds,
    contraction,
    creation,
    devices,
    diagonals,
    indexing,
    loops,
    movement,
    pointwise,
    random,
    reduction,
    saved,
    segments,
)
from .registry import OPS, OpDef

__all__ = ["OPS", "OpDef"]
