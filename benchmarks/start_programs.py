"""Whole programs of one compiled function, as `benchmarks/start.py` times them: import, data, one call, its result.

    python -P benchmarks/start_programs.py ours|jax|torch chain|rows|step|block|second

Prints a number that is the same for every library, from the same data; `second` prints how many seconds the first call
of `rows` takes in a process that has called `chain`.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np  # noqa: E402

WIDTH, HEADS = 128, 4
SINGLE = ("chain", "rows")
TRAINED = ("step", "block")


def data_of(task: str) -> list[Any]:
    """What a task computes with: float32 arrays, of a block's and a step's the parameters last."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> Any:
        return rng.standard_normal(shape, np.float32)

    if task == "chain":
        return [normal(1000, 1000)]
    if task == "rows":
        return [normal(1024, 512), normal(512), normal(512)]
    if task == "step":
        sizes = (784, 256, 10)
        layers = [each for a, b in zip(sizes, sizes[1:]) for each in (normal(a, b) / a**0.5, np.zeros(b, np.float32))]
        return [normal(128, 784), normal(128, 10), layers]
    square = [normal(WIDTH, WIDTH) / WIDTH**0.5 for _ in range(4)]
    wide = [normal(WIDTH, 4 * WIDTH) / WIDTH**0.5, normal(4 * WIDTH, WIDTH) / (4 * WIDTH) ** 0.5]
    return [normal(8, 64, WIDTH), [*square, *wide]]


def chain(xp: Any, x: Any) -> Any:
    """Ten operations, one of them transcendental."""
    y = x * 1.5 + 0.5
    y = y * y - x
    y = xp.tanh(y) * 0.5
    y = xp.maximum(y, y * 0 - 0.25) + x
    return xp.abs(y) * 2.0


def rows(xp: Any, x: Any, weight: Any, bias: Any) -> Any:
    """Layer norm of each row, by NumPy's functions."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred / xp.sqrt(variance + 1e-5) * weight + bias


def step_loss(xp: Any, parameters: Any, x: Any, y: Any) -> Any:
    """The loss of a network of two layers."""
    w1, b1, w2, b2 = parameters
    difference = xp.tanh(x @ w1 + b1) @ w2 + b2 - y
    return (difference * difference).mean()


def block_loss(xp: Any, parameters: Any, x: Any) -> Any:
    """A number of what a block of a transformer computes: attention and a network of two layers, each added."""
    query, key, value, out, up, down = parameters
    batch, steps, _ = x.shape
    heads = (batch, steps, HEADS, WIDTH // HEADS)
    q, k, v = ((normed(xp, x) @ each).reshape(heads).swapaxes(1, 2) for each in (query, key, value))
    scores = xp.exp(q @ k.swapaxes(-1, -2) * (WIDTH // HEADS) ** -0.5)
    mixed = (scores / scores.sum(-1)[..., None]) @ v
    x = x + mixed.swapaxes(1, 2).reshape(batch, steps, WIDTH) @ out
    x = x + xp.tanh(normed(xp, x) @ up) @ down
    return (x * x).mean()


def normed(xp: Any, x: Any) -> Any:
    """Rows with mean 0 and variance 1."""
    centred = x - x.mean(-1)[..., None]
    return centred / xp.sqrt((centred * centred).mean(-1)[..., None] + 1e-5)


def ours(task: str) -> float:
    """guardlift: NumPy's arrays, and tensors where gradients are asked for."""
    import guardlift as gl

    data = data_of(task)
    if task == "chain":
        return float(gl.jit(lambda x: chain(np, x))(*data).sum())
    if task == "rows":
        return float(gl.jit(lambda x, weight, bias: rows(np, x, weight, bias))(*data).sum())
    return like_torch(gl, gl.jit, gl.jit, task, data)


def torch(task: str) -> float:
    """torch.compile in its default mode: the loss is compiled, with its backward; the optimizer is PyTorch's own."""
    import torch

    torch.set_num_threads(1)
    data = data_of(task)
    if task in SINGLE:
        compiled = torch.compile(lambda *given: (chain if task == "chain" else torch_rows)(torch, *given))
        return float(compiled(*map(torch.from_numpy, data)).sum())
    return like_torch(torch, torch.compile, lambda step: step, task, data)


def torch_rows(xp: Any, x: Any, weight: Any, bias: Any) -> Any:
    """Layer norm of each row, by PyTorch's functions."""
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return centred / xp.sqrt(variance + 1e-5) * weight + bias


def like_torch(library: Any, compile_loss: Any, compile_step: Any, task: str, data: list[Any]) -> float:
    """A training step, or a block forward and backward, in a library with PyTorch's names."""
    *inputs, arrays = data
    inputs = [library.tensor(each) for each in inputs]
    parameters = [library.tensor(each).requires_grad_() for each in arrays]
    optimizer = library.optim.SGD(parameters, lr=0.1)
    whole = step_loss if task == "step" else block_loss
    loss_of = compile_loss(lambda *given: whole(library, parameters, *given))

    def step(*given: Any) -> Any:
        loss = loss_of(*given)
        loss.backward()
        if task == "step":
            optimizer.step()
        return loss

    loss = compile_step(step)(*inputs)
    first = parameters[0] if task == "step" else parameters[0].grad
    return float(loss.item()) + float((first * first).sum().item())


def jax(task: str) -> float:
    """JAX's jit, over the loss, its gradient and the step together."""
    import jax
    import jax.numpy as jnp

    data = data_of(task)
    if task in SINGLE:
        function = chain if task == "chain" else rows
        return float(np.asarray(jax.jit(lambda *given: function(jnp, *given))(*data)).sum())
    *inputs, parameters = data
    whole = step_loss if task == "step" else block_loss

    @jax.jit
    def step(parameters: Any, *given: Any) -> Any:
        loss, gradients = jax.value_and_grad(lambda values: whole(jnp, values, *given))(parameters)
        if task == "step":
            return loss, [value - 0.1 * gradient for value, gradient in zip(parameters, gradients)]
        return loss, gradients

    loss, found = step(parameters, *inputs)
    return float(loss) + float((np.asarray(found[0]) ** 2).sum())


def second() -> float:
    """The seconds that the first call of a second function takes, in a process of ours."""
    import guardlift as gl

    gl.jit(lambda x: chain(np, x))(*data_of("chain"))
    data = data_of("rows")
    began = time.perf_counter()
    gl.jit(lambda x, weight, bias: rows(np, x, weight, bias))(*data)
    return time.perf_counter() - began


if __name__ == "__main__":
    library, task = sys.argv[1:]
    print(second() if task == "second" else {"ours": ours, "jax": jax, "torch": torch}[library](task))
