"""A program that compiles again, breaks a graph, and saves for backward. The documentation has pictures of its page."""

import numpy as np

import guardlift as gl


@gl.jit
def smooth(history, rate):
    total = history[0] * 0.0
    for value in history:
        total = total + value * rate
    return total / len(history)


@gl.jit
def report(x):
    y = x * 2.0
    print("largest", y.max())
    return y - 1.0


@gl.jit
def loss(x, w):
    return gl.relu(x @ w).sum()


history = []
for k in range(12):
    history.append(np.full(4, float(k)))
    smooth(history, 0.9)
for _ in range(200):
    smooth(history[:3], 0.5)
for _ in range(2):
    report(np.ones(3))

weights = gl.tensor(np.ones((4, 4)), requires_grad=True)
for rows in (2, 3):
    loss(gl.tensor(np.ones((rows, 4))), weights).backward()
