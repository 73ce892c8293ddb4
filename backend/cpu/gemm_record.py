"""A matrix product by BLAS, as words of a plan's table."""

from __future__ import annotations

from . import table_layout as at
from .blas import gemm
from .encoding import Encoding, refuse
from .extents import extent
from .plan import GemmOperand, GemmStep


def gemm_record(encoding: Encoding, step: GemmStep) -> list[int]:
    """The words of the step, its length still to be entered.

    Errors: KernelError when there is no such BLAS routine, or the matrices do not fit their slots.
    """
    routine = gemm(step.dtype)
    if routine is None:
        refuse(f"NumPy was built without a BLAS that multiplies matrices of {step.dtype}")
    if step.c.transposed:
        refuse("the result of a matrix product cannot be stored transposed; swap and transpose the operands")
    tags = {
        (4, 64): at.STEP_SGEMM_64,
        (8, 64): at.STEP_DGEMM_64,
        (4, 32): at.STEP_SGEMM_32,
        (8, 32): at.STEP_DGEMM_32,
    }
    fields = [tags[step.dtype.itemsize, routine.integer_bits], 0, routine.address, step.m, step.n, step.k]
    largest = max(step.m, step.n, step.k, step.a.leading, step.b.leading, step.c.leading)
    if routine.integer_bits == 32 and largest >= 2**31:
        refuse(f"a product of sizes {step.m}, {step.n}, {step.k} is too large for NumPy's 32-bit BLAS")
    for operand, rows, columns in ((step.a, step.m, step.k), (step.b, step.k, step.n), (step.c, step.m, step.n)):
        fields += _gemm_operand(encoding, step, operand, (columns, rows) if operand.transposed else (rows, columns))
    # BLAS objects to empty results; there is nothing to write in one.
    return [*fields, step.batch if step.m and step.n else 0]


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
