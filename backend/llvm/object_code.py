"""LLVM IR to object code for the processor at hand, through llvmlite alone."""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir

from .target_machine import host_machine


def parsed(module: ir.Module) -> Any:
    """LLVM's own form of a module, for this processor. Errors: RuntimeError where LLVM refuses it."""
    # Said before the module is read: a load that states no alignment has that of the layout.
    module.triple, module.data_layout = llvm.get_process_triple(), str(host_machine().target_data)
    return assembled(str(module))


def assembled(text: str) -> Any:
    """The module of LLVM IR in text, for this processor. Errors: RuntimeError where LLVM refuses it."""
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = llvm.get_process_triple(), str(host_machine().target_data)
    module.verify()
    return module


def optimised(module: Any) -> Any:
    """The module, with loops vectorised and everything that its functions call inlined."""
    machine = host_machine()
    options = llvm.create_pipeline_tuning_options()
    options.speed_level = 3
    options.loop_vectorization = True
    options.slp_vectorization = False  # it packs chains that wait for each other, and costs a sixth of the time
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def object_code(module: Any) -> bytes:
    """The object file of a module."""
    return host_machine().emit_object(module)  # type: ignore[no-any-return]
