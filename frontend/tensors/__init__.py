"""PyTorch's meanings while tracing: the surface functions of `tensor/` and `nn/` run natively over traced tensors."""

from ..values.tensors import input_tensors, optimizers, watched_modules  # noqa: F401
from .autograd import backward, checkpoints, custom_functions, functional, outside  # noqa: F401
from .hooks import saved_tensor_hooks  # noqa: F401
from .optim import init_group, step  # noqa: F401
from .surface import (  # noqa: F401
    attributes,
    autocast,
    constructors,
    functions,
    grad_modes,
    made_modules,
    module_tree,
    unsupported,
)
