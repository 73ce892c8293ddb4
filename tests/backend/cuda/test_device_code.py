"""The code of kernels is made once, kept on disk, and read from there without a compiler."""

import pytest

from guardlift.backend.cuda import device_code
from guardlift.backend.cuda.compiler import DeviceCode, entry_of
from guardlift.backend.cuda.device_code import device_image
from guardlift.core.config import config

TEXT = "def kernel(extent, failed):\n    pass\n"


@pytest.fixture
def made(tmp_path, monkeypatch):
    """The names of all that was compiled and assembled; an assembler that is there once `made.tools` has its name."""
    asked = []

    def compiled(text, capability):
        asked.append(("compiled", text, capability))
        return DeviceCode("ptx of " + text + "\0", entry_of(text), 2)

    def assembled(ptx, capability):
        asked.append(("assembled", ptx, capability))
        return f"cubin for {capability[0]}".encode() if has_assembler else None

    has_assembler = []
    monkeypatch.setattr(device_code, "compile_text", compiled)
    monkeypatch.setattr(device_code, "assemble", assembled)
    with config.patch(cache_dir=str(tmp_path)):
        yield asked, has_assembler


def test_a_cubin_is_made_once_for_each_text_and_capability(made):
    asked, has_assembler = made
    has_assembler.append(True)
    first = device_image(TEXT, (9, 0))
    assert first.image == b"cubin for 9" and first.entry == entry_of(TEXT)
    assert device_image(TEXT, (9, 0)) == first and len(asked) == 2
    assert device_image(TEXT, (8, 0)).image == b"cubin for 8" and len(asked) == 4
    device_image(TEXT + "\n", (9, 0))
    assert len(asked) == 6


def test_ptx_is_kept_until_there_is_an_assembler(made):
    asked, has_assembler = made
    assert device_image(TEXT, (9, 0)).image == b"ptx of " + TEXT.encode()
    assert device_image(TEXT, (9, 0)).image == b"ptx of " + TEXT.encode()
    has_assembler.append(True)
    assert device_image(TEXT, (9, 0)).image == b"cubin for 9"
    assert [what for what, *_ in asked].count("compiled") == 1


def test_code_of_other_sources_or_of_another_assembler_is_not_used(made, monkeypatch):
    asked, _ = made
    device_image(TEXT, (9, 0))
    monkeypatch.setattr(device_code, "generator", lambda: b"another")
    device_image(TEXT, (9, 0))
    with config.patch(ptxas="another"):
        device_image(TEXT, (9, 0))
    assert [what for what, *_ in asked].count("compiled") == 3
