"""The native functions that the text of CUDA kernels may call, in one table: a family is one line.

Both compilers of the text read it, guardlift's own and Numba's; `cuda.simulator` has plain Python of the same names.
"""

# Note [Native functions of CUDA kernels]
# A function is a `NativeFunction`: its operands' kinds, its result's (or a tuple of kinds: then it gives a list, and
# the text unpacks it, as in ``a, b, c, d = loaded_by_four_f32(p0, i0)``), and `generate(builder, operands)`, which
# appends instructions of llvmlite's and gives the value. It calls an intrinsic of NVVM by `native_functions.called`, or
# writes assembly by the builder's `asm`. Kinds are codes of dtypes ("f32", "i64", "b1"); a pointer that `pointer_f32`
# made is `PointerKind("f32", space=GLOBAL)`, an array in shared memory `PointerKind("f32", space=SHARED)`, whatever its
# shape: an operand of that kind is the address of its first element, in that space. Integers of any width are accepted,
# and wrapped to the kind that is declared; everything else has to be of it. A number that the instruction takes as an
# immediate is a part of the name. Names with a dot in them are Numba's own, whose meaning is repeated here.

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from llvmlite import ir

from ....core import dtypes
from ...llvm.native_functions import VOID, FindFunction, NativeFunction, called
from ...llvm.values import PointerKind, llvm_type
from ...math.table import TABLE
from ..access.wide_words import wide_named
from ..kernels.atomic_sums import INSTRUCTIONS
from ..kernels.tickets import TAKE_TICKET
from ..launch_grid import WORDS
from .group_functions import group_named
from .nvvm_builder import emit_for_nvvm
from .tensor_functions import tensor_named

GLOBAL, SHARED, STACK = 1, 3, 0
"""The address spaces of NVVM."""
WORD, WIDE = ir.IntType(32), ir.IntType(64)
EVERY_LANE, LAST_LANE = 0xFFFFFFFF, 31
QUAD_BYTES = 16
"""The alignment of arrays in shared memory of which quads are read: four elements of four bytes."""
_REGISTERS = {"threadIdx": "tid", "blockIdx": "ctaid", "blockDim": "ntid", "gridDim": "nctaid"}
_PLACE = re.compile(rf"cuda\.({'|'.join(_REGISTERS)})\.([xyz])")
_CODES = {dtype.code for dtype in dtypes.ALL}


# -- where a thread is -------------------------------------------------------------------------------------------------
def place_named(name: str) -> NativeFunction | None:
    """The places and sizes of threads and blocks along each axis, and ``cuda.grid(1)`` and ``cuda.gridsize(1)``."""
    found = _PLACE.fullmatch(name)
    if found is not None:
        return NativeFunction(name, (), "i64", lambda builder, _: _register(builder, found[1], found[2]))
    generate = {"cuda.grid": _place_in_grid, "cuda.gridsize": _threads_of_grid}.get(name)
    return None if generate is None else NativeFunction(name, ("i64",), "i64", generate)


def _register(builder: Any, name: str, axis: str = "x") -> Any:
    read = called(builder, f"llvm.nvvm.read.ptx.sreg.{_REGISTERS[name]}.{axis}", WORD)
    return builder.sext(read, WIDE)


def _place_in_grid(builder: Any, operands: Sequence[Any]) -> Any:
    _check_is_one(operands[0])
    before = builder.mul(_register(builder, "blockDim"), _register(builder, "blockIdx"))
    return builder.add(before, _register(builder, "threadIdx"))


def _threads_of_grid(builder: Any, operands: Sequence[Any]) -> Any:
    _check_is_one(operands[0])
    return builder.mul(_register(builder, "blockDim"), _register(builder, "gridDim"))


def _check_is_one(axes: Any) -> None:
    if not isinstance(axes, ir.Constant) or axes.constant != 1:
        raise TypeError("places in a grid are asked for along one axis: cuda.grid(1), cuda.gridsize(1)")


# -- threads that wait for each other, and what they tell each other ---------------------------------------------------
def barrier_named(name: str) -> NativeFunction | None:
    """The barriers of a block and of a warp."""
    return _BARRIERS.get(name)


def _syncthreads(builder: Any, operands: Sequence[Any]) -> None:
    called(builder, "llvm.nvvm.barrier0", ir.VoidType())


def _syncthreads_or(builder: Any, operands: Sequence[Any]) -> Any:
    return called(builder, "llvm.nvvm.barrier0.or", WORD, *operands)


def _join_warp(builder: Any, operands: Sequence[Any]) -> None:
    called(builder, "llvm.nvvm.bar.warp.sync", ir.VoidType(), WORD(EVERY_LANE))


_BARRIERS = {
    each.name: each
    for each in (
        NativeFunction("cuda.syncthreads", (), VOID, _syncthreads),
        NativeFunction("cuda.syncthreads_or", ("i32",), "i32", _syncthreads_or),
        # After it each thread of the warp sees what the others have stored.
        NativeFunction("join_warp", (), VOID, _join_warp),
    )
}


def exchange_named(name: str) -> NativeFunction | None:
    """``exchanged_f32(value, apart)``: the value of the thread whose lane differs by the bit `apart`.

    The whole warp must come by."""
    stem, _, code = name.rpartition("_")
    if stem != "exchanged" or code not in _CODES:
        return None
    return NativeFunction(name, (code, "i64"), code, _exchanged)


def _exchanged(builder: Any, operands: Sequence[Any]) -> Any:
    """Threads exchange 32 bits at a time."""
    own, distance = operands[0], builder.trunc(operands[1], WORD)
    size = {ir.FloatType(): 32, ir.DoubleType(): 64}.get(own.type) or own.type.width
    bits = builder.bitcast(own, ir.IntType(size)) if not isinstance(own.type, ir.IntType) else own
    if size < 64:
        word = builder.zext(bits, WORD) if size < 32 else bits
        other = _exchanged_word(builder, word, distance)
        whole = builder.trunc(other, own.type) if size < 32 else other
    else:
        low, high = builder.trunc(bits, WORD), builder.trunc(builder.lshr(bits, WIDE(32)), WORD)
        parts = [builder.zext(_exchanged_word(builder, part, distance), WIDE) for part in (low, high)]
        whole = builder.or_(parts[0], builder.shl(parts[1], WIDE(32)))
    return builder.bitcast(whole, own.type) if not isinstance(own.type, ir.IntType) else whole


def _exchanged_word(builder: Any, word: Any, distance: Any) -> Any:
    return called(builder, "llvm.nvvm.shfl.sync.bfly.i32", WORD, WORD(EVERY_LANE), word, distance, WORD(LAST_LANE))


def lanes_named(name: str) -> NativeFunction | None:
    """``lanes_alike(number)``: the lanes of the warp that give the same number as this one, as bits of which the lowest
    stands for the first lane; the whole warp must come by.   ``count_bits(bits)``: how many of the lower 32 are set."""
    generate = {"lanes_alike": _lanes_alike, "count_bits": _count_bits}.get(name)
    return None if generate is None else NativeFunction(name, ("i64",), "i64", generate)


def _lanes_alike(builder: Any, operands: Sequence[Any]) -> Any:
    number = builder.trunc(operands[0], WORD)
    found = called(builder, "llvm.nvvm.match.any.sync.i32", WORD, WORD(EVERY_LANE), number)
    return builder.zext(found, WIDE)


def _count_bits(builder: Any, operands: Sequence[Any]) -> Any:
    return builder.zext(called(builder, "llvm.ctpop.i32", WORD, builder.trunc(operands[0], WORD)), WIDE)


def vote_named(name: str) -> NativeFunction | None:
    """``voted(condition)``: a bit for each lane for which it is true; ``lowest_bit(bits)``: the first of them.

    The whole warp must come by for a vote."""
    if name == "voted":
        return NativeFunction(name, ("b1",), "i64", _voted)
    return NativeFunction(name, ("i64",), "i64", _lowest_bit) if name == "lowest_bit" else None


def _voted(builder: Any, operands: Sequence[Any]) -> Any:
    is_true = builder.icmp_unsigned("!=", operands[0], operands[0].type(0))
    return builder.zext(called(builder, "llvm.nvvm.vote.ballot.sync", WORD, WORD(EVERY_LANE), is_true), WIDE)


def _lowest_bit(builder: Any, operands: Sequence[Any]) -> Any:
    form, text = ir.FunctionType(WORD, [WORD]), "{ .reg .b32 turned; brev.b32 turned, $1; clz.b32 $0, turned; }"
    return builder.zext(builder.asm(form, text, "=r,r", [builder.trunc(operands[0], WORD)], side_effect=False), WIDE)


def ticket_named(name: str) -> NativeFunction | None:
    """``take_ticket(address, count)``: the value of a word that counts blocks. See Note [Tickets]."""
    return NativeFunction(name, ("i64", "i64"), "i64", _take_ticket) if name == "take_ticket" else None


def _take_ticket(builder: Any, operands: Sequence[Any]) -> Any:
    address, count = operands
    form = ir.FunctionType(WORD, [WIDE, WORD])
    limit = builder.trunc(builder.sub(count, WIDE(1)), WORD)
    return builder.zext(builder.asm(form, TAKE_TICKET, "=r,l,r,~{memory}", [address, limit], side_effect=True), WIDE)


def atomic_sum_named(name: str) -> NativeFunction | None:
    """``add_atomically_f32(pointer, index, value)``: adds to an element. See Note [Atomic sums]."""
    stem, _, code = name.rpartition("_")
    instruction = {dtype.code: text for dtype, text in INSTRUCTIONS.items()}.get(code)
    if stem != "add_atomically" or instruction is None:
        return None
    operands = PointerKind(code, space=GLOBAL), "i64", code
    return NativeFunction(name, operands, VOID, partial(_add_atomically, instruction))


def _add_atomically(instruction: str, builder: Any, operands: Sequence[Any]) -> None:
    pointer, index, value = operands
    address = builder.ptrtoint(builder.gep(pointer, [index]), WIDE)
    kinds = {ir.FloatType(): "f", ir.DoubleType(): "d", WORD: "r", WIDE: "l"}
    form = ir.FunctionType(ir.VoidType(), [WIDE, value.type])
    builder.asm(form, instruction, f"l,{kinds[value.type]},~{{memory}}", [address, value], side_effect=True)


# -- memory and numbers ------------------------------------------------------------------------------------------------
def pointer_named(name: str) -> NativeFunction | None:
    """``pointer_f32(address)``: a pointer into the memory of the device."""
    stem, _, code = name.rpartition("_")
    if stem != "pointer" or code not in _CODES - {"b1"}:
        return None
    kind = PointerKind(code, space=GLOBAL)
    return NativeFunction(name, ("i64",), kind, lambda builder, given: builder.inttoptr(given[0], llvm_type(kind)))


def shared_named(name: str) -> NativeFunction | None:
    """``shared_quad_f32(array, place)``: four neighbours from a multiple of four on, of an array in shared memory that
    has one index; and ``shared_element_f32(array, place)``, one. No index of theirs counts from the end."""
    stem, _, code = name.rpartition("_")
    if stem not in ("shared_quad", "shared_element") or code not in _CODES - {"b1"}:
        return None
    whole = stem == "shared_quad"
    return NativeFunction(
        name, (PointerKind(code, space=SHARED), "i64"), (code,) * 4 if whole else code, _quad if whole else _element
    )


def _element(builder: Any, operands: Sequence[Any]) -> Any:
    return builder.load(builder.gep(operands[0], [operands[1]]))


def _quad(builder: Any, operands: Sequence[Any]) -> list[Any]:
    for each in builder.module.global_values:
        if getattr(each, "addrspace", 0) == SHARED and (getattr(each, "align", None) or 0) < QUAD_BYTES:
            each.align = QUAD_BYTES
    place = builder.gep(operands[0], [operands[1]])
    element = place.type.pointee
    whole = builder.load(builder.bitcast(place, ir.VectorType(element, 4).as_pointer(SHARED)))
    whole.align = QUAD_BYTES
    return [builder.extract_element(whole, WORD(k)) for k in range(4)]


def of_word_named(name: str) -> NativeFunction | None:
    """``f64_of_word(word)``: the number whose eight bytes an int64 holds."""
    code = name.removesuffix("_of_word")
    if code == name or code not in {dtype.code for dtype in WORDS}:
        return None
    return NativeFunction(name, ("i64",), code, lambda builder, given: builder.bitcast(given[0], llvm_type(code)))


def multiply_add_named(name: str) -> NativeFunction | None:
    """``multiply_add_f32(a, b, c)``: `a * b + c`, rounded once."""
    stem, _, code = name.rpartition("_")
    if stem != "multiply_add" or code not in {dtype.code for dtype in dtypes.FLOATS}:
        return None
    return NativeFunction(name, (code,) * 3, code, _multiply_add)


def _multiply_add(builder: Any, operands: Sequence[Any]) -> Any:
    product = builder.fmul(operands[0], operands[1], flags=("contract",))
    return builder.fadd(product, operands[2], flags=("contract",))


def scalar_function_named(name: str) -> NativeFunction | None:
    """The scalar functions of `backend.math`, as on the CPU: what may become one multiply-add says so itself."""
    function = TABLE.get(name)
    if function is None:
        return None
    return NativeFunction(name, function.operands, function.result, partial(emit_for_nvvm, function))


FAMILIES: tuple[FindFunction, ...] = (
    scalar_function_named,
    place_named,
    barrier_named,
    exchange_named,
    lanes_named,
    ticket_named,
    atomic_sum_named,
    vote_named,
    pointer_named,
    shared_named,
    wide_named,
    of_word_named,
    multiply_add_named,
    group_named,
    tensor_named,
)


@cache
def native_function(name: str) -> NativeFunction | None:
    """The function that kernel text calls by this name; None if there is none."""
    return next((found for find in FAMILIES if (found := find(name)) is not None), None)
