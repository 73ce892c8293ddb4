"""The launches of a call on a GPU: its addresses and argument block are brought up to date, and its kernels launched.

The builtin of `device_calls` ends in these. Imports numba: only the compiler imports this module.
"""

# The functions below are typed by Numba, not by annotations. Constants come from the tables' layouts by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i64
from ..plan.issue_table import *
from .checks import WORD

inner = linked()


def answered(builder, function, given):
    """The status of a function of the driver."""
    kind = ir.FunctionType(ir.IntType(32), [each.type for each in given])
    return builder.sext(builder.call(builder.inttoptr(function, kind.as_pointer()), given), ir.IntType(64))


@intrinsic
def launch(typingctx, function, record, stream):
    """The driver's answer to one launch on a stream; `function` is the address of cuLaunchKernel."""

    def codegen(context, builder, signature, values):
        address, words, handle = values
        wide, narrow, pointer = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()

        def read(field):
            return builder.load(builder.gep(words, [wide(field)]))

        halves = builder.bitcast(builder.gep(words, [wide(LAUNCH_SIZES)]), narrow.as_pointer())
        sizes = [builder.load(builder.gep(halves, [wide(k)])) for k in range(7)]
        kernel, parameters = (builder.inttoptr(read(each), pointer) for each in (LAUNCH_KERNEL, LAUNCH_PARAMETERS))
        given = [kernel, *sizes, builder.inttoptr(handle, pointer), parameters, ir.Constant(pointer, None)]
        return answered(builder, address, given)

    return WORD(WORD, types.CPointer(WORD), WORD), codegen


@intrinsic
def set_parameters(typingctx, function, graph, node, record):
    """The driver's answer to new parameters of a node; `function` is the address of cuGraphExecKernelNodeSetParams."""

    def codegen(context, builder, signature, values):
        return answered(builder, values[0], values[1:])

    return WORD(WORD, WORD, WORD, WORD), codegen


@intrinsic
def start(typingctx, function, graph, stream):
    """The driver's answer to the launch of a graph; `function` is the address of cuGraphLaunch."""

    def codegen(context, builder, signature, values):
        return answered(builder, values[0], values[1:])

    return WORD(WORD, WORD, WORD), codegen


@inner
def set_word(table, place, word):
    """Writes a word of the argument block."""
    if table[place] != word:
        table[place] = word
        table[ISSUE_IS_SENT] = 0


@inner
def fill_in(address):
    """Writes the addresses of this call into the rows of tables and the parameters that take them, and notes which
    launches have others than before."""
    table = pointer_i64(address)
    frame = pointer_i64(address + 8 * table[ISSUE_FRAME])
    position = address + 8 * table[ISSUE_PATCHES]
    for _ in range(table[ISSUE_BLOCK_PATCHES]):
        patch = pointer_i64(position)
        set_word(table, patch[PATCH_PLACE], frame[patch[PATCH_WORD]] + patch[PATCH_OFFSET])
        position += 8 * PATCH_WORDS
    table[ISSUE_MOVED] = 0
    number = table[ISSUE_SERVED] + 1
    for _ in range(table[ISSUE_BLOCK_PATCHES], table[ISSUE_PATCH_COUNT]):
        patch = pointer_i64(position)
        word = frame[patch[PATCH_WORD]] + patch[PATCH_OFFSET]
        if table[patch[PATCH_PLACE]] != word:
            table[patch[PATCH_PLACE]] = word
            record = pointer_i64(address + 8 * patch[PATCH_LAUNCH])
            if record[LAUNCH_MOVED] == 0:
                table[ISSUE_STALE] += 1
            if record[LAUNCH_MOVED] != number:
                record[LAUNCH_MOVED] = number
                table[ISSUE_MOVED] += 1
        position += 8 * PATCH_WORDS


@inner
def put_block(address, stream):
    """Has the device know the words of the argument block that have changed. The status of the driver."""
    table = pointer_i64(address)
    if table[ISSUE_IS_SENT] != 0:
        return 0
    for k in range(table[ISSUE_PUT_COUNT]):
        now = pointer_i64(address + 8 * (table[ISSUE_BLOCK] + BLOCK_WORDS * k))
        sent = pointer_i64(address + 8 * (table[ISSUE_SENT] + BLOCK_WORDS * k))
        changed = 0
        for word in range(BLOCK_WORDS):
            changed |= now[word] ^ sent[word]
        if changed != 0:
            record = pointer_i64(address + 8 * (table[ISSUE_PUTS] + LAUNCH_WORDS * k))
            status = launch(table[ISSUE_FUNCTION], record, stream)
            if status != 0:
                return status
            for word in range(BLOCK_WORDS):
                sent[word] = now[word]
    table[ISSUE_IS_SENT] = 1
    return 0


@inner
def launch_all(address, stream):
    """Launches the graph, or one kernel after the other; 0, or what the builtin answers where that fails."""
    table = pointer_i64(address)
    if table[ISSUE_GRAPH] != 0 and table[ISSUE_MOVED] <= table[ISSUE_MOST_MOVED]:
        return launch_graph(address, stream)
    position = address + 8 * table[ISSUE_LAUNCHES]
    for k in range(table[ISSUE_LAUNCH_COUNT]):
        status = launch(table[ISSUE_FUNCTION], pointer_i64(position), stream)
        if status != 0:
            return status | k << 32
        position += 8 * LAUNCH_WORDS
    return 0


@inner
def launch_graph(address, stream):
    """Has the graph's nodes know the parameters that have changed, and launches it. The status of the driver."""
    table = pointer_i64(address)
    graph, position = table[ISSUE_GRAPH], address + 8 * table[ISSUE_LAUNCHES]
    while table[ISSUE_STALE] > 0:
        record = pointer_i64(position)
        if record[LAUNCH_MOVED] != 0:
            status = set_parameters(table[ISSUE_GRAPH_SET], graph, record[LAUNCH_NODE], position)
            if status != 0:
                return status
            record[LAUNCH_MOVED] = 0
            table[ISSUE_STALE] -= 1
        position += 8 * LAUNCH_WORDS
    status = start(table[ISSUE_GRAPH_LAUNCH], graph, stream)
    if status == 0:
        table[ISSUE_GRAPH_CALLS] += 1
    return status
