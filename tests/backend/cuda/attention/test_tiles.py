"""The tiles of attention kernels, by reading their texts; `cases_attention.py` runs them."""

import re

import pytest

from guardlift.backend.cuda.attention.backward import gradient_text
from guardlift.backend.cuda.attention.forward import attention_text
from guardlift.backend.cuda.attention.tiles import AttentionForm, tiles_of, warp_pitch, warp_tiles_of
from guardlift.backend.cuda.attention.warp_backward import warp_gradient_text
from guardlift.backend.cuda.attention.warp_forward import warp_attention_text
from guardlift.core import dtypes

SHARED_BYTES, KEYS = 48 << 10, ("for_key", "for_value")
NARROW = ("query", "key", "value", "slope", "result", "for_query", *KEYS)


def form_of(inner, outer, dtype):
    held = dict.fromkeys(NARROW, dtype) | {"sums": dtypes.float32, "means": dtypes.float32}
    return AttentionForm(inner, outer, 0.5, True, None, False, tuple(held.items()))


def shared_bytes(text):
    sizes = {"float32": 4, "uint16": 2}
    return sum(int(count) * sizes[kind] for count, kind in re.findall(r"shared\.array\((\d+), (\w+)\)", text))


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16], ids=str)
def test_tiles_of_all_sizes_of_heads_fit_into_the_shared_memory_of_a_block(dtype):
    by_warps = dtype is not dtypes.float32
    tiles_for = warp_tiles_of if by_warps else tiles_of
    forward, backward = (warp_attention_text, warp_gradient_text) if by_warps else (attention_text, gradient_text)
    for inner, outer in ((1, 128), (128, 1), (16, 16), (33, 64), (64, 64), (65, 8), (127, 128), (128, 128)):
        form = form_of(inner, outer, dtype)
        texts = [forward(form, tiles_for(form, 256, gradients=False), sums=True)]
        tiles = tiles_for(form, 256, gradients=True)
        texts += [
            backward(form, tiles, of_keys=True, results=KEYS),
            backward(form, tiles, of_keys=False, results=("for_query",)),
        ]
        assert all(0 < shared_bytes(text) <= SHARED_BYTES for text in texts), (inner, outer)


def test_eight_rows_of_half_floats_that_follow_each_other_meet_all_banks():
    for features in range(1, 129):
        groups = {row * warp_pitch(features) * 2 // 16 % 8 for row in range(8)}
        assert len(groups) == 8 and warp_pitch(features) >= features
