"""The oracle of training programs: the same calls, eager and jitted, with equal random numbers; all is compared."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from frontend.tensors.steps.record import Program, Training
from frontend.tensors.training import same_tensor

import guardlift as gl
from guardlift import nn, optim


def contents(part: Any, name: str) -> Iterator[tuple[str, Any]]:
    """All that can be seen of an object that a step changes, by name; of a tensor, its gradient as well."""
    if isinstance(part, nn.Module):
        for key, tensor in (*part.named_parameters(), *part.named_buffers()):
            yield from contents(tensor, f"{name}.{key}")
        for key, module in part.named_modules():
            yield f"{name}.{key}.training", module.training
    elif isinstance(part, optim.Optimizer):
        for number, group in enumerate(part.param_groups):
            yield from contents({key: value for key, value in group.items() if key != "params"}, f"{name}[{number}]")
        for number, state in enumerate(part.state.values()):
            yield from contents(state, f"{name}.state[{number}]")
    elif isinstance(part, optim.lr_scheduler.LRScheduler):
        yield from contents(part.state_dict(), name)
    elif isinstance(part, dict):
        yield f"len({name})", len(part)
        for key, value in part.items():
            yield from contents(value, f"{name}[{key!r}]")
    elif isinstance(part, (list, tuple)):
        yield f"len({name})", len(part)
        for number, value in enumerate(part):
            yield from contents(value, f"{name}[{number}]")
    elif isinstance(part, gl.Tensor):
        yield name, part
        if part.is_leaf and part.grad is not None:
            yield from contents(part.grad, f"{name}.grad")
    else:
        yield name, part


def same_contents(eager: Any, jitted: Any, name: str, relative: float) -> None:
    """Asserts that two objects agree in all their contents."""
    ours, theirs = dict(contents(eager, name)), dict(contents(jitted, name))
    assert ours.keys() == theirs.keys()
    for key, value in ours.items():
        other = theirs[key]
        if isinstance(value, float):
            assert type(other) is float, (key, other)
            np.testing.assert_allclose(other, value, rtol=relative, atol=relative, err_msg=key)
        elif isinstance(value, gl.Tensor):
            same_seen(key, value, other, relative)
        else:
            assert type(other) is type(value) and other == value, (key, value, other)


def same_seen(name: str, eager: Any, jitted: Any, relative: float) -> None:
    """Asserts that two tensors agree; sparse ones by their indices and values."""
    assert isinstance(jitted, gl.Tensor) and jitted.layout == eager.layout, (name, jitted)
    if eager.layout == gl.strided:
        same_tensor(name, eager, jitted, relative, of_largest=True)
        return
    assert jitted.shape == eager.shape and jitted.is_coalesced() == eager.is_coalesced(), name
    same_tensor(f"{name}.indices", eager._indices(), jitted._indices(), relative)
    same_tensor(f"{name}.values", eager._values(), jitted._values(), relative, of_largest=True)


class Generators:
    """The random numbers of one run: every generator goes on from where this run left it."""

    def __init__(self) -> None:
        self.states: Any = None
        self.keep()

    def keep(self) -> None:
        """Keeps the states of now."""
        self.states = random.getstate(), np.random.get_state(), gl.get_rng_state()

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """Draws within go on from the states kept."""
        python, numpy, tensors = self.states
        random.setstate(python)
        np.random.set_state(numpy)
        gl.set_rng_state(tensors)
        yield
        self.keep()

    def seen(self) -> list[Any]:
        """The states as values that can be compared."""
        python, numpy, tensors = self.states
        return [python, [each.tolist() if isinstance(each, np.ndarray) else each for each in numpy], tensors.tolist()]


class Run:
    """A program under way: its step, called as it is or jitted, and its random numbers."""

    def __init__(self, program: Program, of_step: Callable[[Any], Any]) -> None:
        self.training: Training = program.start()
        self.step = of_step(self.training.step)
        self.generators = Generators()

    def call(self, number: int) -> tuple[Any, str]:
        """The result of a call, and what it printed."""
        arguments = self.training.batches(number)
        with self.generators.going_on(), contextlib.redirect_stdout(io.StringIO()) as printed:
            result = self.step(*arguments)
        return result, printed.getvalue()


def same_training(program: Program, calls: int) -> Any:
    """The jitted step, after it did the same as the eager one over so many calls."""
    eager, jitted = Run(program, lambda step: step), Run(program, gl.jit)
    for number in range(calls):
        (expected, said), (result, repeated) = eager.call(number), jitted.call(number)
        assert repeated == said, number
        same_contents(expected, result, f"result {number}", program.relative)
        same_contents(eager.training.parts, jitted.training.parts, f"after call {number}, parts", program.relative)
        assert jitted.generators.seen() == eager.generators.seen(), f"random numbers after call {number}"
    return jitted.step
