"""Kernel text to LLVM IR, and LLVM IR to object code; llvmlite is all it needs."""
