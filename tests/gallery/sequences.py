"""Sequences: their distance, their alignment, their runs, and what fits into a knapsack."""

import numpy as np

from gallery.record import program


def two_words(size, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, size), rng.integers(0, 4, size + 2)


@program(two_words, test=4, bench=100, others=(3, 7))
def edit_distance(a, b):
    """The number of insertions, deletions and replacements that turn a into b (Wagner & Fischer 1974)."""
    previous = np.arange(len(b) + 1)
    for i in range(len(a)):
        current = np.empty_like(previous)
        current[0] = i + 1
        for j in range(len(b)):
            replaced = previous[j] + (a[i] != b[j])
            current[j + 1] = min(replaced, previous[j + 1] + 1, current[j] + 1)
        previous = current
    return previous[-1]


@program(two_words, test=3, bench=85, others=(2, 4))
def needleman_wunsch(a, b, match=1, mismatch=-1, gap=-2):
    """The score of the best alignment and the alignment itself, -1 for a gap (Needleman & Wunsch 1970)."""
    n, m = len(a), len(b)
    score = np.zeros((n + 1, m + 1), dtype=np.int32)
    score[:, 0] = gap * np.arange(n + 1)
    score[0, :] = gap * np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            pair = match if a[i - 1] == b[j - 1] else mismatch
            score[i, j] = max(score[i - 1, j - 1] + pair, score[i - 1, j] + gap, score[i, j - 1] + gap)
    above, below = [], []
    i, j = n, m
    while i > 0 or j > 0:
        if i > 0 and j > 0:
            pair = match if a[i - 1] == b[j - 1] else mismatch
        if i > 0 and j > 0 and score[i, j] == score[i - 1, j - 1] + pair:
            i, j = i - 1, j - 1
            above.append(a[i])
            below.append(b[j])
        elif i > 0 and score[i, j] == score[i - 1, j] + gap:
            i -= 1
            above.append(a[i])
            below.append(-1)
        else:
            j -= 1
            above.append(-1)
            below.append(b[j])
    return score[n, m], np.array(above[::-1]), np.array(below[::-1])


def luggage(size, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(1, 100, size), rng.integers(1, 12, size), 3 * size


@program(luggage, test=5, bench=75, others=(3, 8))
def knapsack(values, weights, capacity):
    """The greatest value that fits, and which things to take."""
    best = np.zeros(capacity + 1, dtype=np.int64)
    taken = np.zeros((len(values), capacity + 1), dtype=bool)
    for i in range(len(values)):
        for room in range(capacity, weights[i] - 1, -1):
            candidate = best[room - weights[i]] + values[i]
            if candidate > best[room]:
                best[room] = candidate
                taken[i, room] = True
    chosen = np.zeros(len(values), dtype=bool)
    room = capacity
    for i in range(len(values) - 1, -1, -1):
        if taken[i, room]:
            chosen[i] = True
            room -= weights[i]
    return best[capacity], chosen


def scan_line(size, seed):
    rng = np.random.default_rng(seed)
    return (np.repeat(rng.integers(0, 3, size), rng.integers(1, 9, size)).astype(np.uint8),)


@program(scan_line, test=4, bench=8500, others=(1, 7))
def run_lengths(line):
    """The values of the runs of equal pixels, and how long each is."""
    values = np.empty_like(line)
    lengths = np.empty(len(line), dtype=np.int64)
    count = 0
    k = 0
    while k < len(line):
        start = k
        while k < len(line) and line[k] == line[start]:
            k += 1
        values[count] = line[start]
        lengths[count] = k - start
        count += 1
    return values[:count].copy(), lengths[:count].copy()
