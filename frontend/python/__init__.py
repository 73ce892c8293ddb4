"""Python's meanings: operators, built-in functions, methods of containers, exceptions."""

from . import (  # noqa: F401
    builtin_subclass_construction,
    builtin_subclass_methods,
    builtins,
    control,
    dict_methods,
    exceptions,
    iteration,
    object_builtins,
    object_construction,
    reductions,
    reversed,
    sequence_methods,
    set_methods,
    stdlib,
    text_rules,
)
