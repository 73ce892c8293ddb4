"""The text of kernels that multiply a narrow matrix by a vector, reading the matrix once, row after row.

BLAS's routines are made for long rows and columns: of rows of two to eight elements they reach a half of the speed of
memory or less. With their number in the text, LLVM reads several rows as whole vectors and sorts them in registers.
"""

from __future__ import annotations

from collections.abc import Iterable

WIDEST = 8
"""Elements of a row at most; rows of more LLVM does not sort."""
BLOCK = 256
"""Rows whose products are added in any order, before their sum is added to others."""

_ROWS = """
def kernel(addresses, sizes, start, stop):
    a, x, c = pointer_{code}(addresses[0]), pointer_{code}(addresses[1]), pointer_{code}(addresses[2])
    {elements}
    for i in range(start, stop):
        c[i] = {total}
    return 0
"""
_COLUMNS = """
def kernel(addresses, sizes, start, stop):
    a, x, c = pointer_{code}(addresses[0]), pointer_{code}(addresses[1]), pointer_{code}(addresses[2])
    {totals}
    for first in range(0, sizes[0], {block}):
        {parts}
        for i in range(first, min(first + {block}, sizes[0])):
            {sums}
        {additions}
    {results}
    return 0
"""


def rows_text(code: str, width: int) -> str:
    """The kernel for ``c[i] = sum(a[i, k] * x[k])``, with rows of `width` elements and no gaps between them.

    Operands: a, x, c. Sizes: the step of x. Extent: the rows of a.
    """
    total = f"a[i * {width}] * x0"
    for k in range(1, width):
        total = f"multiplied_add_{code}(a[i * {width} + {k}], x{k}, {total})"
    elements = _lines(4, (f"x{k} = x[{k} * sizes[0]]" for k in range(width)))
    return _ROWS.format(code=code, elements=elements, total=total)


def columns_text(code: str, width: int) -> str:
    """The kernel for ``c[k] = sum(x[i] * a[i, k])``, with rows as in `rows_text`. float32 is totalled in float64.

    Operands: a, x, c. Sizes: the rows of a, the step of c. Extent: 1.
    """
    kind = {"f32": "float32", "f64": "float64"}[code]
    every = range(width)
    return _COLUMNS.format(
        code=code,
        block=BLOCK,
        totals=_lines(4, (f"total{k} = float64(0)" for k in every)),
        parts=_lines(8, (f"part{k} = {kind}(0)" for k in every)),
        sums=_lines(12, (f"part{k} = reassociated_add_{code}(part{k}, a[i * {width} + {k}] * x[i])" for k in every)),
        additions=_lines(8, (f"total{k} += float64(part{k})" for k in every)),
        results=_lines(4, (f"c[{k} * sizes[1]] = {kind}(total{k})" for k in every)),
    )


def _lines(depth: int, lines: Iterable[str]) -> str:
    return ("\n" + " " * depth).join(lines)
