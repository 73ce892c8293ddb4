"""L-BFGS: steps along gradients that a memory of the last steps has corrected for the curvature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.ignored_errstate import ignoring_errstate
from ...tensor.joining import cat
from ...tensor.tensor import Array
from ..errors import OptimizerArgumentError, StepError
from ..line_search import LinePoint, strong_wolfe
from ..optimizer import Optimizer, evaluated
from ..settings import check_settings, number

Closure = Callable[[], Any]

CURVED = 1e-10
"""The least product of a step and the change of the gradient along it for which the pair is remembered."""


class LBFGS(Optimizer):
    """Several iterations of L-BFGS a step, each of which calls a closure that clears gradients and computes them anew.

    max_iter: iterations a step.   max_eval: calls of the closure a step, 1.25 times `max_iter` if nothing is said.
    tolerance_grad, tolerance_change: a step ends where no element of the gradient, or of the last move, or where the
    change of the loss is larger.   history_size: how many moves are remembered.   line_search_fn: None for steps of
    `lr`, or "strong_wolfe". All parameters are in one group; the state is that of its first parameter.
    Errors: OptimizerArgumentError (a ValueError) for several groups.
    Source: Nocedal & Wright 2006, algorithms 7.4 and 7.5; Schmidt's minFunc (2005) for where it ends.
    """

    _reals_only = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_settings({"lr": lr})
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds the one group. Errors: OptimizerArgumentError for another one."""
        if self.param_groups:
            raise OptimizerArgumentError(
                "LBFGS doesn't support per-parameter options (parameter groups); give all parameters in one list"
            )
        super().add_param_group(param_group)

    @no_grad()  # type: ignore[untyped-decorator]
    def step(self, closure: Closure) -> Any:  # type: ignore[override]
        """The loss that the first call of `closure` gave, before the iterations of this step.

        Errors: StepError (a RuntimeError) for another line search than "strong_wolfe".
        """
        group = self.param_groups[0]
        params = group["params"]
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise StepError(f"line_search_fn is 'strong_wolfe' or None, got {group['line_search_fn']!r}")
        state = self.state[params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = evaluated(closure)
        state["func_evals"] += 1
        grad = _gradient(params)
        if _largest(grad) <= group["tolerance_grad"]:
            return first_loss
        _iterate(params, closure, group, state, float(first_loss), grad)
        return first_loss


def _iterate(
    params: list[Tensor], closure: Closure, group: dict[str, Any], state: dict[str, Any], loss: float, grad: Tensor
) -> None:
    """The iterations of one step; `state` holds what the next step goes on with."""
    lr, calls = number(group["lr"]), 1
    way, length, previous = state.get("d"), state.get("t"), state.get("prev_flat_grad")
    for iteration in range(1, group["max_iter"] + 1):
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            way = -grad
            state.update(d=way, t=0.0, old_dirs=[], old_stps=[], ro=[], H_diag=1)
        else:
            assert way is not None and previous is not None
            _remember(state, group, grad - previous, way * number(length))
            way = _direction(state, grad)
        previous, previous_loss = grad.clone(), loss
        length = min(1.0, (1.0 / grad.abs().sum()).item()) * lr if state["n_iter"] == 1 else lr
        slope = grad.dot(way).item()
        state.update(d=way, t=length, prev_flat_grad=previous, prev_loss=previous_loss)
        if slope > -group["tolerance_change"]:
            break
        if group["line_search_fn"] is not None:
            start = LinePoint(0.0, loss, grad, slope)
            most = group["max_eval"] - calls
            found, used = _searched(params, closure, start, length, way, group["tolerance_change"], most)
            loss, grad, length = found.value, found.grad, found.at
            state["t"] = length
            _move(params, way, length)
        else:
            _move(params, way, length)
            used = 0
            if iteration < group["max_iter"]:  # what the closure gives behind the last iteration is not needed
                loss, used = float(evaluated(closure)), 1
                grad = _gradient(params)
        calls += used
        state["func_evals"] += used
        if calls >= group["max_eval"] or _largest(grad) <= group["tolerance_grad"]:
            break
        if _largest(way) * abs(length) <= group["tolerance_change"]:
            break
        if abs(loss - previous_loss) < group["tolerance_change"]:
            break


def _remember(state: dict[str, Any], group: dict[str, Any], change: Tensor, move: Tensor) -> None:
    """Adds a move, and the change of the gradient along it, to what is remembered, if that is curved upwards."""
    product = change.dot(move)
    if not product.item() > CURVED:
        return
    changes, moves, inverses = state["old_dirs"], state["old_stps"], state["ro"]
    if len(changes) == group["history_size"]:
        for each in (changes, moves, inverses):
            each.pop(0)
    changes.append(change)
    moves.append(move)
    inverses.append(1.0 / product)
    state["H_diag"] = product / change.dot(change)


def _direction(state: dict[str, Any], grad: Tensor) -> Tensor:
    """The direction downhill, by the approximate inverse of the Hessian."""
    changes, moves, inverses, scale = state["old_dirs"], state["old_stps"], state["ro"], state["H_diag"]
    array = grad._array
    if type(array) is not np.ndarray or array.itemsize < 4:
        return _by_moves(grad, changes, moves, inverses, scale)
    found = ignoring_errstate(
        _by_moves_of_arrays,
        array,
        [each._array for each in changes],
        [each._array for each in moves],
        [_number_of(each) for each in inverses],
        _number_of(scale),
    )
    return Tensor._wrap(found)


def _by_moves(grad: Tensor, changes: list[Tensor], moves: list[Tensor], inverses: list[Tensor], scale: Any) -> Tensor:
    """The direction downhill. Source: Nocedal & Wright, algorithm 7.4."""
    way, shares = -grad, []
    for change, move, inverse in zip(reversed(changes), reversed(moves), reversed(inverses)):
        share = (move @ way) * inverse
        way -= change * share
        shares.append(share)
    way = way * scale
    for change, move, inverse, share in zip(changes, moves, inverses, reversed(shares)):
        way += move * (share - (change @ way) * inverse)
    return way


def _by_moves_of_arrays(
    grad: Array, changes: list[Array], moves: list[Array], inverses: list[Any], scale: Any
) -> Array:
    """The direction that `_by_moves` gives. A long history is a thousand operations, so none makes an array."""
    way: Array = -grad
    work, shares = np.empty_like(way), []
    dot, multiply, add, subtract = np.dot, np.multiply, np.add, np.subtract
    for change, move, inverse in zip(reversed(changes), reversed(moves), reversed(inverses)):
        share = dot(move, way) * inverse
        multiply(change, share, work)
        subtract(way, work, way)
        shares.append(share)
    multiply(way, scale, way)
    for change, move, inverse, share in zip(changes, moves, inverses, reversed(shares)):
        multiply(move, share - dot(change, way) * inverse, work)
        add(way, work, way)
    return way


def _number_of(value: Any) -> Any:
    """The number, of NumPy's, that a tensor without axes is."""
    return value._array[()] if isinstance(value, Tensor) else value


def _searched(
    params: list[Tensor], closure: Closure, start: LinePoint, length: float, way: Tensor, tolerance: float, most: int
) -> tuple[LinePoint, int]:
    """The point that a line search finds; the parameters are where they were."""
    kept = [each.clone() for each in params]

    def evaluate(at: float) -> LinePoint:
        _move(params, way, at)
        loss = float(evaluated(closure))
        grad = _gradient(params)
        for param, before in zip(params, kept):
            param.copy_(before)
        return LinePoint(at, loss, grad, grad.dot(way).item())

    return strong_wolfe(start, length, _largest(way), evaluate, tolerance, most)


def _parts(params: list[Tensor], flat: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    start = 0
    for param in params:
        stop = start + param.numel()
        yield param, flat[start:stop].reshape(param.shape)
        start = stop


def _move(params: list[Tensor], way: Tensor, length: float) -> None:
    for param, part in _parts(params, way):
        param.add_(part, alpha=length)


def _gradient(params: list[Tensor]) -> Tensor:
    """All gradients end to end, in memory of their own; zeros for those that are not there."""
    found = []
    for param in params:
        grad = param.grad
        if grad is None:
            found.append(param.new_zeros(param.numel()))
        else:
            found.append((grad.to_dense() if grad.is_sparse else grad).reshape(-1))
    return cat(found)


def _largest(x: Tensor) -> float:
    return float(x.abs().max().item())
