"""Flags of classes that CPython gives and that the tracer asks for."""

from __future__ import annotations

HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: a class whose attributes can be assigned, unless it is immutable."""


IMMUTABLE_TYPE = 1 << 8
"""Py_TPFLAGS_IMMUTABLETYPE: a class whose attributes cannot be assigned."""


SEQUENCE, MAPPING = 1 << 5, 1 << 6
"""Py_TPFLAGS_SEQUENCE and Py_TPFLAGS_MAPPING: what `match` takes for one."""


MATCH_SELF = 1 << 22
"""_Py_TPFLAGS_MATCH_SELF: a class pattern's only part is the value itself."""
