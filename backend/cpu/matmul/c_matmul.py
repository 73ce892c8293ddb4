"""A C function that multiplies matrices of any layout, for kernels to call: by BLAS, or by loops where they are tiny.

It takes the address of each matrix with its steps, in elements, between rows and between columns; the sizes; and the
addresses of BLAS's own functions. A vector is a matrix of one row or column. Importing this does not import numba.
"""

from __future__ import annotations

from typing import Any

from ..compiler.c_functions import finds
from .blas import routine

TINY = 200
"""Multiply-adds up to which loops are the faster: a call of BLAS takes as long."""
_BLOCK = 256
"""Products that are added one after the other, before their sum is added to others."""
_TEXT = """
def multiply(a, a_row, a_column, b, b_row, b_column, c, c_row, c_column, rows, columns, inner, gemm, gemv):
    if rows * columns * inner > {tiny}:
        a_plain, a_turned = a_column == 1 and a_row >= inner, a_row == 1 and a_column >= rows
        b_plain, b_turned = b_column == 1 and b_row >= columns, b_row == 1 and b_column >= inner
        a_fits, b_fits = a_plain or a_turned, b_plain or b_turned
        if columns == 1 and a_fits and b_row >= 1 and c_row >= 1:
            if a_plain:
                {gemv}(gemv, (101, 111, rows, inner, 1.0, a, a_row, b, b_row, 0.0, c, c_row))
            else:
                {gemv}(gemv, (101, 112, inner, rows, 1.0, a, a_column, b, b_row, 0.0, c, c_row))
            return 0
        if rows == 1 and b_fits and a_column >= 1 and c_column >= 1:
            if b_plain:
                {gemv}(gemv, (101, 112, inner, columns, 1.0, b, b_row, a, a_column, 0.0, c, c_column))
            else:
                {gemv}(gemv, (101, 111, columns, inner, 1.0, b, b_column, a, a_column, 0.0, c, c_column))
            return 0
        if a_fits and b_fits and c_column == 1 and c_row >= columns:
            a_order, a_leading = 111 if a_plain else 112, a_row if a_plain else a_column
            b_order, b_leading = 111 if b_plain else 112, b_row if b_plain else b_column
            {gemm}(
                gemm,
                (101, a_order, b_order, rows, columns, inner, 1.0, a, a_leading, b, b_leading, 0.0, c, c_row),
            )
            return 0
    left, right, made = pointer_{code}(a), pointer_{code}(b), pointer_{code}(c)
    for i in range(rows):
        for j in range(columns):
            total = {type}(0.0)
            for first in range(0, inner, {block}):
                part = {type}(0.0)
                for k in range(first, min(first + {block}, inner)):
                    part += left[i * a_row + k * a_column] * right[k * b_row + j * b_column]
                total += part
            made[i * c_row + j * c_column] = total
    return 0
"""


@finds("multiply")
def _address(code: str) -> int | None:
    """The function for the dtype of this code; None where NumPy has no BLAS."""
    from ..compiler.kernels import obtain

    found = routine("sgemm" if code == "f32" else "dgemm")
    if found is None:
        return None
    text = _text(code, found.integer_bits)
    return obtain(text, lambda: _compiled(text)).address


def _text(code: str, bits: int) -> str:
    flag, size, place = "i32", f"i{bits}", "i64"
    gemm = [flag] * 3 + [size] * 3 + [code, place, size, place, size, code, place, size]
    gemv = [flag] * 2 + [size] * 2 + [code, place, size, place, size, code, place, size]
    callers = {name: "_".join(["invoke_void_of", *codes]) for name, codes in (("gemm", gemm), ("gemv", gemv))}
    kind = {"f32": "float32", "f64": "float64"}[code]
    return _TEXT.format(**callers, code=code, type=kind, tiny=TINY, block=_BLOCK)


def _compiled(text: str) -> Any:
    from ..compiler.compiler import compile_words, text_digest

    return compile_words(text, ("i64",) * 14, f"guardlift_multiply_{text_digest(text)[:12]}")
