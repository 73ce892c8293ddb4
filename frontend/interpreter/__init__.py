"""The evaluation of one frame: its stack and variables, calls that are inlined, exceptions that unwind it."""
