"""Fitted to data: clusters, classifiers, filters."""

import numpy as np

from gallery.record import program


def clouds(size, seed):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-5.0, 5.0, (4, 2))
    points = np.concatenate([centre + rng.standard_normal((size, 2)) for centre in centres])
    return points, points[rng.permutation(len(points))[:4]], 100


@program(clouds, test=5, bench=1200, others=(3, 8), rtol=1e-12)
def kmeans(points, centres, limit):
    """Centres and labels by Lloyd's iteration, which starts at `centres` and leaves them alone."""
    centres = centres.copy()
    labels = np.full(len(points), -1)
    for _ in range(limit):
        distances = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
        new = np.argmin(distances, axis=1)
        if np.all(new == labels):
            break
        labels = new
        for k in range(len(centres)):
            members = labels == k
            if members.any():
                centres[k] = points[members].mean(axis=0)
    return centres, labels


def labelled(size, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((100 * size**2, 5))
    y = (X @ np.array([1.0, -2.0, 0.5, 0.0, 1.5]) + 0.3 * rng.standard_normal(len(X)) > 0).astype(np.float64)
    return X, y, 0.5, 1e-3, size


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


@program(labelled, test=3, bench=20, others=(2, 4), rtol=1e-10)
def logistic_regression(X, y, rate, decay, epochs):
    """Weights, bias and the loss of each epoch, by gradient descent over the whole set."""
    weights = np.zeros(X.shape[1])
    bias = 0.0
    losses = []
    for _ in range(epochs):
        p = sigmoid(X @ weights + bias)
        losses.append(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))
        error = p - y
        weights -= rate * (X.T @ error / len(y) + decay * weights)
        bias -= rate * error.mean()
    return weights, bias, np.array(losses)


def track(size, seed):
    rng = np.random.default_rng(seed)
    truth = np.cumsum(rng.normal(1.0, 0.2, (size, 2)), axis=0)
    seen = truth + rng.normal(0.0, 0.5, (size, 2))
    seen[rng.random(size) < 0.1] = np.nan
    return seen, 0.1, 0.02, 0.25


@program(track, test=6, bench=320, others=(4, 10), rtol=1e-10)
def kalman(seen, dt, acceleration, noise):
    """Positions and velocities along a track in the plane; a sighting that is NaN is skipped (Kalman 1960)."""
    F = np.eye(4)
    F[0, 2] = F[1, 3] = dt
    H = np.eye(2, 4)
    Q = acceleration * np.diag([dt**3 / 3, dt**3 / 3, dt, dt])
    R = noise * np.eye(2)
    x = np.zeros(4)
    P = 10.0 * np.eye(4)
    states = np.empty((len(seen), 4))
    for t in range(len(seen)):
        x = F @ x
        P = F @ P @ F.T + Q
        if not np.isnan(seen[t]).any():
            S = H @ P @ H.T + R
            K = P @ H.T @ np.linalg.inv(S)
            x = x + K @ (seen[t] - H @ x)
            P = (np.eye(4) - K @ H) @ P
        states[t] = x
    return states
