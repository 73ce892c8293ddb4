"""Breaks at the data of arrays and tensors, which no trace knows."""

from __future__ import annotations

from .graph_break import BreakKind

ARRAY_BRANCH = BreakKind(
    "B101",
    "a branch on the value of an array ({name})",
    "The value is unknown while tracing, so both arms are possible",
    "use np.where(condition, a, b), or move the branch outside the jitted function",
)
ARRAY_VALUE = BreakKind(
    "B102",
    "the value of an array is needed as a Python {wanted}",
    "The value is unknown while tracing",
    "keep it an array, or compute it outside the jitted function",
)
DATA_SHAPE = BreakKind(
    "B103",
    "{name}, whose result's shape depends on the data",
    "Shapes are fixed while tracing",
    "keep the full shape and use where(mask, a, b), or weights that are 0 where the mask is; or find the places with "
    "nonzero() outside the jitted function and pass them in",
)
TENSOR_VALUES = BreakKind(
    "B105",
    "{name}, which is computed from the values of a tensor",
    "The values are unknown while tracing, and there is no kernel for it",
    "call it outside the jitted function and pass its result in",
)
OTHER_BYTES = BreakKind(
    "B106",
    "a use of the bytes of bools, which may be other ones than 0 and 1",
    "NumPy copies such a byte as it is, and kernels keep of a bool whether it is true",
    "compare with 0, or convert with astype, instead of taking a view of another dtype",
)
