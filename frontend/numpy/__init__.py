"""NumPy's meanings: what `np.*` calls and ndarray methods become in terms of the primitives."""

from . import (  # noqa: F401
    bounds,
    called_out,
    creation,
    facts,
    grids,
    indexing,
    joining,
    linear,
    methods,
    reductions,
    shaping,
    ufuncs,
    untraced,
    views,
)
