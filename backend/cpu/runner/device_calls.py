"""The source of the builtin that checks a call on a GPU and launches its kernels: see `cuda.native.native_call`.

It holds the GIL from the first check to the last launch, so what it has found stays where it is until the device has
been told of it; whoever frees memory then does so behind these launches. Imports numba: only the compiler imports this.
"""

# The functions below are typed by Numba, not by annotations. Constants come from the tables' layouts by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from numba import types

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i32, pointer_i64
from ..plan.issue_table import *
from ..plan.table_layout import (
    ARRAY_DATA,
    DESCRIPTOR_TYPE_NUMBER,
    FLOAT_VALUE,
    OBJECT_TYPE,
    PATH_LENGTH,
    PATH_OWNER,
    WEAK_REFERENCE_OBJECT,
)
from .checks import WORD, external, followed, long_value, scalar_read, stack_words
from .device_launches import fill_in, launch_all, put_block, set_word

inner = linked()
incref = external("Py_IncRef", types.void, WORD)
equal = external("PyObject_RichCompareBool", types.int32, WORD, WORD, types.int32)
allocate = external("PyType_GenericAlloc", WORD, WORD, WORD)
long_new = external("PyLong_FromLongLong", WORD, WORD)
tuple_new = external("PyTuple_New", WORD, WORD)
tuple_set = external("PyTuple_SetItem", types.int32, WORD, WORD, WORD)
error_clear = external("PyErr_Clear", types.void)
EQUAL = 2  # Py_EQ
FIRST_INT, LAST_INT = 5, 10  # of NumPy's numbers: those of C's int, long and long long, of which two are as wide
FITS, MISFIT, UNKNOWN = 1, 0, -1


def issue(owner, arguments, nargs):
    """The builtin: `owner` is the table. The results; one of two objects of the table; or an int where a launch failed,
    the driver's status, and in its upper half how many launches came before. 0 with an exception set.

    Without the stream's words and the addresses of fresh memory it only checks."""
    address = pointer_i64(owner + ARRAY_DATA)[0]
    table = pointer_i64(address)
    table[ISSUE_STATUS] = 0
    answer = issued(address, arguments, nargs, stack_words())
    if table[ISSUE_STATUS] != 0:
        return long_new(table[ISSUE_STATUS])
    if answer != 0:
        incref(answer)
        return answer
    table[ISSUE_SERVED] += 1
    return results(address, arguments, nargs - table[ISSUE_FRESH])


@inner
def issued(address, arguments, nargs, spare):
    """The answer to a call that was not launched, 0 for one that was, or if a launch failed."""
    table = pointer_i64(address)
    only_checks = nargs == table[ISSUE_ARGUMENTS] - table[ISSUE_FRESH] - 1
    if nargs != table[ISSUE_ARGUMENTS] and not only_checks:
        return table[ISSUE_REFUSED]
    fits = given_fit(address, arguments, spare)
    if fits == FITS:
        fits = owned_fit(address, spare)
    if fits == FITS:
        fits = watched_fit(address)
    if fits == MISFIT:
        return table[ISSUE_REFUSED]
    if fits == UNKNOWN or only_checks or not are_apart(address):
        return table[ISSUE_ASK]
    frame = pointer_i64(address + 8 * table[ISSUE_FRAME])
    first = nargs - table[ISSUE_FRESH]
    for k in range(table[ISSUE_FRESH]):
        frame[table[ISSUE_FRESH_WORD] + k] = long_value(arguments[first + k], spare)
    stream = pointer_i64(long_value(arguments[first - 1], spare))
    if table[ISSUE_ARENA_NBYTES] > stream[STREAM_ARENA_NBYTES]:
        return table[ISSUE_ASK]
    if table[ISSUE_ARENA_NBYTES] > 0:
        frame[table[ISSUE_ARENA_WORD]] = stream[STREAM_ARENA]
    if table[ISSUE_BUILDS] != 0 and table[ISSUE_SERVED] > 0:
        return table[ISSUE_ASK]
    fill_in(address)
    table[ISSUE_STATUS] = put_block(address, stream[STREAM_HANDLE])
    if table[ISSUE_STATUS] == 0:
        table[ISSUE_STATUS] = launch_all(address, stream[STREAM_HANDLE])
    return 0


# -- checks ------------------------------------------------------------------------------------------------------------
@inner
def given_fit(address, arguments, spare):
    """Whether the arguments are what the plan was made for; addresses are in the frame, scalars in the block then."""
    table = pointer_i64(address)
    position = address + 8 * table[ISSUE_INPUTS]
    for k in range(table[ISSUE_ARGUMENTS] - table[ISSUE_FRESH] - 1):
        record = pointer_i64(position)
        argument = arguments[k]
        if pointer_i64(argument + OBJECT_TYPE)[0] != record[GIVEN_TYPE]:
            return MISFIT
        tag = record[GIVEN_TAG]
        if tag == GIVEN_ARRAY:
            path = position + 8 * GIVEN_PATH
            fits = array_fits(address, followed(argument, path), path + 8 * pointer_i64(path)[PATH_LENGTH], spare)
            if fits != FITS:
                return fits
        elif tag == GIVEN_IDENTITY:
            if argument != record[GIVEN_OBJECT]:
                return MISFIT
        elif tag == GIVEN_FLOAT:
            set_word(table, record[GIVEN_PLACE], pointer_i64(argument + FLOAT_VALUE)[0])
        elif tag == GIVEN_INT:
            value = long_value(argument, spare)
            if pointer_i32(spare)[0] != 0:
                return MISFIT
            set_word(table, record[GIVEN_PLACE], value)
        elif tag == GIVEN_BOOL:
            set_word(table, record[GIVEN_PLACE], 1 if argument == table[ISSUE_TRUE] else 0)
        else:
            pointer_i64(spare)[1] = 0
            scalar_read(argument, spare + 8)
            set_word(table, record[GIVEN_PLACE], pointer_i64(spare)[1])
        position += 8 * record[GIVEN_LENGTH]
    return FITS


@inner
def owned_fit(address, spare):
    """Whether the arrays that are reached from owners fit, and all other paths get to their end."""
    table = pointer_i64(address)
    position = address + 8 * table[ISSUE_OWNERS]
    for _ in range(table[ISSUE_OWNER_COUNT]):
        path = pointer_i64(position)
        array = followed(pointer_i64(path[PATH_OWNER] + WEAK_REFERENCE_OBJECT)[0], position)
        position += 8 * path[PATH_LENGTH]
        fits = array_fits(address, array, position, spare)
        if fits != FITS:
            return fits
        position += 8 * ASKED_WORDS
    for _ in range(table[ISSUE_CHECK_COUNT]):
        path = pointer_i64(position)
        if followed(pointer_i64(path[PATH_OWNER] + WEAK_REFERENCE_OBJECT)[0], position) == 0:
            return MISFIT
        position += 8 * path[PATH_LENGTH]
    return FITS


@inner
def watched_fit(address):
    """Whether all watched slots fit, as far as their owners know; Python looks at them where they do not."""
    table = pointer_i64(address)
    count = table[ISSUE_WATCHED_COUNT]
    if count == 0:
        return FITS
    if pointer_i64(table[ISSUE_MOVES])[0] != table[ISSUE_SEEN]:
        return UNKNOWN
    frame, words = pointer_i64(address + 8 * table[ISSUE_FRAME]), pointer_i64(address + 8 * table[ISSUE_WATCHED])
    missing = 0
    for k in range(count):
        missing += 1 if frame[words[k]] == 0 else 0
    return FITS if missing == 0 else UNKNOWN


@inner
def array_fits(address, array, position, spare):
    """Whether an array on the device is laid out as asked at `position`; its address is in the frame then."""
    table = pointer_i64(address)
    asked = pointer_i64(position)
    if array == 0 or pointer_i64(array + OBJECT_TYPE)[0] != table[ISSUE_ARRAY_TYPE]:
        return MISFIT
    fits = same(table, pointer_i64(array + table[ISSUE_SHAPE])[0], asked[ASKED_SHAPE])
    if fits != FITS:
        return fits
    fits = dtype_fits(pointer_i64(array + table[ISSUE_DTYPE])[0], asked[ASKED_DTYPE])
    if fits != FITS:
        return fits
    held = pointer_i64(array + table[ISSUE_STRIDES])[0]
    if same(table, held, asked[ASKED_STRIDES]) != FITS:
        return UNKNOWN  # the strides of axes of one element do not matter
    if asked[ASKED_WRITEABLE] != 0 and pointer_i64(array + table[ISSUE_WRITEABLE])[0] != table[ISSUE_TRUE]:
        return UNKNOWN
    number = pointer_i64(array + table[ISSUE_ADDRESS])[0]
    if number == 0 or pointer_i64(number + OBJECT_TYPE)[0] != table[ISSUE_INT_TYPE]:
        return UNKNOWN
    data = long_value(number, spare)
    if pointer_i32(spare)[0] != 0 or data & asked[ASKED_ALIGNED] != 0:
        return UNKNOWN
    frame = pointer_i64(address + 8 * table[ISSUE_FRAME])
    if frame[asked[ASKED_WORD]] != data:
        frame[asked[ASKED_WORD]] = data
        table[ISSUE_APART] = 0
    return FITS


@inner
def dtype_fits(found, wanted):
    """Whether two dtypes are one; others of one number, and two kinds of integers, may be equal still. They are not
    compared here, which could make objects, and so collect garbage in the midst of a call."""
    if found == wanted:
        return FITS
    if found == 0 or pointer_i64(found + OBJECT_TYPE)[0] == pointer_i64(wanted + OBJECT_TYPE)[0]:
        return UNKNOWN
    one, other = dtype_number(found), dtype_number(wanted)
    return UNKNOWN if FIRST_INT <= one <= LAST_INT and FIRST_INT <= other <= LAST_INT else MISFIT


@inner
def dtype_number(dtype):
    """NumPy's number of a dtype."""
    return pointer_i32(dtype + DESCRIPTOR_TYPE_NUMBER)[0]


@inner
def same(table, one, other):
    """Whether two tuples of ints, of which the first may be another object, are one or equal."""
    if one == other:
        return FITS
    if one == 0 or pointer_i64(one + OBJECT_TYPE)[0] != table[ISSUE_TUPLE_TYPE]:
        return UNKNOWN
    found = equal(one, other, EQUAL)
    if found < 0:
        error_clear()
        return UNKNOWN
    return FITS if found == 1 else MISFIT


@inner
def are_apart(address):
    """Whether no array that is written shares a byte with another one. The order of the arrays is kept for the next
    call, whose arrays mostly lie in the same one."""
    table = pointer_i64(address)
    if table[ISSUE_APART] != 0:
        return True
    frame, first = pointer_i64(address + 8 * table[ISSUE_FRAME]), address + 8 * table[ISSUE_EXTENTS]
    count = table[ISSUE_EXTENT_COUNT]
    for k in range(1, count):
        place = first + 8 * EXTENT_WORDS * k
        extent = pointer_i64(place)
        word, low, high, written = (
            extent[EXTENT_WORD],
            extent[EXTENT_LOW],
            extent[EXTENT_HIGH],
            extent[EXTENT_WRITTEN],
        )
        start = frame[word] + low
        while place > first:
            before = pointer_i64(place - 8 * EXTENT_WORDS)
            if frame[before[EXTENT_WORD]] + before[EXTENT_LOW] <= start:
                break
            for field in range(EXTENT_WORDS):
                pointer_i64(place)[field] = before[field]
            place -= 8 * EXTENT_WORDS
        extent = pointer_i64(place)
        extent[EXTENT_WORD] = word
        extent[EXTENT_LOW] = low
        extent[EXTENT_HIGH] = high
        extent[EXTENT_WRITTEN] = written
    reached, written_to = 0, 0
    for k in range(count):
        extent = pointer_i64(first + 8 * EXTENT_WORDS * k)
        start, end = frame[extent[EXTENT_WORD]] + extent[EXTENT_LOW], frame[extent[EXTENT_WORD]] + extent[EXTENT_HIGH]
        if start < (reached if extent[EXTENT_WRITTEN] != 0 else written_to):
            return False
        reached = max(reached, end)
        if extent[EXTENT_WRITTEN] != 0:
            written_to = max(written_to, end)
    table[ISSUE_APART] = 1
    return True


# -- results -----------------------------------------------------------------------------------------------------------
@inner
def results(address, arguments, first):
    """None, the fresh result, or a tuple of them, over memory whose addresses are arguments from `first` on; 0 without
    memory, and then these belong to nobody."""
    table = pointer_i64(address)
    count = table[ISSUE_RESULT_COUNT]
    if table[ISSUE_RESULT] == ISSUE_RESULT_NONE:
        incref(table[ISSUE_NONE])
        return table[ISSUE_NONE]
    if table[ISSUE_RESULT] == ISSUE_RESULT_BARE:
        return fresh_array(table, address + 8 * table[ISSUE_RESULTS], arguments[first])
    found = tuple_new(count)
    if found == 0:
        return 0
    for k in range(count):
        array = fresh_array(table, address + 8 * (table[ISSUE_RESULTS] + RESULT_WORDS * k), arguments[first + k])
        if array == 0:
            return 0
        tuple_set(found, k, array)
    return found


@inner
def fresh_array(table, position, number):
    """A new array over memory of its own at the address that an int says; 0 without memory."""
    record = pointer_i64(position)
    memory = allocate(table[ISSUE_MEMORY_TYPE], 0)
    if memory == 0:
        return 0
    array = allocate(table[ISSUE_ARRAY_TYPE], 0)
    if array == 0:
        return 0
    put(memory, table[ISSUE_MEMORY_COPIES_SLOT], table[ISSUE_MEMORY_COPIES])
    put(memory, table[ISSUE_MEMORY_FREE_SLOT], record[RESULT_FREE])
    put(memory, table[ISSUE_MEMORY_NBYTES_SLOT], record[RESULT_NBYTES])
    put(memory, table[ISSUE_MEMORY_ADDRESS_SLOT], number)
    pointer_i64(array + table[ISSUE_ARRAY_MEMORY_SLOT])[0] = memory
    put(array, table[ISSUE_ARRAY_BASE_SLOT], table[ISSUE_NONE])
    put(array, table[ISSUE_ADDRESS], number)
    put(array, table[ISSUE_SHAPE], record[RESULT_SHAPE])
    put(array, table[ISSUE_STRIDES], record[RESULT_STRIDES])
    put(array, table[ISSUE_DTYPE], record[RESULT_DTYPE])
    put(array, table[ISSUE_WRITEABLE], table[ISSUE_TRUE])
    return array


@inner
def put(thing, slot, content):
    """Fills a slot of a new object."""
    incref(content)
    pointer_i64(thing + slot)[0] = content
