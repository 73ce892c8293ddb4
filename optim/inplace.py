"""The same steps as `formulas`, on NumPy arrays and in place: eager training spends its time here.

The arithmetic and its order are those of `formulas` (a test holds the two against each other, bit for bit); what is
added is memory: nothing is allocated, and the arrays are walked in pieces of a good length.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .formulas import is_nearer_to_new
from .pieces import Row, pieces


def adam_update_(
    rows: Sequence[Row],
    bias1: float,
    sqrt_bias2: float,
    *,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    weight_decay: float,
    decoupled: bool,
    maximize: bool,
) -> None:
    """Updates everything but the gradients in place by one step of Adam; see `formulas.adam_update`.

    rows: (param, grad, exp_avg, exp_avg_sq), and with AMSGrad max_exp_avg_sq; of parameters that were stepped equally
    often, and of one dtype.
    """
    rate = -(lr / bias1)
    kept = 1.0 - lr * weight_decay
    old_weight, new_weight = 1.0 - (1.0 - beta1), 1.0 - beta1
    written = [column for column in range(len(rows[0])) if column != 1]
    for p, g, m, v, *largest, s, t in pieces(rows, written):
        if maximize:
            g = np.negative(g, out=t)
        if weight_decay != 0:
            if decoupled:
                np.multiply(p, kept, out=p)
            else:
                np.multiply(p, weight_decay, out=s)
                g = np.add(s, g, out=t)
        np.subtract(g, m, out=s)
        if is_nearer_to_new(beta1):
            np.multiply(s, old_weight, out=s)
            np.subtract(g, s, out=m)
        else:
            np.multiply(s, new_weight, out=s)
            np.add(m, s, out=m)
        np.multiply(g, 1.0 - beta2, out=s)
        np.multiply(s, g, out=s)
        np.multiply(v, beta2, out=v)
        np.add(v, s, out=v)
        if largest:
            v = np.maximum(largest[0], v, out=largest[0])
        np.sqrt(v, out=s)
        np.divide(s, sqrt_bias2, out=s)
        np.add(s, eps, out=s)
        np.multiply(m, rate, out=t)
        np.divide(t, s, out=t)
        np.add(p, t, out=p)


def sgd_update_(
    rows: Sequence[Row],
    *,
    lr: float,
    momentum: float,
    dampening: float,
    weight_decay: float,
    nesterov: bool,
    maximize: bool,
    first: bool = False,
) -> None:
    """Updates parameters and buffers in place by one step of SGD; see `formulas.sgd_update`.

    rows: (param, grad), or with momentum (param, grad, buffer); of one dtype. With `first` the buffers are empty yet.
    """
    written = [column for column in range(len(rows[0])) if column != 1]
    for p, g, *buffers, s, t in pieces(rows, written):
        if maximize:
            g = np.negative(g, out=t)
        if weight_decay != 0:
            np.multiply(p, weight_decay, out=s)
            g = np.add(s, g, out=t)
        if buffers:
            b = buffers[0]
            if first:
                b[...] = g
            else:
                np.multiply(g, 1.0 - dampening, out=s)
                np.multiply(b, momentum, out=b)
                np.add(b, s, out=b)
            if nesterov:
                np.multiply(b, momentum, out=s)
                g = np.add(s, g, out=t)
            else:
                g = b
        np.multiply(g, -lr, out=s)
        np.add(p, s, out=p)
