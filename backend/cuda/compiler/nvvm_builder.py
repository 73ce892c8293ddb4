"""A builder of LLVM IR for NVVM: what scalar functions ask of LLVM or of the C library, asked of libdevice.

The bodies of scalar functions are those of the CPU, emitted by the same reader, so a function means the same on every
device. NVVM knows few of LLVM's intrinsics. libdevice, which it links in and inlines, has a function for each of them
that is one instruction or two. Imports llvmlite, so only code generators import this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from .float8_casts import CASTS, SINCE

if TYPE_CHECKING:
    from ...math.declare import ScalarFunction

DOUBLE, FLOAT = ir.DoubleType(), ir.FloatType()
LIBDEVICE = {
    "llvm.fabs": "fabs",
    "llvm.sqrt": "sqrt",
    "llvm.floor": "floor",
    "llvm.ceil": "ceil",
    "llvm.trunc": "trunc",
    "llvm.rint": "rint",
    "llvm.copysign": "copysign",
    "llvm.fma": "fma",
    "llvm.maximum": "fmax",
    "llvm.minimum": "fmin",
}
NAN_IS_KEPT = {"llvm.maximum": "max.NaN", "llvm.minimum": "min.NaN"}
"""Intrinsics that give NaN for a NaN, which the function of libdevice does not, and the instruction that does.

It is one of float32, of GPUs of compute capability 8.0 and more; there, too, plus zero is the larger one."""
NAN_KEPT_FROM = (8, 0)
target: ContextVar[tuple[int, int]] = ContextVar("target", default=NAN_KEPT_FROM)
"""The compute capability that code is made for."""
RARE = {"sin": 1, "cos": 1, "tan": 1, "fmod": 2}
"""The functions of the C library that scalar functions call for rare operands, and their number of operands."""


class NvvmBuilder(ir.IRBuilder):  # type: ignore[misc]
    """A builder at the end of a block that calls libdevice where LLVM's intrinsics of floats are called.

    Negation is a subtraction from minus zero, which is how that LLVM spells it."""

    def call(self, fn: Any, args: Sequence[Any], *rest: Any, **named: Any) -> Any:
        intrinsic = str(getattr(fn, "name", "")).rpartition(".")[0]  # assembly has no name
        if intrinsic not in LIBDEVICE:
            return super().call(fn, args, *rest, **named)
        if intrinsic in NAN_IS_KEPT and args[0].type == FLOAT and target.get() >= NAN_KEPT_FROM:
            operation = ir.InlineAsm(
                ir.FunctionType(FLOAT, [FLOAT, FLOAT]), f"{NAN_IS_KEPT[intrinsic]}.f32 $0, $1, $2;", "=f,f,f", False
            )
            return super().call(operation, args)
        value = super().call(_library(self.module, LIBDEVICE[intrinsic], args[0].type, len(args)), args)
        if intrinsic in NAN_IS_KEPT:
            value = self.select(self.fcmp_unordered("uno", *args), self.fadd(*args), value)
        return value

    def fneg(self, arg: Any, *rest: Any, **named: Any) -> Any:
        return self.fsub(ir.Constant(arg.type, -0.0), arg)


def _library(module: ir.Module, name: str, kind: ir.Type, arity: int) -> ir.Function:
    """The function of libdevice, declared."""
    name = f"__nv_{name}" + ("" if kind == DOUBLE else "f")
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(kind, [kind] * arity), name)


def emit_for_nvvm(function: ScalarFunction, builder: Any, operands: Sequence[Any]) -> Any:
    """The value of `function(*operands)`, as instructions that NVVM knows, appended at the builder's position."""
    from ...math.emit import emit

    if function.name in CASTS and target.get() >= SINCE:
        return CASTS[function.name](builder, operands)
    define_rare_functions(builder.module, function)
    own = NvvmBuilder(builder.block)
    value = emit(function, own, operands)
    builder.position_at_end(own.block)
    return value


def define_rare_functions(module: ir.Module, function: ScalarFunction) -> None:
    """Enters into `module` the functions that `backend.math` calls for rare operands, as calls of libdevice.

    They stay calls: inlined, their tables and loops would take registers from operands that are not rare."""
    for name in _rare_names(function):
        known = f"guardlift_rare_{name}"
        if known in module.globals:
            continue
        made = ir.Function(module, ir.FunctionType(DOUBLE, [DOUBLE] * RARE[name]), known)
        made.linkage = "internal"
        made.attributes.add("noinline")
        builder = ir.IRBuilder(made.append_basic_block("entry"))
        builder.ret(builder.call(_library(module, name, DOUBLE, RARE[name]), made.args))


def _rare_names(function: ScalarFunction) -> tuple[str, ...]:
    """The rare functions that the body of `function` may reach. A name too many costs one dead definition."""
    stem = function.name.rsplit("_", 1)[0]
    if stem in RARE:
        return (stem,)
    return ("fmod",) if stem in ("remainder", "floor_divide") and function.operands[0][0] == "f" else ()
