"""The scalar functions that generated kernels call, written once in plain Python arithmetic for every back end."""
