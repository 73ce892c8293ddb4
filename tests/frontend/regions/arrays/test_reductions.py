"""Reductions in native loops that keep the rank of what they reduce."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

GRIDS = np.random.default_rng(4).random((30, 4, 5))


@pytest.mark.parametrize("axis", [0, -1, (0, 1), None])
def test_reduced_axes_that_are_kept(axis: Any) -> None:
    def shifted(grids: Any, out: Any) -> Any:
        for i in range(len(grids)):
            each = np.exp(grids[i] - grids[i].max(axis=axis, keepdims=True))
            out[i] = each / each.sum(axis=axis, keepdims=True) - np.mean(each, axis, keepdims=True)
        return out

    native(shifted, GRIDS, np.zeros_like(GRIDS), rtol=1e-13)


def test_places_and_selections() -> None:
    def found(grids: Any, out: Any) -> Any:
        for i in range(len(grids)):
            each = grids[i]
            out[i] = each.argmin(axis=1, keepdims=True) + each[each > 0.5].sum(keepdims=True)
        return out

    check(found, GRIDS, np.zeros((30, 4, 1)), backend="reference", rtol=1e-13)
