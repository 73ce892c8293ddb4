"""NumPy's meanings: what `np.*` calls and ndarray methods become in terms of the primitives."""

from . import (  # noqa: F401
    bounds,
    called_out,
    counting,
    creation,
    draws,
    element_iterators,
    error_state,
    facts,
    grids,
    indexing,
    joining,
    linear,
    methods,
    padding,
    reductions,
    shaping,
    ufuncs,
    untraced,
    views,
    windows,
)
