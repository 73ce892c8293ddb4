"""Modules of the standard library that the tracer has rules for."""

from . import (  # noqa: F401
    collections_defaultdict,
    collections_deque,
    collections_ordered_dict,
    contextlib_rules,
    functools_singledispatch,
    itertools_rules,
    operator_rules,
    random_rules,
    warnings_rules,
)
