"""Attention and its gradients as kernels of their own: blocks of scores in registers and shared memory."""
