"""Programs whose habit is about updates: accumulation, several optimizers, averages, schedules, closures."""

from __future__ import annotations

import copy

from frontend.tensors.steps.record import Training, classified, measured, program

import guardlift as gl
from guardlift import nn, optim


@program()
def gradient_accumulation() -> Training:
    """Four small batches make one update, clipped."""
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    accumulation_steps = 4

    def step(x, y):
        total = 0.0
        optimizer.zero_grad()
        for xb, yb in zip(x.chunk(accumulation_steps), y.chunk(accumulation_steps), strict=True):
            loss = criterion(model(xb), yb) / accumulation_steps
            loss.backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        return total

    return Training(step, classified, (model, optimizer))


@program()
def two_optimizers() -> Training:
    """A generator and a discriminator, each with an optimizer of its own."""
    generator = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 20))
    discriminator = nn.Sequential(nn.Linear(20, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
    g_opt = optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    d_opt = optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()

    def step(real, _):
        batch = real.size(0)
        ones = gl.ones(batch, 1)
        zeros = gl.zeros(batch, 1)

        fake = generator(gl.randn(batch, 8))
        d_opt.zero_grad()
        d_loss = bce(discriminator(real), ones) + bce(discriminator(fake.detach()), zeros)
        d_loss.backward()
        d_opt.step()

        g_opt.zero_grad()
        g_loss = bce(discriminator(fake), ones)
        g_loss.backward()
        g_opt.step()
        return d_loss.item(), g_loss.item()

    return Training(step, classified, (generator, discriminator, g_opt, d_opt))


@program()
def frozen_layers() -> Training:
    """A frozen backbone under a new head; only what asks for gradients is in the optimizer."""
    backbone = nn.Sequential(nn.Linear(20, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 32))
    for p in backbone.parameters():
        p.requires_grad = False
    backbone.eval()
    head = nn.Linear(32, 5)
    model = nn.Sequential(backbone, nn.ReLU(), head)
    optimizer = optim.AdamW(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-3, weight_decay=0.01)

    def step(x, y):
        optimizer.zero_grad()
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.1)
        loss.backward()
        optimizer.step()
        correct = (logits.argmax(-1) == y).sum().item()
        return loss.item(), correct

    return Training(step, classified, (model, optimizer))


class ExponentialAverage:
    """An average of a model's weights, which follows them."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    def update(self, model):
        """Takes the weights of now in."""
        with gl.no_grad():
            for ema, p in zip(self.shadow.parameters(), model.parameters(), strict=True):
                ema.mul_(self.decay).add_(p, alpha=1 - self.decay)


@program()
def average_of_weights() -> Training:
    """An exponential moving average of the weights is kept beside the model."""
    model = nn.Sequential(nn.Linear(20, 64), nn.SiLU(), nn.Linear(64, 1))
    optimizer = optim.Adam(model.parameters(), lr=3e-3)
    ema = ExponentialAverage(model, 0.99)

    def step(x, y):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        ema.update(model)
        return loss

    return Training(step, measured, (model, optimizer, ema.shadow))


class Trainer:
    """Model, optimizer and schedule in one object, as trainers have them."""

    def __init__(self):
        self.model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
        self.optimizer = optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
        self.scheduler = optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=30)
        self.global_step = 0
        self.losses = []

    def training_step(self, batch):
        """One update, and one step of the schedule."""
        x, y = batch
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        self.global_step += 1
        self.losses.append(loss.item())
        return {"loss": loss.detach(), "lr": self.scheduler.get_last_lr()[0]}


@program(compiles=2)
def schedule_in_a_trainer() -> Training:
    """The learning rate falls along a cosine; everything is held by a trainer."""
    trainer = Trainer()
    parts = (trainer.model, trainer.optimizer, trainer.scheduler, trainer.losses)
    return Training(trainer.training_step, lambda k: (classified(k),), parts)


@program(compiles=2)
def warm_up_by_hand() -> Training:
    """The learning rate is written into the groups of the optimizer at every step."""
    model = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = optim.AdamW(
        [{"params": model[0].parameters(), "weight_decay": 0.0}, {"params": model[2].parameters()}], lr=1e-3
    )

    def lr_at(i):
        return 1e-2 * (i + 1) / 8 if i < 8 else 1e-2 * 0.95 ** (i - 8)

    def step(i, x, y):
        for group in optimizer.param_groups:
            group["lr"] = lr_at(i)
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    return Training(step, lambda k: (k, *measured(k)), (model, optimizer))


class LineSearch(optim.Optimizer):
    """Steepest descent that halves its step until the loss falls, by calls of the closure, at most three times."""

    def __init__(self, params, lr=1.0):
        super().__init__(params, {"lr": lr})

    @gl.no_grad()
    def step(self, closure):
        """Calls the closure for gradients, and for the loss at every trial."""
        with gl.enable_grad():
            before = closure()
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            directions = [p.grad.clone() for p in params]
            rate = group["lr"]
            for p, d in zip(params, directions, strict=True):
                p.sub_(d, alpha=rate)
            for _ in range(3):
                with gl.enable_grad():
                    after = closure()
                shrink = gl.where(after <= before, 0.0, 0.5 * rate)
                for p, d in zip(params, directions, strict=True):
                    p.add_(d * shrink)
                rate = rate / 2
        return before


@program()
def closure_for_a_line_search() -> Training:
    """An optimizer that asks a closure for the loss and the gradients, several times a step."""
    model = nn.Linear(20, 1)
    optimizer = LineSearch(model.parameters(), lr=0.5)

    def step(x, y):
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.smooth_l1_loss(model(x), y)
            loss.backward()
            return loss

        return optimizer.step(closure).item()

    return Training(step, measured, (model, optimizer))
