"""LLVM's machine for this host, which emits position-independent code. Imports llvmlite, and no numba."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def host_machine() -> Any:
    """The machine. Numba's own emits code in the large model, with an absolute 64-bit address for every constant."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, reloc="pic", codemodel="small"
    )
