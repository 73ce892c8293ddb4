"""NumPy's meanings: what `np.*` calls and ndarray methods become in terms of the primitives."""

from . import bounds, counting, creation, facts, grids, indexing, joining, linear, methods, padding, reductions, shaping, ufuncs  # noqa: F401
