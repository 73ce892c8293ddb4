"""Loop IR on NVIDIA GPUs: kernel text for Numba CUDA, its compilation to PTX, and launch plans."""
