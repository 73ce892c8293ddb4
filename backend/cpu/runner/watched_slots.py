"""Watched slots natively: arrays that a plan finds where they were when somebody last told that they had moved.

A part of the runner's source, and the source of the builtin `look_again`. See `watched_slots` for what it is all for.
The GIL is held wherever a table of watched slots is read or written, except by steps, which only read addresses.
"""

# The functions below are typed by Numba, not by annotations. Constants come from `table_layout` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from numba import types

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i32, pointer_i64
from ..plan.table_layout import *
from .checks import WORD, decref, external, followed, followed_bound, long_value, owner_of, stack_words

inner = linked()

incref = external("Py_IncRef", types.void, WORD)
raw_malloc = external("PyMem_RawMalloc", WORD, WORD)
raw_free = external("PyMem_RawFree", types.void, WORD)
no_memory = external("PyErr_NoMemory", WORD)


def look_again(owner, number):
    """The builtin: looks again at the watched slot of that number. -1: whether all are as stored; None or
    NotImplemented."""
    address = pointer_i64(owner + ARRAY_DATA)[0]
    watched = pointer_i64(address)
    spare = stack_words()
    which = long_value(number, spare)
    if pointer_i32(spare)[0] != 0 or which < -1 or which >= watched[WATCHED_COUNT]:
        answer = watched[GUARD_FAILED]
    elif which >= 0:
        if not looked(address, which, spare):
            return no_memory()
        answer = watched[NOTHING]
    else:
        if not all_looked(address, spare):
            return no_memory()
        answer = watched[NOTHING] if all_as_stored(address, spare) else watched[GUARD_FAILED]
    incref(answer)
    return answer


@inner
def watched_slots_fit(address, spare):
    """Whether every watched slot leads to what the plan asks for. Where tensors have moved in ways of which no owner
    knows, all are looked at again."""
    watched = pointer_i64(address)
    if pointer_i64(watched[WATCHED_MOVES])[0] != watched[WATCHED_SEEN] and not all_looked(address, spare):
        return False  # without memory; Python will say so when it tries to do the work
    return watched[WATCHED_MISFITS] == 0


@inner
def all_looked(address, spare):
    """Looks at all watched slots again, if anything may have moved; False without memory."""
    watched = pointer_i64(address)
    moves = pointer_i64(watched[WATCHED_MOVES])[0]
    if moves != watched[WATCHED_SEEN]:
        for number in range(watched[WATCHED_COUNT]):
            if not looked(address, number, spare):
                return False
        watched[WATCHED_SEEN] = moves
    return True


@inner
def looked(address, number, spare):
    """Follows the access path of a watched slot, and keeps what is at its end; False without memory, with nothing
    changed."""
    watched = pointer_i64(address)
    place = pointer_i64(address + 8 * (watched[WATCHED_PLACES] + WATCHED_WORDS * number))
    fits = found(address, number, spare)
    new = pointer_i64(spare)[PLACE_ARRAY] if fits else 0
    old = place[PLACE_ARRAY]
    if old != 0 and watched[WATCHED_CALLS] != 0 and not put_aside(watched, old):
        return False
    if fits:
        data = pointer_i64(spare)[PLACE_ADDRESS]
        if data != place[PLACE_ADDRESS]:
            place[PLACE_ADDRESS] = data
            watched[WATCHED_MOVED] = 1
    watched[WATCHED_MISFITS] += place[PLACE_FITS] - (1 if fits else 0)
    place[PLACE_FITS] = 1 if fits else 0
    place[PLACE_ARRAY] = new
    if new != 0:
        incref(new)
    if old != 0 and watched[WATCHED_CALLS] == 0:
        decref(old)  # this may run anybody's code, so it comes last
    return True


@inner
def found(address, number, spare):
    """Whether the access path of a watched slot leads to what the plan asks for; the array and its address are in
    `spare` then."""
    watched = pointer_i64(address)
    position = address + 8 * pointer_i64(address + 8 * watched[WATCHED_STARTS])[number]
    path = pointer_i64(position)
    result = pointer_i64(spare)
    result[PLACE_ADDRESS] = 0
    result[PLACE_ARRAY] = 0
    if number >= watched[OWNER_COUNT]:
        return followed(owner_of(path), position) != 0
    return followed_bound(address, owner_of(path), position, position + 8 * path[PATH_LENGTH], result)


@inner
def all_as_stored(address, spare):
    """Whether following every way leads to what the places hold."""
    watched = pointer_i64(address)
    for number in range(watched[WATCHED_COUNT]):
        place = pointer_i64(address + 8 * (watched[WATCHED_PLACES] + WATCHED_WORDS * number))
        fits = found(address, number, spare)
        result = pointer_i64(spare)
        if fits != (place[PLACE_FITS] != 0):
            return False
        if fits and (result[PLACE_ARRAY] != place[PLACE_ARRAY] or result[PLACE_ADDRESS] != place[PLACE_ADDRESS]):
            return False
    return True


@inner
def put_aside(watched, array):
    """Keeps an array until no call runs; False without memory."""
    node = raw_malloc(16)
    if node == 0:
        return False
    pointer_i64(node)[0] = watched[WATCHED_WAITING]
    pointer_i64(node)[1] = array
    watched[WATCHED_WAITING] = node
    return True


@inner
def call_ended(address):
    """Notes that a call no longer reads; the last one frees what was put aside meanwhile."""
    watched = pointer_i64(address)
    watched[WATCHED_CALLS] -= 1
    while watched[WATCHED_CALLS] == 0 and watched[WATCHED_WAITING] != 0:
        node = watched[WATCHED_WAITING]
        watched[WATCHED_WAITING] = pointer_i64(node)[0]
        array = pointer_i64(node)[1]
        raw_free(node)
        decref(array)
