"""Attention and its gradients on a GPU are kernels of their own. `test_simulated.py` runs this file."""

import os
from itertools import pairwise

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.nn import functional as F

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
NEAR = {gl.float32: 2e-5, gl.float16: 4e-3, gl.bfloat16: 3e-2}


def scaled(*lengths):
    """Lengths around the edges of tiles: those of the simulated device hold two and four rows, real ones 16 to 64."""
    return tuple(min(each, 3 + each % 4) for each in lengths) if SIMULATED else lengths


def scaled_for_warps(*lengths):
    """Lengths around the edges of tiles that hold 16 rows on the simulated device."""
    return tuple(min(each, 15 + each % 4) for each in lengths) if SIMULATED else lengths


def numbers(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def in_float64(q, k, v, g, mask, causal, scale):
    """Result and gradients, by the definition."""
    scores = np.einsum("...le,...se->...ls", q, k) * scale
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    largest = scores.max(-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isneginf(largest), 0, largest))
    whole = powers.sum(-1, keepdims=True)
    shares = powers / np.where(whole == 0, 1, whole)
    slopes = np.einsum("...lv,...sv->...ls", g, v)
    slopes = shares * (slopes - (slopes * shares).sum(-1, keepdims=True)) * scale
    return [
        np.einsum("...ls,...sv->...lv", shares, v),
        np.einsum("...ls,...se->...le", slopes, k),
        np.einsum("...ls,...le->...se", slopes, q),
        np.einsum("...ls,...lv->...sv", shares, g),
    ]


def held(array, dtype):
    """A tensor on the CPU, and what it holds in float64."""
    tensor = gl.tensor(array.astype(np.float32)).to(dtype)
    return tensor, tensor.to(gl.float64).numpy()


CASES = {
    "plain": ({"lengths": (70, 37), "sizes": (8, 8)}, gl.float32),
    "causal, more queries": ({"lengths": (97, 33), "sizes": (12, 20), "causal": True}, gl.float32),
    "causal, more keys": ({"lengths": (31, 66), "sizes": (12, 20), "causal": True}, gl.float32),
    "a mask of bools": ({"lengths": (65, 40), "sizes": (6, 5), "mask": "bools", "causal": True}, gl.float32),
    "a mask for all": ({"lengths": (5, 18), "sizes": (3, 3), "mask": "for all"}, gl.float32),
    "float16, a mask of floats": ({"lengths": (17, 35), "sizes": (7, 4), "mask": "floats"}, gl.float16),
    "bfloat16, axes turned": ({"lengths": (64, 64), "sizes": (70, 9), "causal": True, "turned": True}, gl.bfloat16),
    "one of each": ({"lengths": (1, 1), "sizes": (1, 1)}, gl.float32),
    "bfloat16, several tiles": ({"lengths": (129, 163), "sizes": (20, 48), "causal": True}, gl.bfloat16),
    "float16, wide rows": ({"lengths": (65, 33), "sizes": (5, 80), "mask": "bools"}, gl.float16),
    "float16, one of each": ({"lengths": (1, 1), "sizes": (1, 1)}, gl.float16),
}


@pytest.mark.parametrize("name", CASES)
def test_the_results_of_its_definition(name):
    settings, dtype = CASES[name]
    lengths = (scaled if dtype is gl.float32 else scaled_for_warps)(*settings["lengths"])
    (queries, keys), (inner, outer) = lengths, settings["sizes"]
    causal, turned = settings.get("causal", False), settings.get("turned", False)
    shapes = [(2, 3, queries, inner), (2, 3, keys, inner), (2, 3, keys, outer), (2, 3, queries, outer)]
    made = [held(numbers(seed, *shape), dtype) for seed, shape in enumerate(shapes)]
    here, wide = [tensor for tensor, _ in made], [array for _, array in made]
    mask = None
    match settings.get("mask"):
        case "bools":
            mask = numbers(5, queries, keys) > -0.5
            mask[queries // 2] = False
        case "for all":
            mask = numbers(5, 2, 1, 1, keys) > -0.5
        case "floats":
            mask = held(numbers(5, 2, 1, queries, keys), dtype)[1]
    there = None if mask is None else gl.tensor(mask).to(gl.bool if mask.dtype == bool else dtype).to("cuda")

    def attend(q, k, v, g):
        given = [each.permute(0, 2, 1, 3) for each in (q, k, v)] if turned else [q, k, v]
        result = F.scaled_dot_product_attention(*given, attn_mask=there, is_causal=causal)
        result.backward(g)
        return result.detach()

    function = gl.jit(attend, fullgraph=True)
    wanted = in_float64(*wide, mask, causal, 1 / np.sqrt(inner))
    bits = []
    for _ in range(2):
        leaves = [each.permute(0, 2, 1, 3).contiguous() if turned else each for each in here[:3]]
        leaves = [each.to("cuda").requires_grad_() for each in leaves]
        result = function(*leaves, here[3].to("cuda"))
        grads = [each.grad.permute(0, 2, 1, 3) if turned else each.grad for each in leaves]
        found = [each.cpu() for each in (result, *grads)]
        bits.append([each.to(gl.float32).numpy().tobytes() for each in found])
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype is dtype
            one = one.to(gl.float64).numpy()
            assert np.isfinite(one).all()
            np.testing.assert_allclose(one, other, NEAR[dtype], NEAR[dtype] * max(1.0, np.abs(other).max()))
    assert all(one == other for one, other in pairwise(bits))
    steps = [step for step in steps_of(function) if step.name.startswith("attention")]
    kernels = ["attention", "attention_key_value_gradients", "attention_query_gradient"]
    assert [*dict.fromkeys(step.name for step in steps)] == kernels
    assert {step.form for step in steps} == {"blocks" if dtype is gl.float32 else "tensor cores"}


def steps_of(function):
    """The steps of a jitted function on the device."""
    from guardlift.backend.cuda.launch_grid import DeviceLimits
    from guardlift.backend.cuda.plan import plan_of
    from guardlift.backend.cuda.products.tensor_tiles import TensorTiling

    class Planned:
        limits = DeviceLimits()
        tensor_tiling = TensorTiling()

        def load_all(self, texts):
            return {}

    return plan_of(state_of(function).entries[-1].details["compiled"], Planned()).steps


@pytest.mark.parametrize("joined", [False, True])
def test_operands_are_read_and_results_stored_where_they_lie(joined):
    @gl.jit(fullgraph=True)
    def attend(q, k, v):
        given = [each.permute(0, 2, 1, 3) for each in (q, k, v)]
        found = F.scaled_dot_product_attention(*given, is_causal=True)
        return found if not joined else found.permute(0, 2, 1, 3).reshape(2, 6, 24)

    made = [gl.tensor(numbers(seed, 2, 6, 3, 8)).to(gl.float16).to("cuda") for seed in range(3)]
    found = attend(*made)
    assert [step.name for step in steps_of(attend)] == ["attention"]
    wide = [each.cpu().to(gl.float64).numpy().transpose(0, 2, 1, 3) for each in made]
    wanted = in_float64(*wide, np.zeros_like(wide[2]), None, True, 8**-0.5)[0]
    wanted = wanted.transpose(0, 2, 1, 3).reshape(2, 6, 24) if joined else wanted
    np.testing.assert_allclose(found.cpu().to(gl.float64).numpy(), wanted, 2e-3, 2e-3)


def test_other_lengths_of_the_same_kernel():
    lengths = [(1, 33), (31, 1), (64, 65), (33, 32), (65, 16)]
    for queries, keys in lengths[:2] if SIMULATED else lengths:
        queries, keys = scaled(queries, keys)
        q, k, v = numbers(1, 2, queries, 4), numbers(2, 2, keys, 4), numbers(3, 2, keys, 6)
        x = [gl.tensor(np.concatenate([each, each], 1)).float().to("cuda")[:, each.shape[1] :] for each in (q, k, v)]
        found = F.scaled_dot_product_attention(*x)
        wanted = in_float64(q, k, v, np.zeros((2, queries, 6)), None, False, 0.5)[0]
        np.testing.assert_allclose(found.cpu().numpy(), wanted, 2e-5, 2e-5)


@pytest.mark.parametrize("dtype", [gl.float32, gl.float16], ids=str)
def test_a_dropout_draws_what_it_draws_on_the_cpu(dtype):
    found, near = [], (1e-4, 1e-5) if dtype is gl.float32 else (2e-2, 2e-3)
    for device in ("cpu", "cuda"):
        for jitted in (False, True):
            gl.manual_seed(11)
            x = [gl.tensor(numbers(seed, 2, 5, 4)).to(dtype).to(device).requires_grad_() for seed in range(3)]

            def attend(q, k, v):
                result = F.scaled_dot_product_attention(q, k, v, dropout_p=0.4)
                result.sin().sum().backward()
                return result.detach()

            result = (gl.jit(attend, fullgraph=True) if jitted else attend)(*x)
            arrays = [each.cpu().numpy() for each in (result, *(each.grad for each in x))]
            found.append((arrays, gl.get_rng_state().tolist()))
    for arrays, state in found[1:]:
        assert state == found[0][1]
        for one, other in zip(arrays, found[0][0], strict=True):
            np.testing.assert_allclose(one, other, *near)


def test_attention_written_into_its_own_operand():
    @gl.jit(fullgraph=True)
    def attend(q, k):
        q.copy_(F.scaled_dot_product_attention(q, k, q))

    q, k = numbers(1, 2, 6, 4), numbers(2, 2, 6, 4)
    there = gl.tensor(q).float().to("cuda")
    attend(there, gl.tensor(k).float().to("cuda"))
    wanted = in_float64(q, k, q, np.zeros_like(q), None, False, 0.5)[0]
    np.testing.assert_allclose(there.cpu().numpy(), wanted, 2e-5, 2e-5)
