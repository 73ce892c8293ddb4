"""The tasks of `guards.py` under guardlift: `guards_ours.py N` prints what a call over N parameters costs, as JSON.

Without a number it serves the tasks with real kernels, see `turns`.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numpy as np  # noqa: E402
from calls import best_of, best_of_prepared  # noqa: E402
from turns import serve  # noqa: E402

import guardlift as gl  # noqa: E402
from guardlift import nn  # noqa: E402
from guardlift.backend import compile as backend  # noqa: E402
from guardlift.backend.cpu.plan import plan as plans  # noqa: E402
from guardlift.frontend import state_of  # noqa: E402


def adam(count: int, side: int, *, jitted: bool = True):
    """A step of Adam over parameters of side x side that have gradients, the parameters, and how long it compiled."""
    rng = np.random.default_rng(0)
    arrays = rng.standard_normal((2, count, side, side), dtype=np.float32)
    parameters = [nn.Parameter(gl.tensor(array)) for array in arrays[0]]
    for parameter, gradient in zip(parameters, arrays[1]):
        parameter.grad = gl.tensor(gradient)
    optimizer = gl.optim.Adam(parameters, lr=1e-3)
    optimizer.step()  # makes the state

    @gl.jit(fullgraph=True)
    def step():
        optimizer.step()

    start = time.perf_counter()
    if jitted:
        step()
    return step, parameters, time.perf_counter() - start


def without_kernels() -> None:
    """From now on plans check and bind everything, and run nothing: the back end that does nothing."""
    plan = backend.launch_plan
    backend.launch_plan = lambda *given: dataclasses.replace(plan(*given), steps=())


def plan_and_arguments(step, *arguments):
    """The builtin that a jitted function calls, and what it is given."""
    given = []
    state = state_of(step)
    validity = state.pool.objects[state.entries[0].slot]
    builtin = validity.payload

    def recorded(*passed):
        given.append(passed)
        return builtin(*passed)

    validity.payload = recorded
    step(*arguments)
    validity.payload = builtin
    return builtin, given[0]


def figures(count: int, lifted: bool) -> dict[str, float]:
    """Microseconds of a call with the same gradients, of one after all were set anew, and of the plan alone."""
    with gl.config.patch(lift_constants=lifted):
        step, parameters, seconds = adam(count, 2)
        other, *_ = adam(10, 2)
    builtin, arguments = plan_and_arguments(step)
    entry = state_of(step).entries[0]
    found = {"compile": seconds, "trace": entry.seconds["trace"], "kept": best_of(step)}
    found["plan"] = best_of(lambda: builtin(*arguments))
    step()
    setting = []

    def fresh():
        made = [gl.tensor(each.grad.numpy().copy()) for each in parameters]
        start = time.perf_counter()
        for parameter, gradient in zip(parameters, made):
            parameter.grad = gradient
        setting.append((time.perf_counter() - start) / count)

    found["fresh"] = best_of_prepared(step, fresh)
    found["cold"] = best_of_prepared(other, fresh)
    found["setter"] = min(setting)
    found["entries"] = sum(event.kind in ("compile", "recompile") for event in state_of(step).history)
    return found


def plain_setter() -> float:
    """The seconds that setting `.grad` takes where nobody reads it."""
    parameters = [nn.Parameter(gl.zeros(2, 2)) for _ in range(1000)]
    gradient = gl.zeros(2, 2)

    def set_all():
        for parameter in parameters:
            parameter.grad = gradient

    return best_of(set_all) / len(parameters)


def closure_module() -> dict[str, float]:
    """A module with 50 parameters in a closure: a call without kernels, and of its plan alone."""
    model = nn.Sequential(*(nn.Linear(2, 2) for _ in range(25)))
    x = gl.zeros(1, 2)

    @gl.jit(fullgraph=True)
    def forward(x):
        return model(x)

    with gl.no_grad():
        forward(x)
        builtin, arguments = plan_and_arguments(forward, x)
        return {"call": best_of(lambda: forward(x)), "plan": best_of(lambda: builtin(*arguments))}


def one_size(count: int) -> None:
    """Prints the figures of one number of parameters."""
    gl.config.guard_limit = 10**6  # not lifted, the gradients are facts that each call checks
    without_kernels()
    adam(3, 2)  # what is compiled once for all, the runner, is compiled now
    found = {"about": f"guardlift {gl.__version__}", "plain setter": plain_setter()}
    found["lifted"] = figures(count, True)
    found["fetched"] = figures(count, False)
    if count == 10:
        found["module"] = closure_module()
    print(json.dumps(found))


# -- with kernels ------------------------------------------------------------------------------------------------------
def bare_kernel(count: int, side: int):
    """The kernel of a step of Adam over a table of addresses that are all known, with nothing to check: a task."""
    step, parameters, _ = adam(count, side)
    compiled = state_of(step).entries[0].details["compiled"]
    _, arguments = plan_and_arguments(step)
    inputs = tuple(
        plans.LiftedInput(each.dtype, each.shape, each.strides, each.writeable, each.written)
        if isinstance(each, plans.ArrayInput)
        else each
        for each in compiled.plan.inputs
    )
    plan = dataclasses.replace(compiled.plan, inputs=inputs, checks=(), subscribed_checks=0, check_errstate=False)
    rng = np.random.default_rng(0)
    arrays = [
        np.asarray(np.abs(rng.standard_normal(each.shape)), each.dtype)  # of shape () too, which would be a number
        for each in inputs
        if isinstance(each, plans.LiftedInput)
    ]
    builtin = plans.build(plan, arrays)
    assert builtin(*arguments) is None
    return lambda: builtin(*arguments)


def whole_step(lifted: bool):
    """A training step of a deep and narrow perceptron, jitted: 50 parameters of 8 x 8 and 8."""
    rng = np.random.default_rng(0)
    layers: list[nn.Module] = []
    for _ in range(25):
        layers += [nn.Linear(8, 8), nn.Tanh()]
    model = nn.Sequential(*layers)
    optimizer = gl.optim.Adam(model.parameters(), lr=1e-3)
    x = gl.tensor(rng.standard_normal((4, 8), dtype=np.float32))

    @gl.jit(fullgraph=True)
    def step(x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    step.__wrapped__(x)
    with gl.config.patch(lift_constants=lifted):
        step(x)
    return step, x


def main() -> None:
    """Serves what runs real kernels."""
    gl.config.guard_limit = 10**6
    np.empty(3_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    lifting, x = whole_step(True)
    fetching, _ = whole_step(False)
    plain = whole_step(True)[0].__wrapped__
    tasks = {
        "adam: jitted": adam(1000, 32)[0],
        "adam: bare": bare_kernel(1000, 32),
        "step: lifted": lambda: lifting(x),
        "step: not lifted": lambda: fetching(x),
        "step: eager": lambda: plain(x),
    }
    serve(tasks, f"guardlift {gl.__version__}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        one_size(int(sys.argv[1]))
    else:
        main()
