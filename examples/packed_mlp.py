"""A perceptron whose activations wait for backward as float8, packed and unpacked inside the compiled code.

    python examples/packed_mlp.py [--width 256] [--rows 1024] [--layers 6]
    GUARDLIFT_LOGS=aot_graphs python examples/packed_mlp.py

The hooks are marked as `inlineable`: a jitted forward takes them in, so that the cast to float8 is a part of the kernel
that makes an activation, and the cast back a part of what reads it. The memory that waits between forward and backward
is counted for each way, by what the allocators hold then.

Exits with 1 when the hooks do not save at least half of it, or the gradients differ by more than float8 explains.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import nullcontext

import numpy as np

import guardlift as gl
from guardlift import nn
from guardlift.autograd.graph import inlineable, saved_tensors_hooks

DIFFERENCE = 0.1
"""How far a gradient may be off, in parts of its length."""


@inlineable
def pack(tensor: gl.Tensor) -> gl.Tensor:
    """A quarter of the memory: four bits of exponent, three of fraction."""
    return tensor.to(gl.float8_e4m3fn)


@inlineable
def unpack(packed: gl.Tensor) -> gl.Tensor:
    """What backward computes with."""
    return packed.to(gl.float32)


def perceptron(width: int, layers: int) -> nn.Module:
    """Layers of one width, each with its activation."""
    gl.manual_seed(0)
    return nn.Sequential(*[layer for _ in range(layers) for layer in (nn.Linear(width, width), nn.Tanh())])


def gradients(
    model: nn.Module, loss_of: Callable[[gl.Tensor], gl.Tensor], x: gl.Tensor, hooks: bool
) -> tuple[list[np.ndarray], int]:
    """Those of all parameters, and the bytes that waited for backward."""
    model.zero_grad()
    gc.collect()
    tracemalloc.start(1)
    with saved_tensors_hooks(pack, unpack) if hooks else nullcontext():
        loss = loss_of(x)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{'with' if hooks else 'without':>8} hooks: {held / 1e6:6.2f} MB wait for backward, loss {loss.item():.5f}")
    loss.backward()
    return [parameter.grad.numpy().copy() for parameter in model.parameters()], held


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--layers", type=int, default=6)
    options = parser.parse_args()
    model = perceptron(options.width, options.layers)
    x = gl.randn(options.rows, options.width)

    @gl.jit(fullgraph=True)
    def loss_of(x: gl.Tensor) -> gl.Tensor:
        return (model(x) ** 2).mean()

    for hooks in (False, True):
        with saved_tensors_hooks(pack, unpack) if hooks else nullcontext():
            loss_of(x)  # compiles
    exact, before = gradients(model, loss_of, x, hooks=False)
    packed, after = gradients(model, loss_of, x, hooks=True)
    worst = max(
        float(np.linalg.norm(one - other) / np.linalg.norm(one)) for one, other in zip(exact, packed, strict=True)
    )
    saved = 1 - after / before
    print(f"hooks keep {saved:.0%} less; a gradient is off by at most {worst:.1%} of its length")
    return 0 if saved >= 0.5 and worst <= DIFFERENCE else 1


if __name__ == "__main__":
    sys.exit(main())
