"""A call arrives: the entries of a function, what happens where none fits, and what is remembered of it."""
