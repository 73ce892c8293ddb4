"""PyTorch's meanings while tracing: the surface functions of `tensor/` and `nn/` run natively over traced tensors."""

from . import (  # noqa: F401
    attributes,
    constructors,
    custom_functions,
    functional,
    gradients,
    init_group,
    inlined_hooks,
    modes,
    module_tree,
    steps,
    surface,
    untraced,
)
