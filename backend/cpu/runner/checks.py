"""The checks of the native runner: error state, arguments, the arrays they and owners lead to, and overlaps.

A part of the runner's source, as `runner` says. No Python code runs in here, so what is borrowed stays alive.
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
from ..compiler.pointers import pointer_i32, pointer_i64, pointer_u8
from ..plan.table_layout import *

WORD = types.int64
inner = linked()


def external(name: str, result: Any, *arguments: Any) -> Any:
    """The C function `name`, found when the object is loaded."""
    return types.ExternalFunction(name, result(*arguments))


def stack_block(nbytes: int) -> Any:
    """The intrinsic `() -> address` of a block of the native stack, made once per call and left unset."""

    @intrinsic  # type: ignore[untyped-decorator]
    def block(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, llvm_values: Any) -> Any:
            with builder.goto_entry_block():  # Numba's own helper would also clear the block, at every call
                place = builder.alloca(ir.ArrayType(ir.IntType(8), nbytes))
            place.align = FRAME_ALIGNMENT
            return builder.ptrtoint(place, ir.IntType(64))

        return WORD(), codegen

    return block


stack_words = stack_block(64)

contextvar_get = external("PyContextVar_Get", types.int32, WORD, WORD, WORD)
decref = external("Py_DecRef", types.void, WORD)
long_value = external("PyLong_AsLongLongAndOverflow", WORD, WORD, WORD)
scalar_read = external("guardlift_scalar_read", types.void, WORD, WORD)


@inner
def accepts_error_state(table, spare):
    """1 where the call may run under NumPy's current error state, 0 where it may not, -1 with an exception set."""
    pointer_i64(spare)[0] = 0
    if contextvar_get(table[ERRSTATE_VARIABLE], 0, spare) != 0:
        return -1
    state = pointer_i64(spare)[0]
    if state == 0:
        return 0
    accepted = pointer_i64(table[ERRSTATE_ACCEPTED])
    fits = state == accepted[STATE_OBJECT] or is_quiet(state, accepted)
    decref(state)
    return 1 if fits else 0


@inner
def is_quiet(state, accepted):
    """Whether an error state only warns and ignores, as far as its memory can be read: see `plan.errstate`."""
    if accepted[STATE_BITS] == 0 or pointer_i64(state)[1] != accepted[STATE_TYPE]:
        return False
    return pointer_i64(pointer_i64(state)[CAPSULE_POINTER])[0] & accepted[STATE_BITS] == 0


@inner
def bound(table_address, arguments, frame, frame_address, spare):
    """Whether every argument passes its checks; their data addresses and values are in the frame then."""
    table = pointer_i64(table_address)
    position = table_address + 8 * table[INPUT_RECORDS]
    for index in range(table[ARGUMENT_COUNT]):
        record = pointer_i64(position)
        argument = arguments[index]
        if pointer_i64(argument + OBJECT_TYPE)[0] != record[INPUT_TYPE]:
            return False
        tag = record[TAG]
        word = record[INPUT_WORD]
        if tag == INPUT_ARRAY:
            if not array_bound(table_address, argument, record, frame):
                return False
        elif tag == INPUT_IDENTITY:
            if argument != record[INPUT_OBJECT]:
                return False
        elif tag == INPUT_FLOAT:
            frame[word] = pointer_i64(argument + FLOAT_VALUE)[0]
        elif tag == INPUT_INT:
            frame[word] = long_value(argument, spare)
            if pointer_i32(spare)[0] != 0:
                return False
        elif tag == INPUT_BOOL:
            frame[word] = 1 if argument == record[INPUT_TRUE] else 0
        elif tag == INPUT_CHASED:
            path = position + 8 * INPUT_PATH
            if not followed_bound(table_address, argument, path, path + 8 * pointer_i64(path)[PATH_LENGTH], frame):
                return False
        else:
            scalar_read(argument, frame_address + 8 * word)
        position += 8 * record[LENGTH]
    return True


@inner
def owners_bound(table_address, frame):
    """Whether the arrays reached from owners pass their checks, and all other ways get to their end."""
    table = pointer_i64(table_address)
    position = table_address + 8 * table[OWNER_RECORDS]
    for _ in range(table[OWNER_COUNT]):
        path = pointer_i64(position)
        record = position + 8 * path[PATH_LENGTH]
        if not followed_bound(table_address, owner_of(path), position, record, frame):
            return False
        position = record + 8 * pointer_i64(record)[LENGTH]
    for _ in range(table[CHECK_COUNT]):
        path = pointer_i64(position)
        if followed(owner_of(path), position) == 0:
            return False
        position += 8 * path[PATH_LENGTH]
    return True


@inner
def owner_of(path):
    """The object where an owned path starts, borrowed; None, which is of no link's type, once it has died."""
    return pointer_i64(path[PATH_OWNER] + WEAK_REFERENCE_OBJECT)[0]


@inner
def followed_bound(table_address, start, path, position, frame):
    """Whether the path leads to an array that passes the checks of the record at `position`."""
    array = followed(start, path)
    record = pointer_i64(position)
    if array == 0 or pointer_i64(array + OBJECT_TYPE)[0] != record[INPUT_TYPE]:
        return False
    frame[pointer_i64(path)[PATH_REACHED]] = array
    return array_bound(table_address, array, record, frame)


@inner
def followed(thing, path):
    """The object at the end of a path, borrowed; 0 when a link does not hold or a slot is not set."""
    position = path + 8 * PATH_FIRST
    for _ in range(pointer_i64(path)[PATH_LINKS]):
        link = pointer_i64(position)
        if pointer_i64(thing + OBJECT_TYPE)[0] != link[LINK_TYPE]:
            return 0
        position += 8 * LINK_PAIRS
        for _ in range(link[LINK_SAME]):
            pair = pointer_i64(position)
            if pair[0] & PAIR_UNLIKE:
                held = pointer_i64(thing + (pair[0] ^ PAIR_UNLIKE))[0]
                if held == 0 or pointer_i64(held + OBJECT_TYPE)[0] == pair[1]:
                    return 0
            elif pointer_i64(thing + pair[0])[0] != pair[1]:
                return 0
            position += 16
        if link[LINK_SLOT] != 0:
            thing = pointer_i64(thing + link[LINK_SLOT])[0]
            if thing == 0:
                return 0
    return thing


@inner
def array_bound(table_address, array, record, frame):
    """Whether an ndarray passes its checks; its data address is in the frame then."""
    if not array_matches(array, record):
        return False
    data = pointer_i64(array + ARRAY_DATA)[0]
    frame[record[INPUT_WORD]] = data
    if record[INPUT_APART] == APART_NONE:
        return True
    low, high = data + record[INPUT_LOW], data + record[INPUT_HIGH]
    if record[INPUT_GAP_LOW] <= low and high <= record[INPUT_GAP_HIGH]:
        return True
    return not meets_lifted(table_address, record, low, high)


@inner
def array_matches(array, record):
    """Whether an ndarray has the type, layout and flags that the record asks for."""
    flags = pointer_i32(array + ARRAY_FLAGS)[0]
    required = record[INPUT_FLAGS_SET]
    if flags & required != required or flags & record[INPUT_FLAGS_CLEAR] != 0:
        return False
    descriptor = pointer_i64(array + ARRAY_DESCRIPTOR)[0]
    if descriptor != record[INPUT_DESCRIPTOR]:
        if pointer_i32(descriptor + DESCRIPTOR_TYPE_NUMBER)[0] != record[INPUT_TYPE_NUMBER]:
            return False
        if pointer_u8(descriptor + DESCRIPTOR_BYTE_ORDER)[0] != record[INPUT_BYTE_ORDER]:
            return False
    rank = record[INPUT_RANK]
    if pointer_i32(array + ARRAY_RANK)[0] != rank:
        return False
    shape = pointer_i64(pointer_i64(array + ARRAY_SHAPE)[0])
    strides = pointer_i64(pointer_i64(array + ARRAY_STRIDES)[0])
    for axis in range(rank):
        if shape[axis] != record[INPUT_DIMENSIONS + 2 * axis]:
            return False
        stride = record[INPUT_DIMENSIONS + 2 * axis + 1]
        if stride != strides[axis] and stride != ANY_STRIDE:
            return False
    return True


@inner
def meets_lifted(table_address, record, low, high):
    """Whether bytes low .. high overlap the lifted memory that the record keeps them from. It remembers the gap."""
    table = pointer_i64(table_address)
    written = record[INPUT_APART] == APART_WRITTEN
    count = table[WRITTEN_COUNT] if written else table[LIFTED_COUNT]
    intervals = pointer_i64(table_address + 8 * (table[WRITTEN_RECORDS] if written else table[LIFTED_RECORDS]))
    first, end = 0, count
    while first < end:  # the first interval that ends after `low`
        middle = (first + end) >> 1
        if intervals[2 * middle + 1] <= low:
            first = middle + 1
        else:
            end = middle
    if first < count and intervals[2 * first] < high:
        return True
    record[INPUT_GAP_LOW] = intervals[2 * first - 1] if first > 0 else 0
    record[INPUT_GAP_HIGH] = intervals[2 * first] if first < count else ADDRESSES
    return False


@inner
def base(frame, watched, word):
    """The address from which an operand's offset counts: in the frame, or, of a negative word, in the table of watched
    slots."""
    return frame[word] if word >= 0 else watched[-word]


@inner
def overlapping(table_address, frame):
    """Whether any pair that must be disjoint shares a byte of its extents."""
    table = pointer_i64(table_address)
    placed = pointer_i64(table_address + 8 * table[PLACED_RECORDS])
    moved = 0
    for index in range(table[PLACED_COUNT]):
        data = frame[placed[2 * index]]
        moved |= data ^ placed[2 * index + 1]
        placed[2 * index + 1] = data
    watched = pointer_i64(table[WATCHED])
    if table[WATCHED] != 0:
        moved |= watched[WATCHED_MOVED]
    if moved == 0 and table[PLACED_KEPT] != 0:
        return False
    position = table_address + 8 * table[DISJOINT_RECORDS]
    for _ in range(table[DISJOINT_COUNT]):
        pair = pointer_i64(position)
        first, second = base(frame, watched, pair[0]), base(frame, watched, pair[3])
        if first + pair[1] < second + pair[5] and second + pair[4] < first + pair[2]:
            if table[PLACED_COUNT] > 0:
                placed[1] = 0  # no address: the next call has to look again
            if table[WATCHED] != 0:
                watched[WATCHED_MOVED] = 1
            return True
        position += 8 * DISJOINT_WORDS
    if table[WATCHED] != 0:
        watched[WATCHED_MOVED] = 0
    return False
