"""Transforms of functions: derivatives of functions of tensors, and functions of one example made ones of many."""

from .gradients import grad, grad_and_value, vjp
from .jacobians import hessian, jacfwd, jacrev
from .tangents import jvp, linearize
from .vmapping import vmap

__all__ = [
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "vmap",
]
