"""Proximal policy optimisation learns to balance a pole on a cart; the physics is in this file.

    python examples/balance.py [--steps 1600] [--plot returns.png]

Eight carts are driven at once. Acting (a distribution of actions and a draw) is one compiled function, and the
improvement of the policy on a batch of what was seen (clipped ratios, value loss, entropy, clipped gradients, Adam) is
another. `--steps` counts improvements: sixteen for each 64 moments of driving.
Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; Schulman et al. 2016 (advantages); Barto,
Sutton & Anderson 1983 (cart and pole).

Exits with 1 when the losses of the plain and the jitted run differ, the step was compiled more than twice, a graph
broke, or (from 1,600 steps on) the last hundred carts kept their poles up for less than twice as long as the first
hundred.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from side_by_side import Training, compare, figure, finish, options

CARTS, MOMENTS, BATCH, PASSES = 8, 64, 128, 4
DISCOUNT, TRACE, CLIP, RATE = 0.99, 0.95, 0.2, 2.5e-3
STEPS_TO_JUDGE, JUDGED = 1600, 100
LONGEST = 500


class Carts:
    """Carts with a pole each, in place, speed, angle and its speed: float32 [CARTS, 4], stepped together."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.state = self.rng.uniform(-0.05, 0.05, (CARTS, 4))
        self.age = np.zeros(CARTS, dtype=int)
        self.ages: list[int] = []

    def seen(self) -> np.ndarray:
        """The states, float32."""
        return self.state.astype(np.float32)

    def push(self, right: np.ndarray) -> np.ndarray:
        """A push of each cart to the right or the left; tells which poles fell or lasted. Those start anew."""
        _, speed, angle, turning = self.state.T
        sine, cosine = np.sin(angle), np.cos(angle)
        force = np.where(right, 10.0, -10.0)
        pushed = (force + 0.05 * turning**2 * sine) / 1.1
        turned = (9.8 * sine - cosine * pushed) / (0.5 * (4 / 3 - 0.1 * cosine**2 / 1.1))
        moved = pushed - 0.05 * turned * cosine / 1.1
        self.state = self.state + 0.02 * np.stack([speed, moved, turning, turned], axis=1)
        self.age += 1
        fell = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > math.radians(12))
        over = fell | (self.age >= LONGEST)
        self.ages += self.age[over].tolist()
        self.state[over] = self.rng.uniform(-0.05, 0.05, (int(over.sum()), 4))
        self.age[over] = 0
        return over


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """The policy, the carts and an improvement."""
    nn = lib.nn

    class Policy(nn.Module):
        """States to the logits of the two pushes, and to what is to be expected of the future."""

        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
            self.push, self.value = nn.Linear(64, 2), nn.Linear(64, 1)

        def forward(self, states):
            body = self.body(states)
            return lib.distributions.Categorical(logits=self.push(body)), self.value(body)[:, 0]

    lib.manual_seed(0)
    policy = Policy()
    optimizer = lib.optim.Adam(policy.parameters(), lr=RATE, eps=1e-5)
    carts, order = Carts(seed=0), np.random.default_rng(0)

    @jit
    def act(states, chances):
        """A push for each state, the logarithm of its probability, and the value of the state."""
        pushes, values = policy(states)
        drawn = (chances > pushes.probs[:, 0]).long()
        return drawn, pushes.log_prob(drawn), values

    @jit
    def improve(states, drawn, before, advantages, returns):
        """Improves the policy on one batch; gives the loss before."""
        pushes, values = policy(states)
        ratio = (pushes.log_prob(drawn) - before).exp()
        gain = lib.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
        loss = 0.5 * ((values - returns) ** 2).mean() - gain - 0.01 * pushes.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
        return loss.detach()

    def drive() -> list[tuple[np.ndarray, ...]]:
        """What happens in MOMENTS moments, in shuffled batches."""
        rows: list[list[np.ndarray]] = [[] for _ in range(5)]
        with lib.no_grad():
            for _ in range(MOMENTS):
                states = carts.seen()
                found = [each.numpy() for each in act(lib.from_numpy(states), lib.rand(CARTS))]
                over = carts.push(found[0] == 1)
                for row, each in zip(rows, (states, *found, over), strict=True):
                    row.append(each)
            last = act(lib.from_numpy(carts.seen()), lib.rand(CARTS))[2].numpy()
        states, drawn, before, values, over = (np.stack(row) for row in rows)
        advantages, later = np.zeros_like(values), np.zeros(CARTS, dtype=np.float32)
        following = np.concatenate([values[1:], last[None]])
        for moment in reversed(range(MOMENTS)):
            goes_on = 1.0 - over[moment].astype(np.float32)
            surprise = 1.0 + DISCOUNT * following[moment] * goes_on - values[moment]
            advantages[moment] = later = (surprise + DISCOUNT * TRACE * goes_on * later).astype(np.float32)
        returns = advantages + values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        flat = [each.reshape(-1, *each.shape[2:]) for each in (states, drawn, before, advantages, returns)]
        batches = []
        for _ in range(PASSES):
            shuffled = order.permutation(CARTS * MOMENTS).reshape(-1, BATCH)
            batches += [tuple(each[chosen] for each in flat) for chosen in shuffled]
        return batches

    waiting: list[tuple[np.ndarray, ...]] = []

    def step(number: int) -> Any:
        if not waiting:
            waiting.extend(drive())
        return improve(*map(lib.from_numpy, waiting.pop(0)))

    def result() -> dict[str, Any]:
        first, last = (float(np.mean(ages)) if ages else 0.0 for ages in (carts.ages[:JUDGED], carts.ages[-JUDGED:]))
        text = f"{last:.0f} moments, mean of the last {JUDGED} carts (first {JUDGED}: {first:.0f})"
        return {"balanced for": text, "times": last / max(first, 1.0), "ages": carts.ages}

    return Training(step, improve, result, (policy,))


def main() -> int:
    """Trains twice; 0 when all is well."""
    chosen = options(__doc__, steps=1600)
    _, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not found["times"] >= 2:
        wrong.append(f"the pole is balanced for {found['times']:.1f} times as long as at the beginning, less than 2")
    if chosen.plot:
        drawn, axes = figure()
        axes.plot(found["ages"], ".", markersize=3)
        axes.set(xlabel="pole", ylabel="moments until it fell")
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
