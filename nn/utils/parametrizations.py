"""Parametrizations that are often used: length and direction apart, and the largest singular value 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.reductions import norm
from .. import functional
from ..errors import LayerArgumentError
from ..module import Module
from .parametrize import register_parametrization

if TYPE_CHECKING:
    from .orthogonal import orthogonal

M = TypeVar("M", bound=Module)


def norm_except(v: Tensor, dim: int) -> Tensor:
    """The Euclidean norms over all axes but one, which are kept with size 1; that of everything for -1."""
    if dim == -1:
        return norm(v)  # type: ignore[no-any-return]
    axes = tuple(axis for axis in range(v.ndim) if axis != dim % v.ndim)
    return norm(v, 2, axes, keepdim=True) if axes else v.abs()  # type: ignore[no-any-return]


class _WeightNorm(Module):
    """A tensor made of its lengths (`weight_g`) and its directions (`weight_v`)."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        """``weight_v`` with the lengths of ``weight_g``."""
        return weight_v * (weight_g / norm_except(weight_v, self.dim))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The lengths of a weight, and itself for its directions."""
        return norm_except(weight, self.dim), weight


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """`module`, whose weight is made of lengths (`original0`) and directions (`original1`) along all axes but `dim`.

    dim: None for one length of everything.
    Errors: ValueError for a name that is no parameter.
    Source: Salimans & Kingma 2016, Weight Normalization.
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def with_old_names(
        _module: Module, state: dict[str, Any], prefix: str, _meta: Any, _strict: bool, *_found: list[str]
    ) -> None:
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(each in state for each in old):
            for place, each in enumerate(old):
                state[f"{prefix}parametrizations.{name}.original{place}"] = state.pop(each)

    module.register_load_state_dict_pre_hook(with_old_names)
    return module


class _SpectralNorm(Module):
    """A tensor over its largest singular value, which power iteration estimates in training."""

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if not -weight.ndim <= dim < weight.ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{weight.ndim}, {weight.ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise LayerArgumentError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % weight.ndim
        self.eps = eps
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight.detach())
            height, width = matrix.shape
            u, v = (matrix.new_empty(size).normal_(0, 1) for size in (height, width))
            self.register_buffer("_u", functional.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", functional.normalize(v, dim=0, eps=eps))
            self._iterate(matrix, 15)

    def _matrix(self, weight: Tensor) -> Tensor:
        """The weight with the axis `dim` first and all others in one."""
        if self.dim != 0:
            weight = weight.permute(self.dim, *(axis for axis in range(weight.ndim) if axis != self.dim))
        return weight.flatten(1)

    def _iterate(self, matrix: Tensor, times: int) -> None:
        with no_grad():
            for _ in range(times):
                self._u.copy_(functional.normalize(matrix.mv(self._v), dim=0, eps=self.eps))
                self._v.copy_(functional.normalize(matrix.t().mv(self._u), dim=0, eps=self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        """`weight` over its largest singular value."""
        if weight.ndim == 1:
            return functional.normalize(weight, dim=0, eps=self.eps)  # type: ignore[no-any-return]
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix.detach(), self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # later iterations do not change what the derivative reads
        return weight / u.dot(matrix.mv(v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """`value`: we may assume that it has been normalised."""
        return value


def spectral_norm(
    module: M, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> M:
    """`module`, whose weight is divided by its largest singular value.

    Power iteration estimates it, with `n_power_iterations` at each look at the weight in training.
    dim: the axis that stands for the rows; 0 by default, 1 for transposed convolutions.
    Errors: ValueError for a name that is no tensor of the module.
    Source: Miyato et al. 2018, Spectral Normalization for Generative Adversarial Networks.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise LayerArgumentError(f"Module '{type(module).__name__}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def __getattr__(name: str) -> Any:
    if name != "orthogonal":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .orthogonal import orthogonal  # linear algebra is imported where somebody wants it

    return orthogonal
