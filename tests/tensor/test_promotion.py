"""The dtype that operands of different dtypes meet in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import guardlift as gl
from guardlift.core.dtypes import bool_
from guardlift.tensor.promotion import can_cast, promote_types, result_type

_, _, HEADER, *ROWS = [line.split() for line in Path(__file__).with_name("promotion.txt").read_text().splitlines()]


def dtype(name: str) -> Any:
    return bool_ if name == "bool" else getattr(gl, name)


def operand(name: str) -> Any:
    """The operand that a column of the table stands for."""
    if name in ("True", "2", "2.5"):
        return {"True": True, "2": 2, "2.5": 2.5}[name]
    shape = () if name.startswith("0:") else (1,)
    return gl.ones(shape, dtype=dtype(name.removeprefix("0:")))


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_operands_meet_in_pytorchs_dtype(row: list[str]) -> None:
    tensor = gl.ones(1, dtype=dtype(row[0]))
    for column, expected in zip(HEADER[1:], row[1:], strict=True):
        other = operand(column)
        assert result_type(tensor, other) is dtype(expected), column
        assert result_type(other, tensor) is dtype(expected), column
        assert gl.mul(tensor, other).dtype is dtype(expected), column
        assert gl.mul(other, tensor).dtype is dtype(expected), column


def test_wide_unsigned_integers_meet_no_other_integers() -> None:
    with pytest.raises(RuntimeError, match="Promotion for uint16, uint32, uint64 types is not supported"):
        promote_types(gl.uint32, gl.int64)
    assert promote_types(gl.uint32, gl.float32) is gl.float32


def test_a_result_is_written_only_to_its_own_kind_or_a_higher_one() -> None:
    assert can_cast(gl.int64, gl.float32) and can_cast(gl.float64, gl.float32) and can_cast(bool_, gl.int8)
    assert not can_cast(gl.float32, gl.int64) and not can_cast(gl.int8, bool_)
