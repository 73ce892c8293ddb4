"""Python's meanings: operators, built-in functions, methods of containers, exceptions."""
