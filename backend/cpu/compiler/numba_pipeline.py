"""Numba's compiler with the passes that kernel text needs, and no others.

Kernel text is plain: numbers, pointers, loops, each name of one type. What Numba does for closures, literals, `with`
blocks, object mode or containers finds nothing there, and yet looks through the whole function each time.
Imports numba, so only lazily imported modules import this one.
"""

from __future__ import annotations

import functools
from types import BuiltinFunctionType
from typing import Any

from numba import types
from numba.core import ir, transforms
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering, NoPythonBackend, NopythonTypeInference
from numba.core.typing import cmathdecl, mathdecl
from numba.core.typing.context import BaseContext
from numba.core.untyped_passes import FixupArgs, GenericRewrites, TranslateByteCode

SCALARS = (types.Number, types.Boolean, types.CPointer)


class KernelTyping(BaseContext):  # type: ignore[misc]
    """The types of numbers and pointers, none of arrays, lists or strings; each operator is looked up once."""

    def __init__(self) -> None:
        self._signatures: dict[Any, Any] = {}
        super().__init__()

    def load_additional_registries(self) -> None:
        """Numbers need no more than the built-in registry and `math`."""
        self.install_registry(mathdecl.registry)
        self.install_registry(cmathdecl.registry)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call, or None. Of an operator on numbers it is always the same."""
        builtin = isinstance(func, types.Function) and type(func.typing_key) is BuiltinFunctionType
        if kws or not builtin or not all(isinstance(each, SCALARS) for each in args):
            return super().resolve_function_type(func, args, kws)
        known, signature = self._signatures.get((func, args), (None, None))
        if known is not func:  # an equal one, but each has a table of its own of what it resolved
            signature = super().resolve_function_type(func, args, kws)
            self._signatures[func, args] = func, signature
        return signature


@functools.cache
def kernel_contexts() -> tuple[Any, Any]:
    """The contexts that type and lower kernels; lowering shares all implementations with Numba's own context."""
    typing_context = KernelTyping()
    return typing_context, cpu_target.target_context.subtarget(typing_context=typing_context)


class KernelPass(FunctionPass):  # type: ignore[misc]
    """A pass of our own over a kernel; Numba's base asks every pass for an `__init__`."""

    def __init__(self) -> None:
        super().__init__()


@register_pass(mutates_CFG=False, analysis_only=False)
class CanonicalGraph(KernelPass):
    """The control flow as lowering wants it. Nothing counts references, so nobody asks where variables die."""

    _name = "guardlift_canonical_graph"

    def run_pass(self, state: Any) -> bool:
        """True: the function is changed."""
        state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)
        state.func_ir.generator_info = None
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class OneTypeEach(KernelPass):
    """Refuses a name that is given values of two types: Numba would compute with both in a type that holds either."""

    _name = "guardlift_one_type_each"

    def run_pass(self, state: Any) -> bool:
        """False: nothing is changed. Errors: TypingError."""
        for block in state.func_ir.blocks.values():
            for assignment in block.find_insts(ir.Assign):
                name, value = assignment.target.name, assignment.value
                if name.startswith("$"):
                    continue  # the compiler's own: both values of a conditional expression, say
                if isinstance(value, ir.Var):
                    given = state.typemap[value.name]
                elif isinstance(value, ir.Expr) and state.calltypes.get(value) is not None:
                    given = state.calltypes[value].return_type
                else:
                    continue
                if types.unliteral(given) != types.unliteral(state.typemap[name]):
                    raise TypingError(
                        f"{name} is {state.typemap[name]} and is given {given}: one type for each name", assignment.loc
                    )
        return False


class KernelPasses(PassManager):  # type: ignore[misc]
    """Passes after which the function is not analysed anew."""

    _ENFORCING = False


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Kernel text to native code. A name has one type: there is no SSA form, LLVM makes its own."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        passes = KernelPasses("kernel")
        for each in (
            TranslateByteCode,
            FixupArgs,
            CanonicalGraph,
            GenericRewrites,  # of `raise`
            NopythonTypeInference,
            OneTypeEach,
            NativeLowering,
            NoPythonBackend,
        ):
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]
