"""The functions that kernel text calls by name: each says its operands, its result, and the instructions of a call.

Which functions there are the target says: see `cpu.compiler.text_functions` and `cuda.compiler.text_functions`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.records import dataclass
from .values import Kind

VOID = ""
"""The result of a function that gives nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class NativeFunction:
    """One function of kernel text.

    operands: their kinds. An integer of any width is wrapped to the declared one; others must be of the kind exactly.
              Where a tuple of kinds stands the text has a tuple, and `generate` gets a list.
    result:   its kind, or `VOID`; a tuple of kinds for one that gives as many values.
    generate: appends the instructions of a call at the builder's position; gives the LLVM value, or None, or a list.
    packed:   the operands behind the first stand in a tuple, and are converted to the declared kinds.
    """

    name: str
    operands: tuple[Kind | tuple[Kind, ...], ...]
    result: Kind | tuple[Kind, ...]
    generate: Callable[[Any, Sequence[Any]], Any]
    packed: bool = False


FindFunction = Callable[[str], NativeFunction | None]
"""The form of what gives the function of a name, or None where there is none."""


def declared(builder: Any, name: str, result: Any, operands: Sequence[Any]) -> Any:
    """The C function of this name in the builder's module, declared at its first use. The types are LLVM's."""
    from llvmlite import ir

    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(result, operands), name)


def fenced(builder: Any, value: Any) -> Any:
    """A float that LLVM takes as it is, whatever it knows of it."""
    from llvmlite import ir

    name = f"llvm.arithmetic.fence.{'f64' if isinstance(value.type, ir.DoubleType) else 'f32'}"
    return builder.call(declared(builder, name, value.type, [value.type]), [value])


def called(builder: Any, name: str, result: Any, *given: Any) -> Any:
    """A call of the C function of this name with these LLVM values."""
    return builder.call(declared(builder, name, result, [each.type for each in given]), given)
