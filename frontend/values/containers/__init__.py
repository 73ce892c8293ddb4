"""Sequences, dicts, sets and the iterators over them, as the trace sees them."""
