"""A softmax in clusters is one graph, which gives what the rows of each cluster give."""

from __future__ import annotations

import numpy as np
import pytest
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift import nn


@pytest.mark.slow
def test_a_graph_gives_what_eager_mode_gives_for_every_cluster_that_targets_are_in() -> None:
    gl.manual_seed(0)
    made = nn.AdaptiveLogSoftmaxWithLoss(8, 12, [4, 7], div_value=2.0, head_bias=True).double()
    x = gl.randn(5, 8, dtype=gl.float64).requires_grad_()
    ask = gl.jit(lambda made, x, target: tuple(made(x, target)), fullgraph=True)
    best = gl.jit(lambda made, x: made.predict(x), fullgraph=True)
    wanted = [x, *made.parameters()]
    with interpreted():
        for target in ([0, 3, 4, 7, 11], [0, 1, 2, 3, 0], [11, 8, 7, 9, 10]):
            classes = gl.tensor(target)
            eager, jitted = made(x, classes), ask(made, x, classes)
            np.testing.assert_allclose(jitted[0].detach().numpy(), eager.output.detach().numpy(), rtol=1e-12)
            whole = made.log_prob(x).gather(1, classes[:, None]).squeeze(1)
            np.testing.assert_allclose(whole.detach().numpy(), eager.output.detach().numpy(), rtol=1e-12)
            slopes = [gl.autograd.grad(loss, wanted, allow_unused=True) for loss in (eager.loss, jitted[1])]
            for one, other in zip(*slopes, strict=True):
                # A cluster without targets has no gradient in eager mode, and zeros in a graph.
                other = gl.zeros_like(other) if one is None else other - one
                assert other.abs().max() < 1e-12
        assert gl.equal(best(made, 9 * x), made.predict(9 * x))
        for each in (made, lambda *given: ask(made, *given)):
            with pytest.raises(RuntimeError, match=r"should be in \[0, 11\], but values in range \[1, 12\]"):
                each(x, gl.tensor([1, 2, 3, 4, 12]))
