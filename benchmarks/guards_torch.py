"""The tasks of `guards.py` under PyTorch; run by a Python that has it. Needs nothing of guardlift.

`guards_torch.py N` prints what a call over N parameters costs with a back end that does nothing, as JSON. Without a
number it serves Adam with real kernels, see `turns`.
"""

from __future__ import annotations

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import torch  # noqa: E402
from calls import best_of, best_of_prepared  # noqa: E402
from torch import nn  # noqa: E402
from turns import serve  # noqa: E402

graphs: list[int] = []
"""How many inputs each compiled graph has."""


def nothing(graph, inputs):
    """The back end that does nothing: it gives back as many Nones as the graph has results."""
    graphs.append(sum(node.op == "placeholder" for node in graph.graph.nodes))
    (returned,) = (node for node in graph.graph.nodes if node.op == "output")
    results = (None,) * len(returned.args[0])
    return lambda *arguments: results


def adam(count: int, side: int, **how: bool):
    """An optimizer over parameters of side x side that have gradients, and the parameters."""
    parameters = [nn.Parameter(torch.randn(side, side)) for _ in range(count)]
    for parameter in parameters:
        parameter.grad = torch.randn(side, side)
    return torch.optim.Adam(parameters, lr=1e-3, **how), parameters


def one_size(count: int) -> None:
    """Prints the figures of one number of parameters."""
    warm, _ = adam(2, 2)
    torch.compile(warm.step, backend=nothing)()
    torch._dynamo.reset()
    graphs.clear()
    optimizer, parameters = adam(count, 2)
    optimizer.step()  # makes the state

    @torch.compile(backend=nothing)
    def step():
        optimizer.step()

    start = time.perf_counter()
    step()
    found = {"about": f"PyTorch {torch.__version__}", "compile": time.perf_counter() - start}
    setting = []

    def fresh():
        made = [torch.ones(2, 2) for _ in parameters]
        start = time.perf_counter()
        for parameter, gradient in zip(parameters, made):
            parameter.grad = gradient
        setting.append((time.perf_counter() - start) / count)

    found["kept"] = best_of(step)
    found["fresh"] = best_of_prepared(step, fresh)
    found["setter"] = min(setting)
    found["entries"] = len(graphs)
    print(json.dumps(found))


def main() -> None:
    """Serves Adam over a thousand tensors of 32 x 32 in the ways PyTorch has."""
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch.empty(6_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    tasks = {f"adam: {how}": adam(1000, 32, **{how: True})[0].step for how in ("fused", "foreach")}
    serve(tasks, f"PyTorch {torch.__version__}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if len(sys.argv) > 1:
        one_size(int(sys.argv[1]))
    else:
        main()
