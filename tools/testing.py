"""The harness that keeps recompiles from coming back."""
