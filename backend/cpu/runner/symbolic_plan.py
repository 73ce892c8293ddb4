"""The source of plans whose sizes are free: it works out a plan's words for a call, and has the runner read those.

The builtin copies the plan's words, reads the symbols from the arguments, asks all facts, and writes what is made of
the symbols into the copy. What the runner then sees is the table of a static plan for these sizes. Nothing that calls
share is written, but for the word that says that a call came through. Words have their names in `table_layout`.
"""

# The functions below are typed by Numba, not by annotations. Constants come from `table_layout` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import float32, types
from numba.core.extending import intrinsic

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_f32, pointer_f64, pointer_i32, pointer_i64
from ..plan.table_layout import *
from .checks import WORD, external, long_value, stack_block, stack_words
from .watched_slots import incref, no_memory, raw_free, raw_malloc

inner = linked()
copy_words = external("memcpy", WORD, WORD, WORD, WORD)
copy_block = stack_block(COPY_BYTES)
atom_block = stack_block(8 * MOST_ATOMS + 8)
owner_block = stack_block(64)


@intrinsic  # type: ignore[untyped-decorator]
def call_runner(typingctx: Any, address: Any, owner: Any, arguments: Any, count: Any) -> Any:
    """The result of the runner at `address`."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(values[0], ir.FunctionType(word, [word, word.as_pointer(), word]).as_pointer())
        return builder.call(function, values[1:])

    return WORD(WORD, WORD, types.CPointer(WORD), WORD), codegen


def launch_sized(owner, arguments, nargs):
    """The builtin: `owner` is the plan's table, which sizes complete; ints that are sizes come last."""
    table_address = pointer_i64(owner + ARRAY_DATA)[0]
    table = pointer_i64(table_address)
    words = table[SIZED]
    sized_address = table_address + 8 * words
    sized = pointer_i64(sized_address)
    if nargs != table[ARGUMENT_COUNT] + sized[SIZED_NUMBERS]:
        incref(table[GUARD_FAILED])
        return table[GUARD_FAILED]
    atoms_address = atom_block()
    on_stack = 8 * words <= COPY_BYTES
    copy_address = copy_block() if on_stack else raw_malloc(8 * words)
    if copy_address == 0:
        return no_memory()
    place = read(sized_address, arguments, atoms_address, copy_address)
    if place != 0:
        place = made(place, sized, atoms_address)
    if place != 0:
        place = asked(place, sized, atoms_address)
    if place == 0:
        result = table[GUARD_FAILED]
        incref(result)
    else:
        copy_words(copy_address, table_address, 8 * words)
        written(place, sized, atoms_address, copy_address)
        fake = owner_block()
        pointer_i64(fake + ARRAY_DATA)[0] = copy_address
        result = call_runner(sized[SIZED_RUNNER], fake, arguments, nargs - sized[SIZED_NUMBERS])
        if result != table[GUARD_FAILED] and result != table[SIDE_EXIT]:
            table[SERVED] += 1
    if not on_stack:
        raw_free(copy_address)
    return result


@inner
def read(sized_address, arguments, atoms_address, copy_address):
    """The beginning of the records behind those of symbols, once these are read; 0 where an argument is no such."""
    sized = pointer_i64(sized_address)
    atoms = pointer_i64(atoms_address)
    spare = stack_words()
    position = sized_address + 8 * SIZED_FIRST
    for number in range(sized[SIZED_SYMBOLS]):
        record = pointer_i64(position)
        if record[SYMBOL_ARGUMENT] < 0:
            atoms[number] = copy_address
        else:
            thing = arguments[record[SYMBOL_ARGUMENT]]
            if record[SYMBOL_AXIS] < 0:
                if pointer_i64(thing + OBJECT_TYPE)[0] != sized[SIZED_INT]:
                    return 0
                atoms[number] = long_value(thing, spare)
                if pointer_i32(spare)[0] != 0 or abs(atoms[number]) > sized[SIZED_LARGEST]:
                    return 0
            else:
                if record[SYMBOL_TYPE] != 0:
                    if pointer_i64(thing + OBJECT_TYPE)[0] != record[SYMBOL_TYPE]:
                        return 0
                    thing = pointer_i64(thing + record[SYMBOL_SLOT])[0]
                    if thing == 0:
                        return 0
                if pointer_i64(thing + OBJECT_TYPE)[0] != sized[SIZED_ARRAY]:
                    return 0
                if pointer_i32(thing + ARRAY_RANK)[0] != record[SYMBOL_RANK]:
                    return 0
                if record[SYMBOL_UNIT] == 0:
                    found = pointer_i64(pointer_i64(thing + ARRAY_SHAPE)[0])[record[SYMBOL_AXIS]]
                else:
                    found = pointer_i64(pointer_i64(thing + ARRAY_STRIDES)[0])[record[SYMBOL_AXIS]]
                    found = found // record[SYMBOL_UNIT]  # what is left over is seen where strides are checked
                if abs(found) > sized[SIZED_LARGEST]:
                    return 0
                atoms[number] = found
        position += 8 * SYMBOL_WORDS
    return position


@inner
def made(position, sized, atoms_address):
    """The beginning of the facts, once all other atoms are made; 0 where one cannot be."""
    atoms = pointer_i64(atoms_address)
    for number in range(sized[SIZED_SYMBOLS], sized[SIZED_ATOMS]):
        operation = pointer_i64(position)[0]
        other_at = after(position + 8)
        one, other = value(position + 8, atoms), value(other_at, atoms)
        if operation == ATOM_PRODUCT:
            if abs(float(one) * float(other)) > float(sized[SIZED_LARGEST]):
                return 0
            atoms[number] = one * other
        elif one < 0 or other < 1:
            return 0
        else:
            quotient = one // other
            atoms[number] = quotient if operation == ATOM_QUOTIENT else one - quotient * other
        position = after(other_at)
    return position


@inner
def asked(position, sized, atoms_address):
    """The beginning of the words, once all facts were found to hold; 0 where one does not."""
    atoms = pointer_i64(atoms_address)
    for _ in range(sized[SIZED_FACTS]):
        record = pointer_i64(position)
        others = record[2]
        sum_at = position + 8 * (3 + others)
        found = value(sum_at, atoms)
        if found < record[0] or found > record[1]:
            return 0
        for k in range(others):
            if found == record[3 + k]:
                return 0
        position = after(sum_at)
    return position


@inner
def written(position, sized, atoms_address, copy_address):
    """Nothing, once the copy has the words of this call."""
    atoms = pointer_i64(atoms_address)
    copy = pointer_i64(copy_address)
    for _ in range(sized[SIZED_WORDS]):
        copy[pointer_i64(position)[0]] = value(position + 8, atoms)
        position = after(position + 8)
    for _ in range(sized[SIZED_CELLS]):
        record = pointer_i64(position)
        number = value(position + 16, atoms)
        address = copy_address + 8 * record[0]
        if record[1] == CELL_F64:
            pointer_f64(address)[0] = float(number)
        elif record[1] == CELL_F32:
            pointer_f32(address)[0] = float32(float(number))
        else:
            pointer_i64(address)[0] = number
        position = after(position + 16)


@inner
def value(position, atoms):
    """The value of a sum."""
    record = pointer_i64(position)
    total = record[0]
    for k in range(record[1]):
        total += record[2 + 2 * k] * atoms[record[3 + 2 * k]]
    return total


@inner
def after(position):
    """The beginning of what follows a sum."""
    return position + 16 * (1 + pointer_i64(position)[1])
