"""Programs that draw random numbers: dropout, noise, teacher forcing, sampled actions."""

from __future__ import annotations

import random

from frontend.tensors.steps.record import Training, classified, measured, program, tokens

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F


class Classifier(nn.Module):
    """A perceptron with dropout, by module and by function."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(20, 64)
        self.fc2 = nn.Linear(64, 64)
        self.fc3 = nn.Linear(64, 5)
        self.drop = nn.Dropout(0.3)

    def forward(self, x):
        x = self.drop(F.relu(self.fc1(x)))
        x = F.dropout(F.relu(self.fc2(x)), p=0.5, training=self.training)
        return F.log_softmax(self.fc3(x), dim=1)


@program()
def dropout() -> Training:
    """Dropout while training."""
    model = Classifier()
    optimizer = optim.Adagrad(model.parameters(), lr=0.01)

    def step(data, target):
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, classified, (model, optimizer))


@program()
def noise_on_inputs() -> Training:
    """A denoising autoencoder: noise is added, and some inputs are masked, before the model sees them."""
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 20))
    optimizer = optim.RMSprop(model.parameters(), lr=1e-3)
    sigma = 0.2

    def step(x, _):
        noisy = x + sigma * gl.randn_like(x)
        noisy = noisy * (gl.rand(x.shape) > 0.1)
        loss = F.mse_loss(model(noisy), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, measured, (model, optimizer))


class Decoder(nn.Module):
    """A recurrent cell written by hand, which is fed the truth or its own guess."""

    def __init__(self, vocabulary, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, hidden)
        self.cell = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, vocabulary)

    def forward(self, target, p):
        length, batch = target.shape
        h = gl.zeros(batch, self.cell.out_features)
        token = target[0]
        outputs = []
        for t in range(1, length):
            h = gl.tanh(self.cell(gl.cat([self.embed(token), h], dim=1)))
            logits = self.out(h)
            outputs += [logits]
            teach = random.random() < p
            token = target[t] if teach else logits.argmax(1)
        return gl.stack(outputs)


@program()
def teacher_forcing() -> Training:
    """At every place of a text a coin decides whether the decoder goes on from the truth or from its own guess."""
    model = Decoder(50, 32)
    optimizer = optim.Adam(model.parameters(), lr=5e-3)

    def step(target):
        optimizer.zero_grad()
        logits = model(target, 0.5)
        loss = F.cross_entropy(logits.reshape(-1, 50), target[1:].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.item()

    return Training(step, lambda k: (tokens(k, length=8).T.contiguous(),), (model, optimizer))


@program()
def sampled_actions() -> Training:
    """Reinforcement: actions are sampled from the policy, a baseline is taken off, entropy is rewarded."""
    policy = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 5))
    value = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)

    def step(state, best):
        logits = policy(state)
        probs = F.softmax(logits, dim=-1)
        with gl.no_grad():
            action = gl.multinomial(probs, 1)
            reward = (action.squeeze(1) == best).float()
        log_prob = F.log_softmax(logits, dim=-1).gather(1, action).squeeze(1)
        v = value(state).squeeze(-1)
        advantage = (reward - v).detach()
        entropy = -(probs * probs.log()).sum(-1).mean()
        loss = -(log_prob * advantage).mean() + 0.5 * F.mse_loss(v, reward) - 0.01 * entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item(), reward.mean().item()

    return Training(step, classified, (policy, value, optimizer))
