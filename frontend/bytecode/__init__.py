"""Code objects as facts: instructions, blocks, stack and liveness; and what differs from CPython to CPython."""
