"""The first call of a compiled forward in a fresh process: with nothing on disk, with kernels, and with artifacts too.

Each figure is the quickest of several processes, in turn, and counts the call, not the import of guardlift.

    python -P benchmarks/artifacts.py [--rounds 5] [--models mlp block]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from timing import Row, print_table, share, text  # noqa: E402

MODELS = ("small mlp", "mlp", "block", "4 blocks", "step")


def model_of(name: str) -> tuple[Any, Any]:
    """A model and its input."""
    import guardlift as gl
    from guardlift import nn

    class Block(nn.Module):
        """A block of a transformer."""

        def __init__(self, width: int = 128, heads: int = 4) -> None:
            super().__init__()
            self.heads = heads
            self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
            self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            batch, steps, width = x.shape
            size = width // self.heads
            normed = self.before(x)
            query, key, value = (
                each(normed).reshape(batch, steps, self.heads, size).transpose(1, 2)
                for each in (self.query, self.key, self.value)
            )
            weights = (query @ key.transpose(-1, -2) * size**-0.5).softmax(-1)
            x = x + self.out((weights @ value).transpose(1, 2).reshape(batch, steps, width))
            return x + self.down(nn.functional.gelu(self.up(self.between(x))))

    gl.manual_seed(0)
    if name.endswith(("block", "blocks")):
        return nn.Sequential(*[Block() for _ in range(4 if name.startswith("4") else 1)]), gl.randn(8, 64, 128)
    width, rows = (16, 8) if name == "small mlp" else (256, 512)
    return nn.Sequential(*[each for _ in range(8) for each in (nn.Linear(width, width), nn.GELU())]), gl.randn(
        rows, width
    )


def first_call(name: str) -> dict[str, float]:
    """Seconds of the first call, wall and processor, and what of it was compiling."""
    import guardlift as gl
    from guardlift.frontend.tracing.rules import load_rules

    load_rules()
    model, x = model_of(name)
    opt = gl.optim.SGD(model.parameters(), lr=0.01)

    def step(x: Any) -> Any:
        opt.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        opt.step()
        return loss

    f = gl.jit(step if name == "step" else lambda x: model(x).square().mean())
    wall, processor = time.perf_counter(), time.process_time()
    out = f(x)
    found = {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor}
    if name != "step":
        out.backward()
    return found


def in_process(name: str, folder: str, artifacts: bool) -> dict[str, float]:
    """The same in a process of its own."""
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": folder, "GUARDLIFT_ARTIFACT_CACHE": str(int(artifacts))}
    command = [sys.executable, "-P", __file__, "--in-process", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def rows_of(name: str, rounds: int) -> list[Row]:
    """Nothing on disk, kernels alone, artifacts too."""
    with tempfile.TemporaryDirectory() as folder:
        cold = in_process(name, folder, artifacts=True)
        turns = [(in_process(name, folder, False), in_process(name, folder, True)) for _ in range(rounds)]
    without, found = ({key: min(turn[k][key] for turn in turns) for key in cold} for k in (0, 1))
    return [
        Row(f"{name}: nothing on disk", text(cold["wall"])),
        share(f"{name}: with artifacts / with kernels alone", found["wall"], without["wall"]),
        share(f"{name}: the same, processor time", found["processor"], without["processor"]),
    ]


def main() -> None:
    """Prints the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--models", nargs="*", default=MODELS)
    arguments.add_argument("--in-process")
    given = arguments.parse_args()
    if given.in_process:
        print(json.dumps(first_call(given.in_process)))
        return
    print_table("first calls", [row for name in given.models for row in rows_of(name, given.rounds)])


if __name__ == "__main__":
    main()
