"""The ops that take narrow floats as they are: those that do not look at what elements stand for.

Of all others the surfaces put casts around the op, to float32 and back. See Note [Half floats].
"""

from __future__ import annotations

KEEPING = frozenset(
    {"alias", "as_strided", "bitcast", "cast", "cat", "diagonal", "expand", "full", "gather", "join", "pad", "permute"}
    | {"reshape", "rounded", "segment", "slice", "slice_store", "take", "to_device", "where", "with_history"}
    | {"cond", "cond_result"}
)
