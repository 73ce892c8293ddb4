"""Transforms of functions: derivatives of functions of tensors, and functions of one example made ones of many."""

from typing import TYPE_CHECKING

from ..core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .gradients import grad, grad_and_value, vjp
    from .jacobians import hessian, jacfwd, jacrev
    from .modules import functional_call, replace_all_batch_norm_modules_, stack_module_state
    from .tangents import jvp, linearize
    from .vmapping import vmap

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]

__getattr__, __dir__ = lazy_names(__name__)
