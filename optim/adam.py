"""Adam and AdamW."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..tensor import Tensor
from ..tensor.creation import zeros, zeros_like
from ..tensor.quiet import quietly
from ..tensor.writes import WRITES, announce_all
from .inplace import adam_update_
from .optimizer import Optimizer, evaluated
from .pieces import Row
from .settings import check_betas, check_differentiable, check_gradient, check_not_negative, check_rate, number


class Adam(Optimizer):
    """Adaptive moments; decoupled_weight_decay=True is AdamW's way to decay.

    `foreach`, `fused` and `capturable` choose between PyTorch's ways to compute the same numbers. There is one way
    here, so they are kept in the groups for state dicts to agree, and change nothing.
    Source: Kingma & Ba 2015; Loshchilov & Hutter 2019; Reddi et al. 2018 (amsgrad).
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative("eps", eps)
        check_betas(betas)
        check_not_negative("weight_decay", weight_decay)
        check_differentiable(differentiable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _init_group(
        self,
        group: dict[str, Any],
        params: list[Tensor],
        grads: list[Tensor],
        exp_avgs: list[Tensor],
        exp_avg_sqs: list[Tensor],
        max_exp_avg_sqs: list[Tensor],
        state_steps: list[Tensor],
    ) -> None:
        """Fills the lists with what the parameters that have a gradient need; makes state that is not there yet."""
        amsgrad = group["amsgrad"]
        states = self.state
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            check_gradient("Adam", param, grad)
            state = states[param]
            if not state:
                state["step"] = zeros(())
                state["exp_avg"] = zeros_like(param)
                state["exp_avg_sq"] = zeros_like(param)
                if amsgrad:
                    state["max_exp_avg_sq"] = zeros_like(param)
            params.append(param)
            grads.append(grad)
            exp_avgs.append(state["exp_avg"])
            exp_avg_sqs.append(state["exp_avg_sq"])
            state_steps.append(state["step"])
            if amsgrad:
                max_exp_avg_sqs.append(state["max_exp_avg_sq"])

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            params: list[Tensor] = []
            grads: list[Tensor] = []
            exp_avgs: list[Tensor] = []
            exp_avg_sqs: list[Tensor] = []
            max_exp_avg_sqs: list[Tensor] = []
            state_steps: list[Tensor] = []
            beta1, beta2 = group["betas"]
            self._init_group(group, params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps)
            adam(
                params,
                grads,
                exp_avgs,
                exp_avg_sqs,
                max_exp_avg_sqs,
                state_steps,
                amsgrad=group["amsgrad"],
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                eps=group["eps"],
                maximize=group["maximize"],
                decoupled_weight_decay=group["decoupled_weight_decay"],
            )
        return loss


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters themselves and stays out of the moments."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


def adam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    max_exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    *,
    amsgrad: bool,
    beta1: float,
    beta2: float,
    lr: float | Tensor,
    weight_decay: float,
    eps: float,
    maximize: bool,
    decoupled_weight_decay: bool,
) -> None:
    """One step for all `params`, in place; every written tensor counts one more version."""
    settings = {
        # NumPy's own scalars would widen float32 arrays; Python's numbers do not.
        "lr": number(lr),
        "beta1": float(beta1),
        "beta2": float(beta2),
        "eps": float(eps),
        "weight_decay": float(weight_decay),
        "decoupled": decoupled_weight_decay,
        "maximize": maximize,
    }
    state = [exp_avgs, exp_avg_sqs, *([max_exp_avg_sqs] if amsgrad else [])]
    if WRITES.observers is not None:
        announce_all(params, state_steps, *state)
    quietly(_step_all, params, grads, state, state_steps, settings)


def _step_all(
    params: list[Tensor],
    grads: list[Tensor],
    state: list[list[Tensor]],
    state_steps: list[Tensor],
    settings: dict[str, Any],
) -> None:
    beta1, beta2 = settings["beta1"], settings["beta2"]
    alike: dict[Any, list[Row]] = {}
    for param, grad, counter, *own in zip(params, grads, state_steps, *state):
        count = counter._array
        # As `count += 1`, at a twentieth of the time.
        count[()] = count.item() + 1.0
        array = param._array
        row = (array, grad._array, *[each._array for each in own])
        alike.setdefault((count.item(), array.dtype), []).append(row)
        for written in (param, counter, *own):
            written._counter.value += 1
    for (step, _), rows in alike.items():
        adam_update_(rows, 1.0 - beta1**step, (1.0 - beta2**step) ** 0.5, **settings)
