"""Adafactor: the mean squares of a matrix kept as those of its rows and its columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ...autograd.modes import no_grad
from ...core import dtypes
from ...core.dtype_names import finfo
from ...tensor import Tensor
from ...tensor.creation import zeros_like
from ...tensor.more_creation import scalar_tensor
from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer, evaluated
from ..settings import CHECKS, check_dense, check_settings


class Adafactor(Optimizer):
    """Steps of a size relative to the parameter's own, over a mean of squares that is factored for matrices.

    lr: the most that a step is, relative to the size of the parameter.   beta2_decay: the power of the step's number
    by which new squares weigh in.   eps: what is added to squares (that of the dtype for None), and the least size of a
    parameter.   d: the size above which updates are clipped. A parameter of two axes or more is factored along its last
    two. `foreach` chooses between PyTorch's ways to compute the same numbers, and is kept.
    Errors: OptimizerArgumentError (a ValueError) for settings that make no sense.
    Source: Shazeer & Stern 2018, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost", algorithms 4 and 5.
    """

    _reals_only = True

    _singles = Optimizer._singles | {"step"}

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        check_settings({"lr": lr, "weight_decay": weight_decay})
        if not beta2_decay <= 0.0:
            raise OptimizerArgumentError(f"beta2_decay is to be at most 0, got {beta2_decay}")
        for place, each in enumerate(eps):
            if each is not None or place:
                CHECKS["eps"](f"eps[{place}]", each)
        if not d >= 1.0:
            raise OptimizerArgumentError(f"d, the size above which updates are clipped, is to be at least 1, got {d}")
        super().__init__(params, defaults)

    @no_grad()  # type: ignore[untyped-decorator]
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                check_dense("Adafactor", grad)
                state = self.state[param]
                if len(state) == 0:
                    state["step"] = scalar_tensor(0.0, dtype=dtypes.float32)
                    if grad.ndim > 1:
                        state["row_var"] = grad.new_zeros((*grad.shape[:-1], 1))
                        state["col_var"] = grad.new_zeros((*grad.shape[:-2], 1, grad.shape[-1]))
                    else:
                        state["variance"] = zeros_like(grad)
                _step(param, -grad if group["maximize"] else grad, state, group)
        return loss


def _step(param: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
    """Steps one parameter and its state in place. Numbers of the step are float64, on no axis."""
    lr, (eps1, eps2), dtype = group["lr"], group["eps"], param.dtype
    if eps1 is None:
        eps1 = finfo(dtype).eps
    state["step"].add_(1.0)
    count = state["step"].double().to(param.device)
    weight = (count ** group["beta2_decay"]).to(dtype)
    rate = count.rsqrt()
    rate = rate.minimum(lr.double().reshape(()).to(param.device)) if isinstance(lr, Tensor) else rate.clamp(max=lr)
    size = max(1, param.numel())
    rate = rate * (param.norm().double() / math.sqrt(size)).clamp(min=eps2)
    if group["weight_decay"] != 0:
        param.mul_(_as(dtype, 1.0 - lr * group["weight_decay"]))
    if grad.ndim > 1:
        rows, columns = state["row_var"], state["col_var"]
        rows.lerp_(grad.square().mean(-1, keepdim=True), weight)
        columns.lerp_(grad.square().mean(-2, keepdim=True), weight)
        variance = rows @ columns / rows.mean(-2, keepdim=True).clamp(min=eps1)
    else:
        variance = state["variance"].lerp_(grad.square(), weight)
    update = variance.clamp(min=eps1 * eps1).rsqrt() * grad
    clipped = (update.norm().double() / (math.sqrt(size) * group["d"])).clamp(min=1.0)
    param.sub_(update * (rate / clipped).to(dtype))


def _as(dtype: Any, number: Any) -> Any:
    return number.to(dtype) if isinstance(number, Tensor) else number
