"""Values of kernel text in LLVM IR: each beside its kind, which is a dtype's code or a pointer to elements of one."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from llvmlite import ir

from ...core.records import dataclass
from ..math.typed import LLVM_TYPES, Typed, convert

_PARTS = {"c64": "f32", "c128": "f64"}
"""By the code of a complex dtype, that of its two parts."""


@dataclass(frozen=True, slots=True)
class PointerKind:
    """The kind of a pointer to elements of dtype `element`.

    place, number: where `number` is not 0, the memory is the one numbered `place` of so many, none of which overlap.
    space: the address space of the target.   shape: of an array, whose elements are told by as many indices.
    """

    element: str
    place: int = 0
    number: int = 0
    space: int = 0
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldKind:
    """The kind of a number that stands where a pointer to one would: ``(number,)[0]`` reads it."""

    element: str


Kind: TypeAlias = str | PointerKind | HeldKind


@dataclass(frozen=True, slots=True)
class TextValue:
    """An LLVM value and its kind."""

    value: Any
    kind: Kind


@cache
def llvm_type(kind: Kind) -> Any:
    """The type that LLVM has for a kind."""
    if isinstance(kind, PointerKind):
        return llvm_type(kind.element).as_pointer(kind.space)
    if isinstance(kind, HeldKind):
        return llvm_type(kind.element)
    if kind in _PARTS:
        return ir.LiteralStructType([LLVM_TYPES[_PARTS[kind]]] * 2)
    return LLVM_TYPES[kind]


def part_of(kind: Kind) -> str:
    """The kind of the parts of a complex number. Errors: TypeError for another kind."""
    if not isinstance(kind, str) or kind not in _PARTS:
        raise TypeError(f"{shown(kind)} is no complex number")
    return _PARTS[kind]


def complex_of(part: Kind) -> str:
    """The kind of complex numbers with parts of kind `part`. Errors: TypeError for what is no float."""
    for kind, its_part in _PARTS.items():
        if its_part == part:
            return kind
    raise TypeError(f"{shown(part)} is no part of a complex number")


def is_integer(kind: Kind) -> bool:
    """Whether values of a kind are integers; a bool is none."""
    return isinstance(kind, str) and kind[0] in "iu"


def is_float(kind: Kind) -> bool:
    """Whether values of a kind are real floats."""
    return isinstance(kind, str) and kind[0] == "f"


def width(kind: str) -> int:
    """The bits of a scalar kind."""
    return int(kind[1:])


def shown(kind: Kind) -> str:
    """A kind in messages."""
    if isinstance(kind, PointerKind):
        return f"array of {kind.element}" if kind.shape else f"pointer to {kind.element}"
    return f"tuple of one {kind.element}" if isinstance(kind, HeldKind) else kind


def constant(number: bool | int | float, kind: str) -> TextValue:
    """A number as a constant of a kind."""
    return TextValue(ir.Constant(llvm_type(kind), number), kind)


def converted(builder: Any, given: TextValue, kind: Kind) -> TextValue:
    """A number as one of another kind: integers wrap, floats are cut off, what is not 0 is true.

    Errors: TypeError where there is no such conversion.
    """
    if given.kind == kind:
        return given
    source = given.kind
    if not isinstance(source, str) or not isinstance(kind, str):
        raise TypeError(f"{shown(source)} cannot become {shown(kind)}")
    if kind == "b1":
        return truth(builder, given)
    if source in _PARTS or kind in _PARTS:
        return _complex(builder, given, kind)
    typed = convert(builder, Typed(given.value, "u1" if source == "b1" else source), kind)
    return TextValue(typed.value, kind)


def truth(builder: Any, given: TextValue) -> TextValue:
    """Whether a number is not 0. Errors: TypeError for what is no real number."""
    zero = ir.Constant(given.value.type, 0)
    if given.kind == "b1":
        return given
    if is_float(given.kind):
        return TextValue(builder.fcmp_unordered("!=", given.value, zero), "b1")
    if is_integer(given.kind):
        return TextValue(builder.icmp_unsigned("!=", given.value, zero), "b1")
    raise TypeError(f"{shown(given.kind)} is neither true nor false")


def made_complex(builder: Any, real: TextValue, imag: TextValue) -> TextValue:
    """The complex number with two floats of one kind as its parts."""
    kind = complex_of(real.kind)
    empty = ir.Constant(llvm_type(kind), ir.Undefined)
    return TextValue(builder.insert_value(builder.insert_value(empty, real.value, 0), imag.value, 1), kind)


def part(builder: Any, given: TextValue, name: str) -> TextValue:
    """The part `real` or `imag` of a complex number. Errors: TypeError for what is none."""
    kind = part_of(given.kind)
    return TextValue(builder.extract_value(given.value, ("real", "imag").index(name)), kind)


def _complex(builder: Any, given: TextValue, kind: str) -> TextValue:
    wanted = part_of(kind)
    real = given if is_float(given.kind) else part(builder, given, "real")
    imag = constant(0.0, wanted) if is_float(given.kind) else part(builder, given, "imag")
    return made_complex(builder, *(converted(builder, each, wanted) for each in (real, imag)))


def mark_memory(instruction: Any, kind: PointerKind) -> Any:
    """Says of a load or store which memory it is about, and which not, by LLVM's scopes. Gives the instruction."""
    if kind.number:
        own, others = _scopes(instruction.parent.function.module, kind.place, kind.number)
        instruction.set_metadata("alias.scope", own)
        if others is not None:
            instruction.set_metadata("noalias", others)
    return instruction


def _scopes(module: Any, place: int, number: int) -> tuple[Any, Any]:
    """LLVM's scopes of one memory of so many, and of all others; None where there is no other. Made once a module."""
    known = vars(module).setdefault("memory_scopes", {})
    if number not in known:
        domain = module.add_metadata(["memory of the kernel"])
        known[number] = [module.add_metadata([f"memory {k}", domain]) for k in range(number)]
    if (place, number) not in known:
        scopes = known[number]
        own, others = module.add_metadata([scopes[place]]), scopes[:place] + scopes[place + 1 :]
        known[place, number] = own, module.add_metadata(others) if others else None
    return known[place, number]  # type: ignore[no-any-return]


def hidden(builder: Any, value: Any) -> Any:
    """An LLVM value of which LLVM does not know where it comes from."""
    return builder.asm(ir.FunctionType(value.type, [value.type]), "", "=r,0", [value], side_effect=False)


def mark_loop(branch: Any, *wishes: str) -> None:
    """Tells LLVM of wishes for the loop that `branch` leads back into."""
    module = branch.parent.function.module
    operands = [module.add_metadata([each]) for each in wishes]
    loop = ir.MDValue(module, operands, name=str(len(module.metadata)))
    loop.operands = (loop, *operands)  # a loop's mark names itself first, so that no two loops share one
    branch.set_metadata("llvm.loop", loop)


_VECTORS = "guardlift.vectors"


def mark_vectors(module: Any) -> None:
    """Says of a module that what it computes is written in vectors already, so that loops are as they should be."""
    if _VECTORS not in module.namedmetadata:
        module.add_named_metadata(_VECTORS)


def is_in_vectors(module: Any) -> bool:
    """Whether `mark_vectors` was said of a module."""
    return _VECTORS in module.namedmetadata


def stack_memory(builder: Any, element: Any, count: int) -> Any:
    """The address of `count` elements of an LLVM type on the stack, at a multiple of 64; they hold nothing at first."""
    # Numba's own alloca would store a zero in each element: seconds of compiling.
    with builder.goto_entry_block():
        memory = builder.alloca(ir.ArrayType(element, count))
    memory.align = 64
    return memory
