"""Instructions and global accesses that kernels execute for an element, counted by the stand-in for CUDA's driver.

Runs on the stand-in alone, which runs the PTX of the kernels of `ptx.py` on the CPU: an instruction is one of PTX, an
access may be of 16 bytes. Prints JSON: by kernel its instructions, accesses, accesses of 16 bytes and accessed bytes,
all for an element of the largest array. The graphs have few rows here, on which the counts do not depend. Arguments are
names of graphs; without any it counts all.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from guardlift.backend.cuda.call import build
from guardlift.backend.cuda.device import current
from guardlift.core.devices.arrays import empty
from guardlift.graph.node import Node

sys.path.append(str(Path(__file__).parent))
from ptx import GRAPHS, compiled_for_cuda, steps_of  # noqa: E402  # a neighbour, which -P keeps from being found

ROWS = 2048
UNCOUNTED = ("attention", "large", "bfloat16", "thin", "order")
"""The beginnings of names of graphs that are too much for a CPU."""
COUNTED = ("instructions", "accesses", "wide accesses", "accessed bytes")


def argument(node: Node, seed: int) -> Any:
    """An array for an input: integers are places in the rows of all graphs."""
    shape, dtype = node.type.shape, node.type.dtype.numpy
    if node.type.device != "cpu":
        return empty(shape, dtype)
    if dtype.kind == "i":
        return (np.arange(node.type.size) % 10).astype(dtype).reshape(shape)
    return np.asarray(np.random.default_rng(seed).random(shape) + 0.5, dtype)


def main() -> None:
    """Prints the counts."""
    library, device = ctypes.CDLL("libcuda.so.1"), current()
    library.stand_in_count.restype = ctypes.c_uint64
    launch, labels, found, sizes = device.launch, dict[Any, str](), dict[str, list[float]](), [1]

    def counts() -> np.ndarray[Any, Any]:
        device.wait()
        return np.array([library.stand_in_count(each.encode()) for each in COUNTED], np.float64)

    def counting(kernel: Any, *rest: Any) -> None:
        before = counts()
        launch(kernel, *rest)
        label = labels.get(kernel.value)
        if label is None:
            return  # a product by the library, which is no kernel of ours
        found[label] = list(np.add(found.get(label, 0.0), (counts() - before) / sizes[-1]))

    device.launch = counting  # type: ignore[method-assign]
    for name, make in GRAPHS.items():
        if name.startswith(UNCOUNTED) or (sys.argv[1:] and name not in sys.argv[1:]):
            continue
        compiled = compiled_for_cuda(make(ROWS))
        sizes.append(max(node.type.size for node in (*compiled.graph.inputs, *compiled.graph.outputs)))
        texts = {step.text: f"{name}: {label}" for label, (step, _) in steps_of(compiled, device).items()}
        call = build(compiled)
        pairs = zip(call.plan.steps, call.plan.kernels, strict=True)
        labels |= {kernel.value: texts[step.text] for step, kernel in pairs if kernel is not None}
        result = call(*(argument(node, k) for k, node in enumerate(compiled.graph.inputs)))
        assert result is not NotImplemented and result is not Ellipsis, name
    print(json.dumps(found))


if __name__ == "__main__":
    main()
