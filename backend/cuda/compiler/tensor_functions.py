"""The native functions of kernel text for tensor cores, and for copies into shared memory that run on their own.

``copy_up_to_8_u16(array, index, pointer, place, count, wide)`` has eight elements copied, of which those from `count`
on become zero; `wide` says whether the whole group may be one access, else it is copied at once. ``commit_copies()``
ends a group of copies, ``wait_for_copies_1()`` waits for all of a thread's but the last 1. ``matrices(array, index)``
gives four matrices of 8 by 8 half floats, of whose rows the lanes have the indices, and ``turned_matrices`` has them
turned. ``floats_over(array)`` and ``words_over(array)`` are the memory of an array as one of float32, or of uint32.
``multiply_matrices_bf16(a0, a1, a2, a3, b0, b1, c0, c1, c2, c3)`` is a warp's product of 16 by 16 with 16 by 8, added
to c; that of ``f32`` is one of 16 by 8 with 8 by 8, of words that ``rounded_to_tf32(word)`` has made of float32.
``two_halves_bf16(low, high)`` rounds two float32 to half floats, and packs them into 32 bits.
Source: PTX ISA, cp.async, ldmatrix, mma.m16n8k16, mma.m16n8k8, cvt and cvt.rna.tf32.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from llvmlite import ir

from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import Kind, PointerKind, llvm_type
from .group_functions import GLOBAL, SHARED, align_arrays, load_up_to, store_group

WORD, WIDE, FLOAT = ir.IntType(32), ir.IntType(64), ir.FloatType()
GROUP = 8
_WAIT = re.compile(r"wait_for_copies_(\d+)")
_SHARED: Kind = PointerKind("u16", space=SHARED)
_PTX_NAMES = {"f16": ("m16n8k16", "f16"), "bf16": ("m16n8k16", "bf16"), "f32": ("m16n8k8", "tf32")}
"""The form of the instruction, and the name of its operands' type, by the code of their dtype."""
_VIEWS = {"floats_over": "f32", "words_over": "u32"}


def tensor_named(name: str) -> NativeFunction | None:
    """The functions of this module."""
    if name == "copy_up_to_8_u16":
        copied: tuple[Kind, ...] = (_SHARED, "i64", PointerKind("u16", space=GLOBAL), "i64", "i64", "b1")
        return NativeFunction(name, copied, VOID, _copy)
    if name == "commit_copies":
        return NativeFunction(name, (), VOID, partial(_plain, "cp.async.commit_group;"))
    if found := _WAIT.fullmatch(name):
        return NativeFunction(name, (), VOID, partial(_plain, f"cp.async.wait_group {found[1]};"))
    if name in _VIEWS:
        view = PointerKind(_VIEWS[name], space=SHARED)
        return NativeFunction(name, (_SHARED,), view, partial(_over, llvm_type(view)))
    if name == "rounded_to_tf32":
        return NativeFunction(name, ("u32",), "u32", _rounded_to_tf32)
    if name in ("matrices", "turned_matrices"):
        turned = ".trans" if name == "turned_matrices" else ""
        return NativeFunction(name, (_SHARED, "i64"), ("u32",) * 4, partial(_matrices, turned))
    code = name.removeprefix("two_halves_")
    if code in ("f16", "bf16"):
        return NativeFunction(name, ("f32", "f32"), "u32", partial(_two_halves, code))
    code = name.removeprefix("multiply_matrices_")
    if code != name and code in _PTX_NAMES:
        kinds: tuple[Kind, ...] = (*("u32",) * 6, *("f32",) * 4)
        return NativeFunction(name, kinds, ("f32",) * 4, partial(_multiply, *_PTX_NAMES[code]))
    return None


def _plain(text: str, builder: Any, operands: Sequence[Any]) -> None:
    _assembly(builder, ir.VoidType(), text, "~{memory}", ())


def _over(kind: Any, builder: Any, operands: Sequence[Any]) -> Any:
    align_arrays(builder)
    return builder.bitcast(operands[0], kind)


def _assembly(builder: Any, result: Any, text: str, constraints: str, operands: Sequence[Any]) -> Any:
    return builder.asm(ir.FunctionType(result, [each.type for each in operands]), text, constraints, operands, True)


def _shared_address(builder: Any, pointer: Any, index: Any) -> Any:
    """The 32 bits by which instructions know a place in shared memory."""
    return builder.trunc(builder.ptrtoint(builder.gep(pointer, [index]), WIDE), WORD)


def _copy(builder: Any, operands: Sequence[Any]) -> None:
    align_arrays(builder)
    array, index, pointer, place, count, wide = operands
    with builder.if_else(wide) as (whole, some):
        with whole:
            low = builder.select(builder.icmp_signed("<", count, count.type(0)), count.type(0), count)
            most = builder.select(builder.icmp_signed(">", low, count.type(GROUP)), count.type(GROUP), low)
            nbytes = builder.trunc(builder.mul(most, most.type(2)), WORD)
            source = builder.ptrtoint(builder.gep(pointer, [place]), WIDE)
            text = "cp.async.cg.shared.global [$0], [$1], 16, $2;"
            target = _shared_address(builder, array, index)
            _assembly(builder, ir.VoidType(), text, "r,l,r,~{memory}", (target, source, nbytes))
        with some:
            one_by_one = load_up_to(GROUP, builder, (pointer, place, count, ir.IntType(1)(0)))
            store_group(builder, array, index, one_by_one)


def _matrices(turned: str, builder: Any, operands: Sequence[Any]) -> list[Any]:
    align_arrays(builder)
    text = f"ldmatrix.sync.aligned.m8n8.x4{turned}.shared.b16 {{$0, $1, $2, $3}}, [$4];"
    result = ir.LiteralStructType([WORD] * 4)
    found = _assembly(builder, result, text, "=r,=r,=r,=r,r,~{memory}", (_shared_address(builder, *operands),))
    return [builder.extract_value(found, k) for k in range(4)]


def _rounded_to_tf32(builder: Any, operands: Sequence[Any]) -> Any:
    form = ir.FunctionType(WORD, [FLOAT])
    value = builder.bitcast(operands[0], FLOAT)
    return builder.asm(form, "cvt.rna.tf32.f32 $0, $1;", "=r,f", [value], side_effect=False)


def _multiply(shape: str, kind: str, builder: Any, operands: Sequence[Any]) -> list[Any]:
    text = (
        f"mma.sync.aligned.{shape}.row.col.f32.{kind}.{kind}.f32 {{$0, $1, $2, $3}}, {{$4, $5, $6, $7}}, {{$8, $9}}, "
        "{$10, $11, $12, $13};"
    )
    result = ir.LiteralStructType([FLOAT] * 4)
    found = _assembly(builder, result, text, "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f", operands)
    return [builder.extract_value(found, k) for k in range(4)]


def _two_halves(kind: str, builder: Any, operands: Sequence[Any]) -> Any:
    form, text = ir.FunctionType(WORD, [FLOAT, FLOAT]), f"cvt.rn.{kind}x2.f32 $0, $2, $1;"
    return builder.asm(form, text, "=r,f,f", operands, False)
