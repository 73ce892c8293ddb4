"""Draws of random tensors on a device are those of the CPU, also in loops. `test_simulated.py` runs this file."""

from __future__ import annotations

import numpy as np

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of
from guardlift.nn import functional as F


def test_a_recurrent_network_with_dropout_draws_the_same_masks_on_both_devices():
    found = []
    for device in ("cpu", "cuda"):
        gl.manual_seed(3)
        cell, inputs = nn.Linear(6, 4).to(device), gl.randn(20, 3, 2).to(device)

        @gl.jit(fullgraph=True)
        def step(cell=cell, inputs=inputs, device=device):
            cell.zero_grad()
            h = gl.zeros(3, 4, device=device)
            for t in range(20):
                h = F.dropout(gl.tanh(cell(gl.cat([inputs[t], h], 1))), 0.3) + gl.randn(3, 4, device=device)
            loss = h.square().sum()
            loss.backward()
            return loss

        results = [step() for _ in range(2)]
        results += [each.grad for each in cell.parameters()]
        found.append(([each.detach().cpu().numpy() for each in results], gl.get_rng_state().tolist()))
        assert sum(node.op.name == "loop" for node in state_of(step).entries[-1].details["traced"].nodes) == 2
    for one, other in zip(found[0][0], found[1][0], strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5)
    assert found[0][1] == found[1][1]
