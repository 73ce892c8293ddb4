"""Numba code libraries that end as an object file, and functions that exist only to be inlined into one.

Numba by itself optimises every function three times, then links each into its own engine. Here functions are only
typed and lowered; optimisation happens once, over the whole object. Imports numba, so only lazily imported modules
import this one.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from ...llvm.target_machine import host_machine


class LinkedLibrary(CPUCodeLibrary):  # type: ignore[misc]
    """Code that other libraries link in. It is never optimised by itself and never loaded."""

    def _optimize_functions(self, module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: nothing here can be called from Python."""
        return 0

    @property
    def codegen(self) -> Any:
        """The code generator, except that it does not look for this code in Numba's engine."""
        return _WithoutEnvironments(self._codegen)


class _WithoutEnvironments:
    """A code generator's stand-in: `set_env` would write to a global of code that is never loaded."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: code without Python objects never reads its environment."""


class ObjectLibrary(LinkedLibrary):
    """Code of one entry point, whose C symbol is the library's name, with all it calls."""

    def _optimize_final_module(self) -> None:
        # With one entry point everything else may be inlined and dropped.
        for function in self._final_module.functions:
            if not function.is_declaration and function.name != self.name:
                function.linkage = llvm.Linkage.internal
        super(LinkedLibrary, self)._optimize_final_module()

    def ir(self) -> str:
        """The optimised module, as text."""
        return str(self._final_module)

    def emit(self) -> bytes:
        """The object file."""
        return host_machine().emit_object(self._final_module)  # type: ignore[no-any-return]


class KernelLibrary(ObjectLibrary):
    """Code of a kernel."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Adds a module, in which the user's integers may wrap. Numba says that none does."""
        for function in getattr(ir_module, "functions", ()):
            for block in function.blocks:
                for each in block.instructions:
                    if each.opname in ("add", "sub", "mul"):
                        each.flags = tuple(flag for flag in each.flags if flag != "nsw")
        super().add_ir_module(ir_module)


class LinkedCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, with a `LinkedLibrary` as the default place for code."""

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
        library = library or LinkedLibrary(target_context.codegen(), "linked")
        super().__init__(typing_context, target_context, library, *rest)


def linked(**options: Any) -> Any:
    """The decorator for a function that compiled text may call, with Numba's `options`; Python cannot call it.

    Like `njit`, but several times faster to compile, and C functions that only our loader knows may be called.
    """
    target_options = {
        "nopython": True,
        "_nrt": False,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "error_model": "numpy",
    }

    # Not through `njit`, which gives the plain function back under NUMBA_DISABLE_JIT.
    def decorate(function: Any) -> Any:
        return CPUDispatcher(function, targetoptions=target_options | options, pipeline_class=LinkedCompiler)

    return decorate
