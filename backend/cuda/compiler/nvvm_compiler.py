"""Kernel text to PTX by guardlift's own emitter of LLVM IR and NVIDIA's libNVVM. Imports llvmlite."""

from __future__ import annotations

import ast
from typing import Any

from llvmlite import ir

from ....core.errors import KernelError
from ....core.threads import parsed
from ...llvm.native_functions import VOID
from ...llvm.text_emitter import emit_function
from ...llvm.text_target import TextTarget
from .nvvm import Nvvm, library, ptx_of
from .nvvm_builder import NvvmBuilder, target
from .text_functions import SHARED, STACK, native_function

TRIPLE = "nvptx64-nvidia-cuda"
LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)
GPU = TextTarget(
    result=VOID,
    builder=NvvmBuilder,
    arrays={"cuda.shared.array": SHARED, "cuda.local.array": STACK},
    array_alignment=16,
    steps_are_small=True,  # they count threads and blocks
    hides_rows=False,
    has_wishes=False,
    hides_infinity=False,
)
"""A GPU, by NVVM."""
MISSING = "CUDA kernels need NVIDIA's compiler libNVVM, and there is none: pip install 'guardlift[cuda13]'"


def compiled(text: str, symbol: str, filename: str, capability: tuple[int, int]) -> tuple[str, int]:
    """The PTX of a text that defines `kernel`, with the entry `symbol`, and the number of its parameters.

    Errors: KernelError when libNVVM is missing or the text does not compile, with the reason and the line.
    """
    nvvm = library()
    if nvvm is None:
        raise KernelError(MISSING)
    before = target.set(capability)
    try:
        parameters = _parameters(text, filename)
        module = emit_function(text, ("i64",) * parameters, symbol, filename, native_function, GPU)
    except (SyntaxError, TypeError) as error:
        raise KernelError(f"{filename} is not the text of a kernel: {error}") from error
    finally:
        target.reset(before)
    return ptx_of(nvvm, _finished(module, symbol, nvvm), capability), parameters


def _parameters(text: str, filename: str) -> int:
    """The number of parameters of the function that a text defines."""
    match parsed(text, filename):
        case ast.Module([ast.FunctionDef() as definition]):
            return len(definition.args.args)
    raise TypeError(f"{filename} does not define one function")


def _finished(module: Any, symbol: str, nvvm: Nvvm) -> str:
    """The text of a module, with what NVVM wants to be told."""
    module.triple, module.data_layout = TRIPLE, LAYOUT
    word = ir.IntType(32)
    mark = module.add_metadata([module.globals[symbol], ir.MetaDataString(module, "kernel"), word(1)])
    module.add_named_metadata("nvvm.annotations", mark)
    module.add_named_metadata("nvvmir.version", module.add_metadata([word(each) for each in nvvm.version]))
    return str(module)
