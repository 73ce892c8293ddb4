"""SparseAdam: Adam of the rows that have a gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.creation import zeros_like
from ..errors import OptimizerArgumentError, StepError
from ..optimizer import Optimizer, evaluated
from ..settings import as_numbers, check_settings, number


class SparseAdam(Optimizer):
    """Adam for dense parameters with sparse gradients: moments and parameters change where there is an entry.

    Errors: OptimizerArgumentError (a ValueError) for a rate or eps that is not positive, or a sparse parameter.
    Source: Kingma & Ba 2015, algorithm 1, without the decay of moments whose gradient is not there.
    """

    _reals_only = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        defaults = {"lr": lr, "betas": as_numbers(betas), "eps": eps, "maximize": maximize}
        check_settings(defaults)
        for name in ("lr", "eps"):
            if not number(defaults[name]) > 0.0:
                raise OptimizerArgumentError(f"{name} is to be above 0, got {defaults[name]}")
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group. Errors: OptimizerArgumentError for a sparse parameter, and nothing is added."""
        super().add_param_group(param_group)
        for place, param in enumerate(self.param_groups[-1]["params"]):
            if param.is_sparse:
                self.param_groups.pop()
                raise OptimizerArgumentError(
                    f"SparseAdam requires dense parameter tensors, and parameter {place} of a group is sparse"
                )

    @no_grad()  # type: ignore[untyped-decorator]
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first.

        Errors: StepError (a RuntimeError) for a dense gradient.
        """
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                if not grad.is_sparse:
                    raise StepError("SparseAdam does not support dense gradients, please consider Adam instead")
                state = self.state[param]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = zeros_like(param)
                    state["exp_avg_sq"] = zeros_like(param)
                state["step"] += 1
                count, (beta1, beta2) = state["step"], group["betas"]
                rate = group["lr"] * (1.0 - beta2**count) ** 0.5 / (1.0 - beta1**count)
                moments = state["exp_avg"], state["exp_avg_sq"]
                step_rows(param, grad, *moments, rate, group["betas"], group["eps"], group["maximize"])
        return loss


def step_rows(
    param: Tensor,
    grad: Any,
    exp_avg: Tensor,
    exp_avg_sq: Tensor,
    rate: Any,
    betas: tuple[float, float],
    eps: float,
    maximize: bool,
) -> None:
    """Steps one parameter and its moments in place, where the gradient has entries. The tracer has a rule for it."""
    merged = grad.detach().coalesce()
    places, slope = tuple(merged._indices()), merged._values()
    if slope.numel() == 0:
        return
    if maximize:
        slope = -slope
    first, second = exp_avg[places], exp_avg_sq[places]
    first = first + (slope - first) * (1.0 - betas[0])
    second = second + (slope * slope - second) * (1.0 - betas[1])
    exp_avg[places] = first
    exp_avg_sq[places] = second
    param[places] = param[places] - first / (second.sqrt() + eps) * rate
