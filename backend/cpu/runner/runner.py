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

from numba import types

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i32, pointer_i64
from ..plan.table_layout import *
from .checks import (
    WORD,
    accepts_error_state,
    bound,
    decref,
    external,
    overlapping,
    owners_bound,
    stack_block,
    stack_words,
)
from .steps import run_steps
from .watched_slots import call_ended, incref, no_memory, raw_free, raw_malloc, watched_slots_fit

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
set_memory_handler = external("guardlift_set_memory_handler", WORD, WORD)
error_clear = external("PyErr_Clear", types.void)


stack_frame = stack_block(STACK_FRAME_BYTES)


def launch(owner, arguments, nargs):
    """The builtin: `owner` is the plan's table (an ndarray), `arguments` the positional arguments."""
    table_address = pointer_i64(owner + ARRAY_DATA)[0]
    table = pointer_i64(table_address)
    if nargs != table[ARGUMENT_COUNT]:
        return held(table[GUARD_FAILED])
    spare = stack_words()
    if table[ERRSTATE_ACCEPTED] != 0:
        accepted = accepts_error_state(table, spare)
        if accepted < 0:
            return 0
        if accepted == 0:
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
    watched = table[WATCHED]
    if watched != 0 and not watched_slots_fit(watched, spare):
        return held(table[GUARD_FAILED])
    if overlapping(table_address, frame):
        return held(table[GUARD_FAILED])
    table[SERVED] += 1
    # From here on other code may run, which may take a slot's array away: without the GIL, or when memory is collected.
    first = table[REACHED_WORD]
    for index in range(table[REACHED_COUNT]):
        incref(frame[first + index])
    if watched != 0:
        pointer_i64(watched)[WATCHED_CALLS] += 1
    result = executed(table_address, arguments, frame, frame_address)
    if watched != 0:
        call_ended(watched)
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
        if error_occurred() != 0:
            return 0
        table[SERVED] -= 1
        return held(table[SIDE_EXIT])
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
    nbytes = record[OUTPUT_ITEM_BYTES]
    sizes = pointer_i64(shape)
    for axis in range(rank):
        nbytes *= sizes[axis]
    before = 0
    if nbytes >= LARGE_RESULT_BYTES:
        memory = pointer_i64(table[RESULT_MEMORY])
        before = set_memory_handler(memory[MEMORY_HANDLER])
        if before == 0:
            return 0
        if before != memory[MEMORY_DEFAULT]:  # the program gives memory in a way of its own
            handler_restored(before)
            before = 0
    incref(record[OUTPUT_DESCRIPTOR])  # the new array takes one reference
    array = array_new(table[ARRAY_TYPE], record[OUTPUT_DESCRIPTOR], rank, shape, strides, 0, 0, 0)
    if before != 0:
        handler_restored(before)
    return array


@inner
def handler_restored(before):
    """Nothing, once NumPy asks `before` for memory again, a reference to which is given up."""
    ours = set_memory_handler(before)
    if ours != 0:
        decref(ours)
    else:
        error_clear()
    decref(before)


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
    """The object that the call returns: None, the one output, or a tuple. It takes over the references in the frame."""
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
