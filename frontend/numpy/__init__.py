"""NumPy's meanings: what `np.*` calls and ndarray methods become in terms of the primitives."""

from . import (  # noqa: F401
    clipping,
    counting,
    creation,
    element_iterators,
    error_state,
    indexing,
    introspection,
    joining,
    legacy_random,
    linear,
    methods,
    padding,
    random,
    reductions,
    selection,
    shaping,
    structured,
    ufuncs,
    unsupported,
    views,
    windows,
)
from .callouts import names  # noqa: F401
