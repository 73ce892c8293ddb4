"""Kernel text as machine code of a GPU: LLVM IR, NVVM, Numba, what the text calls, cubins on disk."""
