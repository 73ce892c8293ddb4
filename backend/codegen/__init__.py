"""Loop IR as Numba text for the CPU, and as Python for the oracle."""
