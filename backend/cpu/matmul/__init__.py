"""Matrix products on the CPU: BLAS, C, and text of kernels."""
