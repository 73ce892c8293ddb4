"""A matrix product by BLAS, as words of a plan's table."""

from __future__ import annotations

from ..matmul.blas import gemm, gemv
from . import table_layout as at
from .encoder import Encoding, refuse
from .extents import extent
from .plan import GemmOperand, GemmStep


def gemm_record(encoding: Encoding, step: GemmStep) -> list[int]:
    """The words of the step, its length still to be entered. With one row or column it is a product with a vector, for
    which BLAS has a routine that reads the matrix as it lies, instead of copying it into blocks first.

    Errors: KernelError when there is no such BLAS routine, or the matrices do not fit their slots.
    """
    by_vector = 1 in (step.m, step.n) and min(step.m, step.n, step.k) > 0
    routine = gemv(step.dtype) if by_vector else gemm(step.dtype)
    if routine is None:
        refuse(f"NumPy was built without a BLAS that multiplies matrices of {step.dtype}")
    if step.c.transposed:
        refuse("the result of a matrix product cannot be stored transposed; swap and transpose the operands")
    tag = _TAGS[by_vector, step.dtype.itemsize, routine.integer_bits]
    largest = max(step.m, step.n, step.k, step.a.leading, step.b.leading, step.c.leading)
    if routine.integer_bits == 32 and largest >= 2**31:
        refuse(f"a product of sizes {step.m}, {step.n}, {step.k} is too large for NumPy's 32-bit BLAS")
    stored = (step.m, step.k), (step.k, step.n), (step.m, step.n)
    operands = [
        _gemm_operand(encoding, step, each, shape[::-1] if each.transposed else shape)
        for each, shape in zip((step.a, step.b, step.c), stored, strict=True)
    ]
    sizes = [step.m, step.n, step.k]
    if by_vector:
        sizes, operands = _by_vector(step, operands)
    # BLAS objects to empty results; there is nothing to write in one.
    batch = step.batch if step.m and step.n else 0
    return [tag, 0, routine.address, *sizes, *(word for each in operands for word in each), batch]


_TAGS = {
    (False, 4, 64): at.STEP_SGEMM_64,
    (False, 8, 64): at.STEP_DGEMM_64,
    (False, 4, 32): at.STEP_SGEMM_32,
    (False, 8, 32): at.STEP_DGEMM_32,
    (True, 4, 64): at.STEP_SGEMV_64,
    (True, 8, 64): at.STEP_DGEMV_64,
    (True, 4, 32): at.STEP_SGEMV_32,
    (True, 8, 32): at.STEP_DGEMV_32,
}


def _by_vector(step: GemmStep, operands: list[list[int]]) -> tuple[list[int], list[list[int]]]:
    """The sizes and operands of a product of which one operand has one row or column: matrix, vector, result."""
    a, b, c = operands
    if step.n == 1:
        matrix, vector, turned = a, b, step.a.transposed
        apart = 1 if step.b.transposed else step.b.leading
        rows, columns, result_apart = step.m, step.k, step.c.leading
    else:  # c.T = b.T @ a.T
        matrix, vector, turned = b, a, not step.b.transposed
        apart = step.a.leading if step.a.transposed else 1
        rows, columns, result_apart = step.n, step.k, 1
    matrix[at.OPERAND_TRANSPOSE] = at.TRANSPOSE if turned else at.NO_TRANSPOSE
    vector[at.OPERAND_LEADING], c[at.OPERAND_LEADING] = max(1, apart), max(1, result_apart)
    return [*((columns, rows) if turned else (rows, columns)), 0], [matrix, vector, c]


def _gemm_operand(encoding: Encoding, step: GemmStep, operand: GemmOperand, stored: tuple[int, int]) -> list[int]:
    """The words of one matrix, which memory holds as `stored` rows and columns."""
    rows, columns = stored
    if operand.leading < columns:
        refuse(f"a matrix in slot {operand.slot} has rows of {columns} elements at distance {operand.leading}")
    word, offset = encoding.operand(operand.slot, operand.offset)
    place, itemsize = encoding.place(operand.slot), step.dtype.itemsize
    strides = (operand.batch_stride, operand.leading * itemsize, itemsize)
    low, high = extent((step.batch, rows, columns), strides, itemsize)
    if not place.low <= operand.offset + low <= operand.offset + high <= place.high:
        refuse(
            f"matrices span bytes {operand.offset + low} to {operand.offset + high} of slot {operand.slot}, "
            f"which has {place.low} to {place.high}"
        )
    transpose = at.TRANSPOSE if operand.transposed else at.NO_TRANSPOSE
    return [word, offset, max(1, operand.leading), operand.batch_stride, transpose]
