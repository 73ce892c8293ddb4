"""A training run that is saved in its midst and goes on in another process is, bit by bit, one that never stopped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import guardlift as gl
from guardlift import nn

before, until, start, end, form = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5]
gl.manual_seed(7)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = gl.optim.AdamW(model.parameters(), lr=0.05)
schedule = gl.optim.lr_scheduler.SequentialLR(
    optimizer,
    [
        gl.optim.lr_scheduler.LinearLR(optimizer, total_iters=2),
        gl.optim.lr_scheduler.MultiStepLR(optimizer, [2, 5], 0.5),
    ],
    [2],
)
order = gl.Generator().manual_seed(11)
dataset = gl.utils.data.TensorDataset(gl.randn(40, 6), gl.randint(0, 3, (40,)))
workers = {"num_workers": 1, "multiprocessing_context": "fork"} if form == "workers" else {}
loader = gl.utils.data.DataLoader(dataset, 16, shuffle=True, generator=order, **workers)

def step(x, y):
    optimizer.zero_grad()
    kept = gl.rand(x.shape) < 0.8
    loss = nn.functional.cross_entropy(model(x * kept), y)
    loss.backward()
    optimizer.step()
    return loss

if form != "plain":
    step = gl.jit(step)
if start != "-":
    state = gl.load(start)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    schedule.load_state_dict(state["schedule"])
    gl.set_rng_state(state["random"])
    order.set_state(state["order"])
for epoch in range(before, until):
    for x, y in loader:
        loss = step(x, y)
    schedule.step()
gl.save({
    "model": model.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict(),
    "random": gl.get_rng_state(), "order": order.get_state(), "loss": loss,
}, end)
"""


@pytest.mark.parametrize("form", ["plain", "jitted", "workers"])
@pytest.mark.slow
def test_a_resumed_run_is_the_run_that_never_stopped(form: str, tmp_path: Path) -> None:
    def run(before: int, until: int, start: str, end: str) -> bytes:
        script = tmp_path / "program.py"
        script.write_text(PROGRAM)
        command = [sys.executable, "-P", str(script), str(before), str(until), start, end, form]
        done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return (tmp_path / end).read_bytes()

    whole = run(0, 9, "-", "whole")
    run(0, 4, "-", "middle")
    assert run(4, 9, "middle", "resumed") == whole
