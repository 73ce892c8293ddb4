"""LLVM IR to object code for the processor at hand, through llvmlite alone. Several threads may do this at once."""

# Note [Threads in LLVM]
# LLVM works on one module in one thread, and on modules of different contexts in as many threads as there are. llvmlite
# takes one lock around every call of it, and so lets threads wait for each other. Here each module has a context of its
# own and a machine to itself, and the two calls that take long, passes and code, are made without that lock, by the
# same library loaded a second time: its functions have no wrapper there. All other calls keep to it.

# Note [Passes for vectors]
# The text of a product calls for the instructions of tiles, vector by vector, in the order that is best for them. Most
# passes find nothing to do there, and took half of the time such a kernel compiles for. What is needed: variables are
# registers, what is computed for nothing is left out, and a loop asks at its end whether it goes on. The loops over k
# are the same, instruction by instruction.

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir

from .target_machine import host_machine, machine
from .values import is_in_vectors

_UNLOCKED = ("LLVMPY_RunNewModulePassManager", "LLVMPY_TargetMachineEmitToMemory")


def optimised_object(module: ir.Module) -> bytes:
    """The object file of a module, with loops vectorised and everything that its functions call inlined.

    Errors: RuntimeError where LLVM refuses it.
    """
    with machine() as own:
        return _object_code(optimised(module, own), own)


def optimised(module: ir.Module, machine: Any) -> Any:
    """The module as LLVM leaves it for a machine, with loops over vectors.

    Errors: RuntimeError where LLVM refuses it.
    """
    # Said before the module is read: a load that states no alignment has that of the layout.
    module.triple, module.data_layout = llvm.get_process_triple(), _data_layout()
    in_vectors, parsed = is_in_vectors(module), _parsed(str(module))
    options = llvm.create_pipeline_tuning_options()
    options.speed_level = 2  # what the next level adds, our loops have no use for
    options.loop_vectorization = True
    options.slp_vectorization = False  # it packs chains that wait for each other, and costs a sixth of the time
    builder = llvm.create_pass_builder(machine, options)
    passes = _few_passes() if in_vectors else builder.getModulePassManager()
    _library().LLVMPY_RunNewModulePassManager(passes, parsed, builder)
    return parsed


def _few_passes() -> Any:
    """The passes for what is in vectors already: see Note [Passes for vectors]."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_loop_rotate_pass()
    passes.add_simplify_cfg_pass()
    return passes


def assembled_object(text: str) -> bytes:
    """The object file of LLVM IR that is optimised already. Errors: RuntimeError where LLVM refuses it."""
    with machine() as own:
        return _object_code(_parsed(text), own)


def _parsed(text: str) -> Any:
    """The module of LLVM IR in text, for this processor, in a context of its own."""
    module = llvm.parse_assembly(text, llvm.create_context())  # which the module keeps alive
    module.triple, module.data_layout = llvm.get_process_triple(), _data_layout()
    module.verify()
    return module


def _object_code(module: Any, machine: Any) -> bytes:
    library = llvm.ffi.lib
    with llvm.ffi.OutputString() as said:
        memory = _library().LLVMPY_TargetMachineEmitToMemory(machine, module, 1, said)
        if not memory:
            raise RuntimeError(str(said))
    try:
        return ctypes.string_at(library.LLVMPY_GetBufferStart(memory), library.LLVMPY_GetBufferSize(memory))
    finally:
        library.LLVMPY_DisposeMemoryBuffer(memory)


@cache
def _data_layout() -> str:
    return str(host_machine().target_data)


@cache
def _library() -> Any:
    """LLVM, without llvmlite's lock: see Note [Threads in LLVM]."""
    locked = llvm.ffi.lib
    try:
        library = ctypes.CDLL(locked._name)
        for name in _UNLOCKED:
            declared, function = getattr(locked, name), getattr(library, name)
            function.argtypes, function.restype = declared.argtypes, declared.restype
    except (
        AttributeError,
        OSError,
    ):  # an llvmlite that hides its library: then threads wait
        return locked
    return library
