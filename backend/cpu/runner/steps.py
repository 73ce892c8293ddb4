"""The steps of the native runner: kernels, tables of them, loops, jumps, products, and calls of Python objects.

A part of the runner's source, as `runner` says. Large kernels are shared out to a team of threads, see `runner.team`.
"""

# The functions below are typed by Numba, not by annotations. Constants come from `table_layout` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i64, pointer_u8
from ..compiler.python_calls import ask_python as ask_python_caller
from ..plan.table_layout import *
from .checks import WORD, base, stack_block
from .team import bind_row, call_kernel, run_job

inner = linked()
job_block = stack_block(8 * JOB_WORDS)
ask_python = ask_python_caller()


def cblas(element: Any, integer: Any, sizes: tuple[int, ...], turned: tuple[int, ...]) -> Any:
    """The intrinsic `(record, a, b, c)`: one product through cblas, with `integer` as the library's int.

    It reads from the record the numbers in the fields `sizes`, and which of the operands `turned` are transposed.
    """

    @intrinsic  # type: ignore[untyped-decorator]
    def product(typingctx: Any, record: Any, a: Any, b: Any, c: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            words, *matrices = values
            wide, enum = ir.IntType(64), ir.IntType(32)

            def size(field: int) -> Any:
                return builder.trunc(read(field), integer) if integer != wide else read(field)

            def read(field: int) -> Any:
                return builder.load(builder.gep(words, [wide(field)]))

            left, right, result = (
                [matrix, size(operand + OPERAND_LEADING)]
                for matrix, operand in zip(matrices, (GEMM_LEFT, GEMM_RIGHT, GEMM_RESULT), strict=True)
            )
            transposes = [builder.trunc(read(at + OPERAND_TRANSPOSE), enum) for at in turned]
            counts = map(size, sizes)
            arguments = [enum(ROW_MAJOR), *transposes, *counts, element(1.0), *left, *right, element(0.0), *result]
            function_type = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
            builder.call(builder.inttoptr(read(STEP_ADDRESS), function_type.as_pointer()), arguments)
            return context.get_dummy_value()

        return types.void(types.CPointer(WORD), WORD, WORD, WORD), codegen

    return product


GEMM_SIZES, GEMM_TURNED = (GEMM_M, GEMM_N, GEMM_K), (GEMM_LEFT, GEMM_RIGHT)
GEMV_SIZES, GEMV_TURNED = (GEMM_M, GEMM_N), (GEMM_LEFT,)
sgemm_64 = cblas(ir.FloatType(), ir.IntType(64), GEMM_SIZES, GEMM_TURNED)
dgemm_64 = cblas(ir.DoubleType(), ir.IntType(64), GEMM_SIZES, GEMM_TURNED)
sgemm_32 = cblas(ir.FloatType(), ir.IntType(32), GEMM_SIZES, GEMM_TURNED)
dgemm_32 = cblas(ir.DoubleType(), ir.IntType(32), GEMM_SIZES, GEMM_TURNED)
sgemv_64 = cblas(ir.FloatType(), ir.IntType(64), GEMV_SIZES, GEMV_TURNED)
dgemv_64 = cblas(ir.DoubleType(), ir.IntType(64), GEMV_SIZES, GEMV_TURNED)
sgemv_32 = cblas(ir.FloatType(), ir.IntType(32), GEMV_SIZES, GEMV_TURNED)
dgemv_32 = cblas(ir.DoubleType(), ir.IntType(32), GEMV_SIZES, GEMV_TURNED)


@inner
def run_steps(table_address, frame, frame_address):
    """0, or the status of the first step that asked for a side exit, or in which an error was raised."""
    table = pointer_i64(table_address)
    operands = table[OPERANDS]
    watched = pointer_i64(table[WATCHED])
    position = table_address + 8 * table[STEP_RECORDS]
    number = 0
    while number < table[STEP_COUNT]:
        record = pointer_i64(position)
        number += 1
        if record[TAG] == STEP_KERNEL:
            lay_out(record, frame, operands, watched)
            sizes = position + 8 * (KERNEL_OPERANDS + 2 * record[KERNEL_OPERAND_COUNT])
            addresses = frame_address + 8 * operands
            frame[operands + record[KERNEL_OPERAND_COUNT]] = frame_address + 8 * FRAME_ZERO  # nobody else can fail
            if record[KERNEL_CHUNK] > 0 and pointer_i64(table[TEAM])[TEAM_THREADS] > 1:
                status = share_kernel(table[TEAM], record, addresses, sizes)
            else:
                status = call_kernel(record[STEP_ADDRESS], addresses, sizes, 0, record[KERNEL_EXTENT])
            if status != 0:
                return status
        elif record[TAG] == STEP_TABLE:
            if record[TABLE_CHUNKS] > 0 and pointer_i64(table[TEAM])[TEAM_THREADS] > 1:
                status = share_table(table[TEAM], position, frame_address, table[WATCHED])
            else:
                status = run_table(position, frame, frame_address, operands, watched)
            if status != 0:
                return status
        elif record[TAG] == STEP_LOOP_BEGIN:
            begin_loop(record, frame, watched)
        elif record[TAG] == STEP_LOOP_END:
            if goes_on(record, frame):
                number = record[LOOP_FIRST_STEP]
                position -= 8 * record[LOOP_BACK]
                continue
        elif record[TAG] == STEP_JUMP:
            if jumps(record, frame, watched):
                number += record[JUMP_OVER]
                position += 8 * record[JUMP_WORDS]
                continue
        elif record[TAG] == STEP_CALL_OUT:
            lay_out(record, frame, operands, watched)
            lay_out_sizes(record, frame, operands)
            if ask_python(record[STEP_ADDRESS], frame_address + 8 * operands) != 1:
                return 1
        else:
            multiply(record, frame, watched)
        position += 8 * record[LENGTH]
    return 0


@inner
def lay_out(record, frame, operands, watched):
    """Nothing, once the addresses of a step's operands lie one after the other."""
    for index in range(record[KERNEL_OPERAND_COUNT]):
        at = KERNEL_OPERANDS + 2 * index
        frame[operands + index] = base(frame, watched, record[at]) + record[at + 1]


@inner
def lay_out_sizes(record, frame, operands):
    """Nothing, once the sizes of a step lie behind its operands' addresses."""
    count = record[KERNEL_OPERAND_COUNT]
    first = KERNEL_OPERANDS + 2 * count
    for index in range(record[LENGTH] - first):
        frame[operands + count + index] = record[first + index]


@inner
def begin_loop(record, frame, watched):
    """Nothing, once all addresses that a loop moves are where they begin."""
    frame[record[LOOP_COUNTER]] = record[LOOP_TRIPS]
    at = LOOP_FIRST_START
    for _ in range(record[LOOP_STARTS]):
        frame[record[at]] = base(frame, watched, record[at + 1]) + record[at + 2]
        at += 3


@inner
def goes_on(record, frame):
    """Whether there is another round, for which all addresses are right then."""
    left = frame[record[LOOP_COUNTER]] - 1
    frame[record[LOOP_COUNTER]] = left
    if left <= 0:
        return False
    at = LOOP_FIRST_MOVE
    for _ in range(record[LOOP_MOVES]):
        frame[record[at]] += record[at + 1]
        at += 2
    for _ in range(record[LOOP_TURNS]):
        frame[record[at]] = frame[record[at + 1]]
        frame[record[at + 1]] = frame[record[at + 2]]
        frame[record[at + 2]] = frame[record[at]]
        at += 3
    return True


@inner
def jumps(record, frame, watched):
    """Whether the steps behind a jump are left out."""
    if record[JUMP_ASKS] == 0:
        return True
    return pointer_u8(base(frame, watched, record[JUMP_TEST]) + record[JUMP_TEST + 1])[0] == 0


@inner
def share_kernel(team_address, record, addresses, sizes):
    """0, or the status of a chunk that asked for a side exit, once a team has run all chunks of a kernel."""
    job_address = job_block()
    job = pointer_i64(job_address)
    job[JOB_KERNEL] = record[STEP_ADDRESS]
    job[JOB_SIZES] = sizes
    job[JOB_ADDRESSES] = addresses
    job[JOB_ROWS] = 0
    job[JOB_ASKS] = record[KERNEL_ASKS]
    job[JOB_WAKES] = record[KERNEL_WAKES]
    pointer_i64(addresses)[record[KERNEL_OPERAND_COUNT]] = job_address + 8 * JOB_STATUS
    cut(team_address, job, record[KERNEL_EXTENT], record[KERNEL_CHUNK], record[KERNEL_TURNS])
    return run_job(team_address, job_address)


@inner
def share_table(team_address, position, frame_address, watched_address):
    """0, or the status of a chunk that asked for a side exit, once a team has run all chunks of a table's rows."""
    record = pointer_i64(position)
    job_address = job_block()
    job = pointer_i64(job_address)
    job[JOB_KERNEL] = record[STEP_ADDRESS]
    job[JOB_SIZES] = position + 8 * TABLE_FIRST
    job[JOB_ROWS] = position + 8 * (TABLE_FIRST + record[TABLE_SIZES])
    job[JOB_OPERANDS] = record[TABLE_OPERAND_COUNT]
    job[JOB_STARTS] = job[JOB_ROWS] + 8 * record[TABLE_ROWS] * (1 + 2 * record[TABLE_OPERAND_COUNT])
    job[JOB_ASKS] = 0
    job[JOB_WAKES] = record[TABLE_WAKES]
    job[JOB_FRAME] = frame_address
    job[JOB_WATCHED] = watched_address
    cut(team_address, job, record[TABLE_CHUNKS], 1, record[TABLE_TURNS])
    return run_job(team_address, job_address)


@inner
def cut(team_address, job, extent, least, chunks_per_thread):
    """Nothing, once it is said how the job is cut: each chunk is one of so many shares of what is left, for each thread
    `chunks_per_thread`, in multiples of the least. Where a thread is to take one chunk, all are of one size."""
    threads = pointer_i64(team_address)[TEAM_THREADS]
    number = (extent + least - 1) // least
    chunk = least if chunks_per_thread > 1 else least * ((number + threads - 1) // threads)
    job[JOB_EXTENT] = extent
    job[JOB_SHARES] = threads * chunks_per_thread
    job[JOB_CHUNK] = chunk
    job[JOB_CHUNKS] = (extent + chunk - 1) // chunk


@inner
def run_table(position, frame, frame_address, operands, watched):
    """0, or the status of the first row that asked for a side exit."""
    record = pointer_i64(position)
    count = record[TABLE_OPERAND_COUNT]
    sizes = position + 8 * TABLE_FIRST
    addresses = frame_address + 8 * operands
    row_address = sizes + 8 * record[TABLE_SIZES]
    for _ in range(record[TABLE_ROWS]):
        bind_row(row_address, addresses, count, frame, watched)
        status = call_kernel(record[STEP_ADDRESS], addresses, sizes, 0, pointer_i64(row_address)[0])
        if status != 0:
            return status
        row_address += 8 * (1 + 2 * count)
    return 0


@inner
def multiply(record, frame, watched):
    """Nothing, once every product of a batch is made."""
    a = base(frame, watched, record[GEMM_LEFT + OPERAND_WORD]) + record[GEMM_LEFT + OPERAND_OFFSET]
    b = base(frame, watched, record[GEMM_RIGHT + OPERAND_WORD]) + record[GEMM_RIGHT + OPERAND_OFFSET]
    c = base(frame, watched, record[GEMM_RESULT + OPERAND_WORD]) + record[GEMM_RESULT + OPERAND_OFFSET]
    for _ in range(record[GEMM_BATCH]):
        multiply_one(record, a, b, c)
        a += record[GEMM_LEFT + OPERAND_BATCH_STRIDE]
        b += record[GEMM_RIGHT + OPERAND_BATCH_STRIDE]
        c += record[GEMM_RESULT + OPERAND_BATCH_STRIDE]


@inner
def multiply_one(record, a, b, c):
    """Nothing, once c = a @ b is made."""
    tag = record[TAG]
    if tag == STEP_SGEMM_64:
        sgemm_64(record, a, b, c)
    elif tag == STEP_DGEMM_64:
        dgemm_64(record, a, b, c)
    elif tag == STEP_SGEMM_32:
        sgemm_32(record, a, b, c)
    elif tag == STEP_DGEMM_32:
        dgemm_32(record, a, b, c)
    elif tag == STEP_SGEMV_64:
        sgemv_64(record, a, b, c)
    elif tag == STEP_DGEMV_64:
        dgemv_64(record, a, b, c)
    elif tag == STEP_SGEMV_32:
        sgemv_32(record, a, b, c)
    else:
        dgemv_32(record, a, b, c)
