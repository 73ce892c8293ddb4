"""A training step of a model with 300 parameters, with one batch that is smaller than the others."""

import numpy as np

import guardlift as gl
from guardlift import nn, optim

model = nn.Sequential(*(nn.Linear(4, 4) for _ in range(150)))
optimizer = optim.SGD(model.parameters(), lr=0.01)
assert len(list(model.parameters())) == 300


@gl.jit
def step(x):
    optimizer.zero_grad()
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    return loss


for rows in (4, 4, 3):
    step(gl.tensor(np.ones((rows, 4), np.float32)))
