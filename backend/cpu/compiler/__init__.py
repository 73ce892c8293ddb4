"""Kernel text as machine code: Numba, LLVM, object files, what native code calls."""
