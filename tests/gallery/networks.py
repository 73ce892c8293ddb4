"""Networks that only look: a convolutional one, an attention layer."""

import numpy as np

from gallery.record import program


def digit(size, seed):
    rng = np.random.default_rng(seed)
    image = rng.random((1, size, size), dtype=np.float32)
    first = rng.standard_normal((4, 1, 3, 3), dtype=np.float32) * np.float32(0.4)
    second = rng.standard_normal((8, 4, 3, 3), dtype=np.float32) * np.float32(0.2)
    side = ((size - 2) // 2 - 2) // 2
    dense = rng.standard_normal((10, 8 * side * side), dtype=np.float32) * np.float32(0.1)
    return image, [first, second], dense


def im2col(image, kh, kw):
    """Every window of the image as a column."""
    channels, height, width = image.shape
    h, w = height - kh + 1, width - kw + 1
    columns = np.empty((channels, kh, kw, h, w), dtype=image.dtype)
    for i in range(kh):
        for j in range(kw):
            columns[:, i, j] = image[:, i : i + h, j : j + w]
    return columns.reshape(channels * kh * kw, h * w)


def convolve(image, kernels):
    count, _, kh, kw = kernels.shape
    out = kernels.reshape(count, -1) @ im2col(image, kh, kw)
    return out.reshape(count, image.shape[1] - kh + 1, image.shape[2] - kw + 1)


def max_pool(image):
    channels, height, width = image.shape
    cut = image[:, : height // 2 * 2, : width // 2 * 2]
    return cut.reshape(channels, height // 2, 2, width // 2, 2).max(axis=(2, 4))


@program(digit, test=10, bench=260, others=(12, 15), rtol=1e-5)
def cnn(image, layers, dense):
    """The probabilities of ten classes: convolutions, each with ReLU and pooling, then a dense layer and softmax."""
    for kernels in layers:
        image = max_pool(np.maximum(convolve(image, kernels), 0))
    logits = dense @ image.ravel()
    e = np.exp(logits - logits.max())
    return e / e.sum()


def tokens(size, seed):
    rng = np.random.default_rng(seed)
    width = 16
    x = rng.standard_normal((size, width), dtype=np.float32)
    weights = rng.standard_normal((4, width, width), dtype=np.float32) * np.float32(width**-0.5)
    return x, *weights, 4


@program(tokens, test=4, bench=750, others=(3, 6), rtol=1e-5)
def attention(x, wq, wk, wv, wo, heads):
    """Causal self-attention over the rows of x, head after head (Vaswani et al. 2017)."""
    length, width = x.shape
    q, k, v = x @ wq, x @ wk, x @ wv
    size = width // heads
    hidden = np.triu(np.ones((length, length), dtype=bool), 1)
    out = np.empty_like(x)
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = q[:, part] @ k[:, part].T / np.sqrt(np.float32(size))
        scores[hidden] = -np.inf
        scores -= scores.max(axis=1, keepdims=True)
        weights = np.exp(scores)
        weights /= weights.sum(axis=1, keepdims=True)
        out[:, part] = weights @ v[:, part]
    return out @ wo
