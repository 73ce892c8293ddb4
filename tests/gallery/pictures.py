"""Pictures made of numbers: spheres, clouds, fractals."""

import numpy as np

from gallery.record import program


def scene(size, seed):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-1.0, 1.0, (4, 3)) + np.array([0.0, 0.0, 4.0])
    return size, centres, rng.uniform(0.3, 0.9, 4), np.array([-0.48, 0.6, -0.64])


def hit(origin, direction, centre, radius):
    """The distance along the ray to the sphere; infinity when it is missed."""
    to_centre = centre - origin
    along = np.dot(to_centre, direction)
    rest = radius**2 - (np.dot(to_centre, to_centre) - along**2)
    if rest < 0:
        return np.inf
    distance = along - np.sqrt(rest)
    return distance if distance > 1e-6 else np.inf


@program(scene, test=3, bench=19, others=(2, 5), rtol=1e-11)
def ray_spheres(size, centres, radii, light):
    """A picture of spheres, lit from one side, where no other sphere is in the way."""
    picture = np.zeros((size, size))
    eye = np.zeros(3)
    for y in range(size):
        for x in range(size):
            ray = np.array([(x + 0.5) / size - 0.5, 0.5 - (y + 0.5) / size, 1.0])
            ray /= np.sqrt(np.dot(ray, ray))
            nearest, which = np.inf, -1
            for k in range(len(radii)):
                distance = hit(eye, ray, centres[k], radii[k])
                if distance < nearest:
                    nearest, which = distance, k
            if which < 0:
                continue
            point = eye + nearest * ray
            normal = (point - centres[which]) / radii[which]
            brightness = max(0.0, np.dot(normal, light))
            for k in range(len(radii)):
                if hit(point, light, centres[k], radii[k]) < np.inf:
                    brightness = 0.0
                    break
            picture[y, x] = 0.1 + 0.9 * brightness
    return picture


def sky(size, seed):
    return size, size + 3, 5, seed


def lattice(ix, iy, seed):
    """A number in [0, 1) for each point of the lattice: integers scrambled, as in Wang's hash."""
    h = (ix * 374761393 + iy * 668265263 + seed * 2147483647).astype(np.uint32)
    h ^= h >> 13
    h *= np.uint32(1274126177)
    h ^= h >> 16
    return h / 4294967296.0


@program(sky, test=5, bench=250, others=(3, 8))
def value_noise(height, width, octaves, seed):
    """A cloudy texture: noise between random values on lattices, each finer and fainter than the one before."""
    total = np.zeros((height, width))
    amplitude = 1.0
    cell = 32.0
    for octave in range(octaves):
        y, x = np.meshgrid(np.arange(height) / cell, np.arange(width) / cell, indexing="ij")
        iy, ix = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
        fy, fx = y - iy, x - ix
        fy, fx = fy * fy * (3 - 2 * fy), fx * fx * (3 - 2 * fx)
        top = lattice(ix, iy, seed + octave) * (1 - fx) + lattice(ix + 1, iy, seed + octave) * fx
        bottom = lattice(ix, iy + 1, seed + octave) * (1 - fx) + lattice(ix + 1, iy + 1, seed + octave) * fx
        total += amplitude * (top * (1 - fy) + bottom * fy)
        amplitude /= 2
        cell /= 2
    return total


def window(size, seed):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[-1.2 : 1.2 : size * 1j, -1.6 : 1.6 : size * 1j]
    return x + 1j * y, complex(-0.8 + 0.02 * rng.random(), 0.156), 60


@program(window, test=5, bench=155, others=(3, 8))
def julia(z, c, limit):
    """After how many steps each point has escaped under z -> z^2 + c; `limit` where it has not."""
    z = z.copy()
    escaped = np.full(z.shape, limit)
    inside = np.ones(z.shape, dtype=bool)
    for step in range(limit):
        z[inside] = z[inside] * z[inside] + c
        left = inside & (z.real * z.real + z.imag * z.imag > 4.0)
        escaped[left] = step
        inside &= ~left
        if not inside.any():
            break
    return escaped


@program(lambda size, seed: (size, -0.7 - 0.1 * seed, 0.2, 2.2, 40), test=3, bench=41, others=(2, 4))
def mandelbrot(size, x0, y0, width, limit):
    """After how many steps each point of a square around (x0, y0) has escaped; element by element."""
    counts = np.zeros((size, size), dtype=np.int32)
    for row in range(size):
        for column in range(size):
            cx = x0 + width * (column / size - 0.5)
            cy = y0 + width * (row / size - 0.5)
            x = y = 0.0
            for step in range(limit):
                x2, y2 = x * x, y * y
                if x2 + y2 > 4.0:
                    break
                y = 2 * x * y + cy
                x = x2 - y2 + cx
                counts[row, column] = step + 1
    return counts
