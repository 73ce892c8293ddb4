"""The switches of libraries and devices, as programs set them at their beginning."""

from __future__ import annotations

import importlib

import guardlift as gl


def test_a_program_sets_what_it_sets_for_pytorch() -> None:
    cudnn = importlib.import_module("guardlift.backends.cudnn")
    assert cudnn is gl.backends.cudnn
    before = cudnn.deterministic, cudnn.benchmark
    try:
        gl.backends.cudnn.deterministic, gl.backends.cudnn.benchmark = True, False
        assert cudnn.deterministic
    finally:
        cudnn.deterministic, cudnn.benchmark = before
    assert not cudnn.is_available()
    assert cudnn.version() is None
    gl.use_deterministic_algorithms(True, warn_only=True)
    assert gl.are_deterministic_algorithms_enabled()
    kind = "cuda" if gl.cuda.is_available() else "mps" if gl.backends.mps.is_available() else "cpu"
    assert kind != "mps"
    assert gl.backends.cuda.is_built() and not gl.backends.mps.is_built()


def test_tf32_is_the_precision_of_products() -> None:
    with gl.config.patch(float32_matmul_precision="highest"):
        products = gl.backends.cuda.matmul
        assert not products.allow_tf32
        products.allow_tf32 = True
        assert gl.get_float32_matmul_precision() == "high"
        products.allow_tf32 = False
        assert gl.get_float32_matmul_precision() == "highest"
