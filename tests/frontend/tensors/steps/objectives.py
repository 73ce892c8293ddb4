"""Programs whose habit is about the loss: several terms, gradients by inputs, pairs."""

from __future__ import annotations

from frontend.tensors.steps.record import Training, classified, measured, program

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F


class TwoHeads(nn.Module):
    """A trunk with a head for classes and one for a number, and a weight for each loss that is learned."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(20, 64), nn.ReLU())
        self.classes = nn.Linear(64, 5)
        self.number = nn.Linear(64, 1)
        self.log_vars = nn.Parameter(gl.zeros(2))

    def forward(self, x):
        h = self.trunk(x)
        return {"classes": self.classes(h), "number": self.number(h)}


@program()
def mixed_losses() -> Training:
    """Three terms, two of them weighted by learned variances, in a dict that is returned as numbers."""
    model = TwoHeads()
    optimizer = optim.AdamW(model.parameters(), lr=1e-3)

    def step(x, labels, y):
        optimizer.zero_grad()
        out = model(x)
        losses = {
            "ce": F.cross_entropy(out["classes"], labels),
            "huber": F.huber_loss(out["number"], y),
            "l1": 1e-4 * sum(p.abs().sum() for p in model.parameters()),
        }
        s_ce, s_huber = model.log_vars
        total = gl.exp(-s_ce) * losses["ce"] + gl.exp(-s_huber) * losses["huber"] + model.log_vars.sum() + losses["l1"]
        total.backward()
        optimizer.step()
        return {name: loss.item() for name, loss in losses.items()}

    return Training(step, lambda k: (*classified(k), measured(k)[1]), (model, optimizer))


@program(relative=1e-4)
def physics_informed() -> Training:
    """A network for u'' = -pi^2 sin(pi x): gradients by the inputs are in the loss, and points are drawn anew."""
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = optim.Adam(net.parameters(), lr=1e-3)
    edge = gl.tensor([[0.0], [1.0]])

    def step():
        x = gl.rand(64, 1, requires_grad=True)
        u = net(x)
        u_x = gl.autograd.grad(u.sum(), x, create_graph=True)[0]
        u_xx = gl.autograd.grad(u_x.sum(), x, create_graph=True)[0]
        residual = u_xx + gl.pi**2 * gl.sin(gl.pi * x)
        loss = (residual**2).mean() + 100 * (net(edge) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, lambda k: (), (net, optimizer))


@program()
def gradient_penalty() -> Training:
    """A critic whose slope at points between real and made ones is held at one."""
    critic = nn.Sequential(nn.Linear(20, 64), nn.SiLU(), nn.Linear(64, 1))
    optimizer = optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))

    def penalty(real, fake):
        alpha = gl.rand(real.size(0), 1)
        mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        score = critic(mixed)
        (gradient,) = gl.autograd.grad(
            outputs=score, inputs=mixed, grad_outputs=gl.ones_like(score), create_graph=True, retain_graph=True
        )
        return ((gradient.norm(2, dim=1) - 1) ** 2).mean()

    def step(real, fake):
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, lambda k: (classified(k)[0], measured(k + 500)[0]), (critic, optimizer))


@program()
def contrastive_pairs() -> Training:
    """Two noisy views of each point attract, all others of the batch repel, at a temperature that is learned."""
    encoder = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 16))
    log_scale = nn.Parameter(gl.tensor(2.0))
    optimizer = optim.AdamW([*encoder.parameters(), log_scale], lr=1e-3)

    def step(x, _):
        a = F.normalize(encoder(x + 0.1 * gl.randn_like(x)), dim=-1)
        b = F.normalize(encoder(x + 0.1 * gl.randn_like(x)), dim=-1)
        logits = a @ b.T * log_scale.exp()
        labels = gl.arange(len(x))
        loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with gl.no_grad():
            log_scale.clamp_(0, 4.6)
        return loss.item(), (logits.argmax(1) == labels).float().mean().item()

    return Training(step, classified, (encoder, optimizer, log_scale))


@program(compiles=2)
def triplets_in_the_batch() -> Training:
    """The hardest positive and the hardest negative of each row, by a matrix of distances."""
    encoder = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 8, bias=False))
    optimizer = optim.SGD(encoder.parameters(), lr=0.01, momentum=0.9)

    def step(x, y):
        e = encoder(x)
        distance = (e.unsqueeze(1) - e.unsqueeze(0)).pow(2).sum(-1).clamp(min=1e-12).sqrt()
        same = y[:, None] == y[None, :]
        hardest_positive = distance.masked_fill(~same, 0.0).max(dim=1).values
        hardest_negative = distance.masked_fill(same, float("inf")).min(dim=1)[0]
        loss = F.relu(hardest_positive - hardest_negative + 0.5).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, classified, (encoder, optimizer))
