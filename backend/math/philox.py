"""Random bits as a pure function of a key and a counter: Philox4x32-10.

Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011,
doi 10.1145/2063384.2063405. Every word is kept in 64 bits, so that one multiplication gives both halves of a product.
"""

from __future__ import annotations

from .declare import Value, scalar_function
from .primitives import u32

LOW_HALF, HIGH_BITS = 0xFFFFFFFF, 0x3FFFFFFF
FIRST_FACTOR, SECOND_FACTOR = 0xD2511F53, 0xCD9E8D57
FIRST_STEP, SECOND_STEP = 0x9E3779B9, 0xBB67AE85


def one_round(c0: Value, c1: Value, c2: Value, c3: Value, k0: Value, k1: Value) -> Value:
    """The four words of the counter after one round with the key words k0, k1."""
    first, second = c0 * FIRST_FACTOR, c2 * SECOND_FACTOR
    return (second >> 32) ^ c1 ^ k0, second & LOW_HALF, (first >> 32) ^ c3 ^ k1, first & LOW_HALF


def keyed_round(c0: Value, c1: Value, c2: Value, c3: Value, key: Value, number: int) -> Value:
    """Round `number`, whose key words are those of `key` moved on by as many steps."""
    k0 = (key + number * FIRST_STEP) & LOW_HALF
    k1 = ((key >> 32) + number * SECOND_STEP) & LOW_HALF
    return one_round(c0, c1, c2, c3, k0, k1)


def five_rounds(c0: Value, c1: Value, c2: Value, c3: Value, key: Value, number: int) -> Value:
    """Five rounds, of which the first is round `number`."""
    c0, c1, c2, c3 = keyed_round(c0, c1, c2, c3, key, number)
    c0, c1, c2, c3 = keyed_round(c0, c1, c2, c3, key, number + 1)
    c0, c1, c2, c3 = keyed_round(c0, c1, c2, c3, key, number + 2)
    c0, c1, c2, c3 = keyed_round(c0, c1, c2, c3, key, number + 3)
    return keyed_round(c0, c1, c2, c3, key, number + 4)


@scalar_function(("u64",), "u32")
def philox(key: Value, block: Value, place: Value) -> Value:
    """Word `place`, of which the last two bits count, of the block that the counter `block` makes under `key`.

    Counters count modulo 2**62: see `ops.random`."""
    zero = block & 0  # the upper half of the counter, as a value of its dtype
    w0, w1, w2, w3 = five_rounds(block & LOW_HALF, block >> 32 & HIGH_BITS, zero, zero, key, 0)
    w0, w1, w2, w3 = five_rounds(w0, w1, w2, w3, key, 5)
    last = place & 3
    front = w0 if last == 0 else w1
    back = w2 if last == 2 else w3
    return u32(front if last < 2 else back)
