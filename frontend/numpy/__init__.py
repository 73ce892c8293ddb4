"""NumPy's meanings: what `np.*` calls and ndarray methods become in terms of the primitives."""

from . import creation, indexing, linear, methods, reductions, shaping, ufuncs  # noqa: F401
