"""Weight norm and spectral norm in their older form: a hook computes the weight before each call of the module."""

from __future__ import annotations

from typing import Any, TypeVar

from ...autograd.modes import no_grad
from ...core.watch import changing
from ...tensor import Tensor
from ...tensor.parameter import Parameter
from .. import functional
from ..errors import LayerArgumentError, LayerShapeError
from ..module import Module
from .parametrizations import norm_except

M = TypeVar("M", bound=Module)


class _WeightNormHook:
    """Sets the weight from its lengths and directions."""

    def __init__(self, name: str, dim: int) -> None:
        self.name = name
        self.dim = dim

    def weight(self, module: Module) -> Tensor:
        """The weight as the parameters of the module say."""
        g, v = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        return v * (g / norm_except(v, self.dim))  # type: ignore[no-any-return]

    def __call__(self, module: Module, _args: Any) -> None:
        setattr(module, self.name, self.weight(module))


class _SpectralNormHook:
    """Sets the weight to the original over its largest singular value."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps

    def matrix(self, weight: Tensor) -> Tensor:
        """The weight with the axis `dim` first and all others in one."""
        if self.dim != 0:
            weight = weight.permute(self.dim, *(axis for axis in range(weight.ndim) if axis != self.dim))
        return weight.reshape(weight.shape[0], -1)

    def weight(self, module: Module, training: bool) -> Tensor:
        """The weight that the module has for a call."""
        original = getattr(module, f"{self.name}_orig")
        u, v = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        matrix = self.matrix(original)
        if training:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(functional.normalize(matrix.t().mv(u), dim=0, eps=self.eps))
                    u.copy_(functional.normalize(matrix.mv(v), dim=0, eps=self.eps))
            u, v = u.clone(), v.clone()
        return original / u.dot(matrix.mv(v))  # type: ignore[no-any-return]

    def __call__(self, module: Module, _args: Any) -> None:
        setattr(module, self.name, self.weight(module, module.training))


def _weight_of(module: Module, name: str) -> Parameter:
    found = module._parameters.get(name)
    if found is None:
        raise LayerArgumentError(f"{type(module).__name__} has no parameter {name!r}")
    return found


def _hook_of(module: Module, kind: type, name: str) -> tuple[int, Any] | None:
    """The number and the hook of that kind for a tensor of the module."""
    hooks = module._hooks
    for number, (hook, _) in hooks.before.items() if hooks is not None else ():
        if isinstance(hook, kind) and hook.name == name:  # type: ignore[attr-defined]
            return number, hook
    return None


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """`module`, whose weight is made of the parameters ``<name>_g``, its lengths, and ``<name>_v``, its directions.

    `parametrizations.weight_norm` is the newer form.   Errors: RuntimeError where it is so already.
    Source: Salimans & Kingma 2016.
    """
    if _hook_of(module, _WeightNormHook, name) is not None:
        raise LayerShapeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    weight = _weight_of(module, name)
    hook = _WeightNormHook(name, -1 if dim is None else dim)
    delattr(module, name)
    module.register_parameter(f"{name}_g", Parameter(norm_except(weight.detach(), hook.dim)))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))
    setattr(module, name, hook.weight(module))
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: M, name: str = "weight") -> M:
    """`module`, whose weight is a parameter again, with the value that it has. Errors: ValueError without a hook."""
    found = _hook_of(module, _WeightNormHook, name)
    if found is None:
        raise LayerArgumentError(f"weight_norm of '{name}' not found in {type(module).__name__}")
    number, hook = found
    with no_grad():
        value = hook.weight(module)
    _restore(module, number, name, (f"{name}_g", f"{name}_v"), value)
    return module


def spectral_norm(
    module: M, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> M:
    """`module`, whose weight is the parameter ``<name>_orig`` over its largest singular value.

    `parametrizations.spectral_norm` is the newer form.   Errors: RuntimeError where it is so already.
    Source: Miyato et al. 2018.
    """
    if _hook_of(module, _SpectralNormHook, name) is not None:
        raise LayerShapeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    if n_power_iterations <= 0:
        raise LayerArgumentError(
            f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
        )
    weight = _weight_of(module, name)
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    hook = _SpectralNormHook(name, n_power_iterations, dim, eps)
    matrix = hook.matrix(weight.detach())
    u, v = (functional.normalize(matrix.new_empty(size).normal_(0, 1), dim=0, eps=eps) for size in matrix.shape)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.detach())
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: M, name: str = "weight") -> M:
    """`module`, whose weight is a parameter again, with the value that it has. Errors: ValueError without a hook."""
    found = _hook_of(module, _SpectralNormHook, name)
    if found is None:
        raise LayerArgumentError(f"spectral_norm of '{name}' not found in {type(module).__name__}")
    number, hook = found
    with no_grad():
        value = hook.weight(module, False)
    _restore(module, number, name, (f"{name}_orig", f"{name}_u", f"{name}_v"), value)
    return module


def _restore(module: Module, number: int, name: str, parts: tuple[str, ...], value: Tensor) -> None:
    hooks = module._hooks
    assert hooks is not None
    left = hooks.without(number)
    with changing(module, "_hooks", "a hook was removed"):
        object.__setattr__(module, "_hooks", left if left.any_left() else None)
    delattr(module, name)
    for part in parts:
        delattr(module, part)
    module.register_parameter(name, Parameter(value.detach()))
