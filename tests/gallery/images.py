"""Images of bytes: edges, smoothing that keeps them, contrast."""

import numpy as np

from gallery.record import program


def photograph(size, seed):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:size, : size + 4]
    scene = 90 + 60 * np.sin(x / 3.0) * np.cos(y / 5.0) + 50 * (x > y) + 8 * rng.standard_normal(x.shape)
    return (np.clip(scene, 0, 255).astype(np.uint8),)


@program(photograph, test=4, bench=35, others=(3, 6))
def sobel(image):
    """The strength of edges, clipped to bytes; the border is 0 (Sobel & Feldman 1968)."""
    kernel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    height, width = image.shape
    edges = np.zeros_like(image)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            gx = 0
            gy = 0
            for i in range(3):
                for j in range(3):
                    pixel = image[y + i - 1, x + j - 1]
                    gx += kernel[i, j] * pixel
                    gy += kernel[j, i] * pixel
            edges[y, x] = min(255, np.sqrt(gx**2 + gy**2))
    return edges


@program(lambda size, seed: (*photograph(size, seed), 2, 2.0, 30.0), test=2, bench=34, others=(1,), rtol=1e-12)
def bilateral(image, radius, near, alike):
    """The image smoothed among pixels that are near and alike (Tomasi & Manduchi 1998), as floats."""
    height, width = image.shape
    padded = np.pad(image.astype(float), radius, mode="edge")
    offsets = np.arange(-radius, radius + 1)
    spatial = np.exp(-(offsets[:, None] ** 2 + offsets[None, :] ** 2) / (2 * near**2))
    out = np.zeros((height, width))
    for y in range(height):
        for x in range(width):
            patch = padded[y : y + 2 * radius + 1, x : x + 2 * radius + 1]
            weights = spatial * np.exp(-((patch - padded[y + radius, x + radius]) ** 2) / (2 * alike**2))
            out[y, x] = (weights * patch).sum() / weights.sum()
    return out


@program(photograph, test=5, bench=190, others=(4, 8))
def equalise(image):
    """Spreads the grey levels of the image evenly, in place; the histogram it had."""
    histogram = np.zeros(256, dtype=np.int64)
    for row in image:
        for pixel in row:
            histogram[pixel] += 1
    below = 0
    levels = np.zeros(256, dtype=np.uint8)
    for level in range(256):
        below += histogram[level]
        levels[level] = 255 * below // image.size
    image[:] = levels[image]
    return histogram
