"""The native runner's source: one function that executes any launch plan, as a METH_FASTCALL builtin.

Compiled once by Numba and kept on disk like a kernel. Imports numba: only the compiler imports this module, a warm
process reads the object. Addresses are int64 throughout; `pointer_i64(address)[k]` is the k-th word there.
Words of tables, records and frames have their names in `table_layout`.

A call goes: check and bind the arguments, make fresh outputs, run the steps, make views and scalars, return.
"""

# The functions below are typed by Numba, not by annotations. Sixty constants come from `table_layout` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from .object_library import linked
from .pointers import pointer_i32, pointer_i64, pointer_u8
from .runner_checks import (
    WORD,
    base,
    bound,
    decref,
    error_state,
    external,
    overlapping,
    owners_bound,
    stack_block,
    stack_words,
)
from .runner_posts import call_ended, incref, no_memory, posts_fit, raw_free, raw_malloc
from .table_layout import *

inner = linked()

save_thread = external("PyEval_SaveThread", WORD)
restore_thread = external("PyEval_RestoreThread", types.void, WORD)
error_occurred = external("PyErr_Occurred", WORD)
tuple_new = external("PyTuple_New", WORD, WORD)
tuple_set = external("PyTuple_SetItem", types.int32, WORD, WORD, WORD)
# NumPy's functions have no exported names; the loader is given these.
array_new = external("guardlift_array_new", WORD, WORD, WORD, types.int32, WORD, WORD, WORD, types.int32, WORD)
array_set_base = external("guardlift_array_set_base", types.int32, WORD, WORD)
scalar_new = external("guardlift_scalar_new", WORD, WORD, WORD, WORD)


@intrinsic  # type: ignore[untyped-decorator]
def call_kernel(typingctx: Any, address: Any, addresses: Any, sizes: Any, extent: Any) -> Any:
    """The status of the kernel at `address`, run over 0 .. extent."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(values[0], ir.FunctionType(word, [word] * 4).as_pointer())
        return builder.call(function, [values[1], values[2], word(0), values[3]])

    return WORD(WORD, WORD, WORD, WORD), codegen


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
stack_frame = stack_block(STACK_FRAME_BYTES)


def launch(owner, arguments, nargs):
    """The builtin: `owner` is the plan's table (an ndarray), `arguments` the positional arguments."""
    table_address = pointer_i64(owner + ARRAY_DATA)[0]
    table = pointer_i64(table_address)
    if nargs != table[ARGUMENT_COUNT]:
        return held(table[GUARD_FAILED])
    spare = stack_words()
    if table[ERRSTATE_ACCEPTED] != 0:
        state = error_state(table, spare)
        if state == 0:
            return 0
        if state != pointer_i64(table[ERRSTATE_ACCEPTED])[0]:
            return held(table[GUARD_FAILED])
    # One call of `run`, not one for each kind of frame: the compiler inlines everything below here.
    on_stack = table[FRAME_BYTES] <= STACK_FRAME_BYTES
    frame_address = stack_frame() if on_stack else take_frame(table)
    if frame_address == 0:
        return no_memory()
    result = run(table_address, arguments, frame_address, spare)
    if not on_stack:
        head = pointer_i64(table[FRAME_LIST])
        pointer_i64(frame_address)[FRAME_ZERO] = head[0]
        head[0] = frame_address
    return result


@inner
def run(table_address, arguments, frame_address, spare):
    """The call's result in a frame of its own; 0 with an exception set."""
    table = pointer_i64(table_address)
    frame = pointer_i64(frame_address)
    frame[FRAME_ZERO] = 0
    frame[FRAME_SELF] = frame_address
    if not bound(table_address, arguments, frame, frame_address, spare):
        return held(table[GUARD_FAILED])
    if not owners_bound(table_address, frame):
        return held(table[GUARD_FAILED])
    posts = table[POSTS]
    if posts != 0 and not posts_fit(posts, spare):
        return held(table[GUARD_FAILED])
    if overlapping(table_address, frame):
        return held(table[GUARD_FAILED])
    table[USED] = 1
    # From here on other code may run, which may take a slot's array away: without the GIL, or when memory is collected.
    first = table[REACHED_WORD]
    for index in range(table[REACHED_COUNT]):
        incref(frame[first + index])
    if posts != 0:
        pointer_i64(posts)[POST_CALLS] += 1
    result = executed(table_address, arguments, frame, frame_address)
    if posts != 0:
        call_ended(posts)
    for index in range(table[REACHED_COUNT]):
        decref(frame[first + index])
    return result


@inner
def executed(table_address, arguments, frame, frame_address):
    """The result once all checks are passed; 0 with an exception set."""
    table = pointer_i64(table_address)
    if not made_fresh(table_address, frame):
        return 0
    release = table[RELEASE_GIL] != 0
    thread = save_thread() if release else 0
    status = run_steps(table_address, frame, frame_address)
    if release:
        restore_thread(thread)
    if status != 0:
        drop(table_address, frame, table[OUTPUT_COUNT])
        return 0 if error_occurred() != 0 else held(table[SIDE_EXIT])
    if not finished(table_address, arguments, frame, frame_address):
        return 0
    return result_object(table_address, frame)


# -- frames ------------------------------------------------------------------------------------------------------------
@inner
def take_frame(table):
    """Address of a free frame, a new one if none is large enough, 0 without memory. The GIL guards the lists.

    Before a new one is made, those that are too small are given back: of the large ones, which plans share, no more are
    kept than are in use at one time.
    """
    link = table[FRAME_LIST]
    frame_address = pointer_i64(link)[0]
    while frame_address != 0:
        if pointer_i64(frame_address - 16)[0] >= table[FRAME_BYTES]:
            pointer_i64(link)[0] = pointer_i64(frame_address)[FRAME_ZERO]
            return frame_address
        link = frame_address + 8 * FRAME_ZERO
        frame_address = pointer_i64(link)[0]
    frame_address = pointer_i64(table[FRAME_LIST])[0]
    pointer_i64(table[FRAME_LIST])[0] = 0
    while frame_address != 0:
        block = pointer_i64(frame_address - 8)[0]
        frame_address = pointer_i64(frame_address)[FRAME_ZERO]
        raw_free(block)
    block = raw_malloc(table[FRAME_BYTES] + FRAME_ALIGNMENT + 16)
    if block == 0:
        return 0
    frame_address = (block + 16 + FRAME_ALIGNMENT - 1) & -FRAME_ALIGNMENT
    pointer_i64(frame_address - 8)[0] = block  # what is given back
    pointer_i64(frame_address - 16)[0] = table[FRAME_BYTES]
    return frame_address


# -- outputs -----------------------------------------------------------------------------------------------------------
@inner
def made_fresh(table_address, frame):
    """Whether all fresh outputs exist; if not, an exception is set and none does."""
    table = pointer_i64(table_address)
    position = table_address + 8 * table[OUTPUT_RECORDS]
    for index in range(table[OUTPUT_COUNT]):
        record = pointer_i64(position)
        frame[record[OUTPUT_OBJECT]] = 0
        if record[TAG] == OUTPUT_FRESH:
            array = fresh_array(table, position)
            if array == 0:
                drop(table_address, frame, index)
                return False
            frame[record[OUTPUT_OBJECT]] = array
            frame[record[OUTPUT_WORD]] = pointer_i64(array + ARRAY_DATA)[0]
        position += 8 * record[LENGTH]
    return True


@inner
def fresh_array(table, position):
    """A new array that owns its memory; 0 with an exception set."""
    record = pointer_i64(position)
    rank = record[OUTPUT_RANK]
    shape = position + 8 * OUTPUT_SHAPE
    strides = shape + 8 * rank if record[OUTPUT_STRIDED] != 0 else 0
    incref(record[OUTPUT_DESCRIPTOR])  # the new array takes one reference
    return array_new(table[ARRAY_TYPE], record[OUTPUT_DESCRIPTOR], rank, shape, strides, 0, 0, 0)


@inner
def finished(table_address, arguments, frame, frame_address):
    """Whether the outputs that are no fresh arrays exist too; if not, an exception is set and all are dropped."""
    table = pointer_i64(table_address)
    position = table_address + 8 * table[OUTPUT_RECORDS]
    for _ in range(table[OUTPUT_COUNT]):
        record = pointer_i64(position)
        tag = record[TAG]
        made = frame[record[OUTPUT_OBJECT]]
        if tag == OUTPUT_SCALAR:
            made = scalar_new(frame_address + record[OUTPUT_OFFSET], record[OUTPUT_DESCRIPTOR], 0)
        elif tag == OUTPUT_VIEW:
            made = view(table, position, arguments, frame)
        elif tag == OUTPUT_INPUT:
            made = held(arguments[record[OUTPUT_ARGUMENT]])
        if made == 0:
            drop(table_address, frame, table[OUTPUT_COUNT])
            return False
        frame[record[OUTPUT_OBJECT]] = made
        position += 8 * record[LENGTH]
    return True


@inner
def view(table, position, arguments, frame):
    """A new view of an argument or a fresh array, with the writeable flag of its base; 0 with an exception set."""
    record = pointer_i64(position)
    if record[OUTPUT_BASE_ARGUMENT] >= 0:
        base = arguments[record[OUTPUT_BASE_ARGUMENT]]
    else:
        base = frame[record[OUTPUT_BASE_OBJECT]]
    descriptor = record[OUTPUT_DESCRIPTOR]
    if descriptor == 0:
        descriptor = pointer_i64(base + ARRAY_DESCRIPTOR)[0]
    incref(descriptor)
    shape = position + 8 * OUTPUT_SHAPE
    rank = record[OUTPUT_RANK]
    data = frame[record[OUTPUT_WORD]] + record[OUTPUT_OFFSET]
    flags = pointer_i32(base + ARRAY_FLAGS)[0]
    array = array_new(table[ARRAY_TYPE], descriptor, rank, shape, shape + 8 * rank, data, flags, 0)
    if array == 0:
        return 0
    if array_set_base(array, held(base)) != 0:  # takes the reference to base, also when it fails
        decref(array)
        return 0
    return array


@inner
def result_object(table_address, frame):
    """What the call returns: None, the one output, or a tuple. It takes over the references in the frame."""
    table = pointer_i64(table_address)
    mode = table[RESULT]
    if mode == RESULT_NONE:
        return held(table[NOTHING])
    position = table_address + 8 * table[OUTPUT_RECORDS]
    if mode == RESULT_BARE:
        return frame[pointer_i64(position)[OUTPUT_OBJECT]]
    count = table[OUTPUT_COUNT]
    result = tuple_new(count)
    if result == 0:
        drop(table_address, frame, count)
        return 0
    for index in range(count):
        record = pointer_i64(position)
        tuple_set(result, index, frame[record[OUTPUT_OBJECT]])
        position += 8 * record[LENGTH]
    return result


@inner
def drop(table_address, frame, count):
    """Give up the first `count` outputs, those that exist."""
    table = pointer_i64(table_address)
    position = table_address + 8 * table[OUTPUT_RECORDS]
    for _ in range(count):
        record = pointer_i64(position)
        made = frame[record[OUTPUT_OBJECT]]
        if made != 0:
            decref(made)
        position += 8 * record[LENGTH]


@inner
def held(thing):
    """`thing`, with one reference more."""
    incref(thing)
    return thing


# -- steps: nothing here touches a Python object, so they run without the GIL too -------------------------------------
@inner
def run_steps(table_address, frame, frame_address):
    """0, or the status of the first kernel that asked for a side exit."""
    table = pointer_i64(table_address)
    operands = table[OPERANDS]
    posts = pointer_i64(table[POSTS])
    position = table_address + 8 * table[STEP_RECORDS]
    number = 0
    while number < table[STEP_COUNT]:
        record = pointer_i64(position)
        number += 1
        if record[TAG] == STEP_KERNEL:
            count = record[KERNEL_OPERAND_COUNT]
            for index in range(count):
                at = KERNEL_OPERANDS + 2 * index
                frame[operands + index] = base(frame, posts, record[at]) + record[at + 1]
            sizes = position + 8 * (KERNEL_OPERANDS + 2 * count)
            table_of_addresses = frame_address + 8 * operands
            status = call_kernel(record[STEP_ADDRESS], table_of_addresses, sizes, record[KERNEL_EXTENT])
            if status != 0:
                return status
        elif record[TAG] == STEP_TABLE:
            status = run_table(position, frame, frame_address, operands, posts)
            if status != 0:
                return status
        elif record[TAG] == STEP_LOOP_BEGIN:
            begin_loop(record, frame, posts)
        elif record[TAG] == STEP_LOOP_END:
            if goes_on(record, frame):
                number = record[LOOP_FIRST_STEP]
                position -= 8 * record[LOOP_BACK]
                continue
        elif record[TAG] == STEP_JUMP:
            if jumps(record, frame, posts):
                number += record[JUMP_OVER]
                position += 8 * record[JUMP_WORDS]
                continue
        else:
            multiply(record, frame, posts)
        position += 8 * record[LENGTH]
    return 0


@inner
def begin_loop(record, frame, posts):
    """Nothing, once all addresses that a loop moves are where they begin."""
    frame[record[LOOP_COUNTER]] = record[LOOP_TRIPS]
    at = LOOP_FIRST_START
    for _ in range(record[LOOP_STARTS]):
        frame[record[at]] = base(frame, posts, record[at + 1]) + record[at + 2]
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
def jumps(record, frame, posts):
    """Whether the steps behind a jump are left out."""
    if record[JUMP_ASKS] == 0:
        return True
    return pointer_u8(base(frame, posts, record[JUMP_TEST]) + record[JUMP_TEST + 1])[0] == 0


@inner
def run_table(position, frame, frame_address, operands, posts):
    """0, or the status of the first row that asked for a side exit."""
    record = pointer_i64(position)
    count = record[TABLE_OPERAND_COUNT]
    sizes = position + 8 * TABLE_FIRST
    table_of_addresses = frame_address + 8 * operands
    addresses = pointer_i64(table_of_addresses)
    row_address = sizes + 8 * record[TABLE_SIZES]
    for _ in range(record[TABLE_ROWS]):
        row = pointer_i64(row_address)
        for index in range(count):
            addresses[index] = base(frame, posts, row[1 + 2 * index]) + row[2 + 2 * index]
        status = call_kernel(record[STEP_ADDRESS], table_of_addresses, sizes, row[0])
        if status != 0:
            return status
        row_address += 8 * (1 + 2 * count)
    return 0


@inner
def multiply(record, frame, posts):
    """Nothing, once every product of a batch is made."""
    a = base(frame, posts, record[GEMM_LEFT + OPERAND_WORD]) + record[GEMM_LEFT + OPERAND_OFFSET]
    b = base(frame, posts, record[GEMM_RIGHT + OPERAND_WORD]) + record[GEMM_RIGHT + OPERAND_OFFSET]
    c = base(frame, posts, record[GEMM_RESULT + OPERAND_WORD]) + record[GEMM_RESULT + OPERAND_OFFSET]
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
