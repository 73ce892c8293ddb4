"""Built-in types and classes as values of a trace."""

from __future__ import annotations

from typing import Any

import numpy as np

import guardlift as gl


def test_a_union_of_classes_with_a_metaclass_of_numpys() -> None:
    @gl.jit
    def shifted(x: Any, kind: Any) -> Any:
        return x * 2 if isinstance(kind, type | np.dtype) else x + 1

    for kind in (float, np.dtype("f4"), "float", 3, int):
        expected = 0.0 if isinstance(kind, (type, np.dtype)) else 1.0
        np.testing.assert_array_equal(shifted(np.zeros(2), kind), expected)
    assert not gl.explain(shifted).breaks
