"""Muon: momentum whose matrix is made nearly orthogonal before it is stepped along."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.creation import zeros_like
from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer, evaluated
from ..settings import check_dense, check_settings

WAYS = (None, "original", "match_rms_adamw")


class Muon(Optimizer):
    """Steps along an orthogonal matrix near the momentum; only for matrices, and decays as AdamW.

    ns_coefficients, ns_steps: the polynomial of the Newton-Schulz iteration, which computes in bfloat16, and how often
    it is applied; eps: the least norm that the momentum is divided by before.   adjust_lr_fn: how `lr` depends on the
    shape: "original" (or None), or "match_rms_adamw", with which the rates of AdamW serve.
    Errors: OptimizerArgumentError (a ValueError) for parameters that are no matrices, and settings that make no sense.
    Source: Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"; Liu et al. 2025, "Muon is
    Scalable for LLM Training" (match_rms_adamw).
    """

    _reals_only = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        check_settings({"lr": lr, "weight_decay": weight_decay, "momentum": momentum})
        if adjust_lr_fn not in WAYS:
            raise OptimizerArgumentError(f"adjust_lr_fn is 'original', 'match_rms_adamw' or None, got {adjust_lr_fn!r}")
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group of matrices. Errors: OptimizerArgumentError where one is none, and nothing is added."""
        super().add_param_group(param_group)
        for param in self.param_groups[-1]["params"]:
            if param.ndim != 2:
                self.param_groups.pop()
                raise OptimizerArgumentError(
                    f"Muon only supports 2D parameters, got one of shape {list(param.shape)}; give biases, norms and "
                    "embeddings to another optimizer, such as AdamW"
                )

    @no_grad()  # type: ignore[untyped-decorator]
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first.

        Errors: OptimizerArgumentError for a hundred iterations or more, or not three coefficients.
        """
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            _check_iteration(group)
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                check_dense("Muon", grad)
                state = self.state[param]
                if "momentum_buffer" not in state:
                    state["momentum_buffer"] = zeros_like(grad)
                _step(param, grad, state["momentum_buffer"], group)
        return loss


def _check_iteration(group: dict[str, Any]) -> None:
    if group["ns_steps"] >= 100:
        raise OptimizerArgumentError(f"ns_steps is to be less than 100, got {group['ns_steps']}")
    if len(group["ns_coefficients"]) != 3:
        raise OptimizerArgumentError(f"ns_coefficients are three numbers, got {len(group['ns_coefficients'])}")


def _step(param: Tensor, grad: Tensor, buffer: Tensor, group: dict[str, Any]) -> None:
    momentum, lr = group["momentum"], group["lr"]
    if isinstance(lr, Tensor):
        lr = lr.reshape(()).to(param.dtype)
    buffer.lerp_(grad, 1.0 - momentum)
    way = grad.lerp(buffer, momentum) if group["nesterov"] else buffer
    way = orthogonal_near(way, group["ns_coefficients"], group["ns_steps"], group["eps"])
    param.mul_(1.0 - lr * group["weight_decay"])
    param.sub_(way.to(param.dtype) * (lr * _of_shape(group["adjust_lr_fn"], *param.shape)))


def _of_shape(way: str | None, rows: int, columns: int) -> float:
    """The factor of the rate for a matrix of that shape."""
    if way == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1.0, rows / columns)) if columns else 1.0


def orthogonal_near(matrix: Tensor, coefficients: Any, steps: int, eps: float) -> Tensor:
    """A matrix whose singular values are near 1, with the singular vectors of `matrix`.

    Each value is rounded to bfloat16, and products accumulate in float32.
    Shapes: [n, m] -> f32[n, m].
    """
    a, b, c = coefficients
    found = matrix.bfloat16()
    turned = matrix.shape[0] > matrix.shape[1]
    found = (found.T if turned else found).float()
    found = _rounded(found / _rounded(_rounded(found.norm()).clamp(min=eps)))
    for _ in range(steps):
        gram = _rounded(found @ found.T)
        polynomial = _rounded(gram * b + (gram @ gram) * c)
        found = _rounded(found * a + polynomial @ found)
    return found.T if turned else found


def _rounded(x: Tensor) -> Tensor:
    return x.bfloat16().float()
