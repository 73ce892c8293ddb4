"""The code of kernels is made once, kept on disk, and read from there without a compiler."""

import warnings
from dataclasses import replace

import pytest

from guardlift.backend.cuda.compiler import device_code
from guardlift.backend.cuda.compiler.compiler import DeviceCode, entry_of
from guardlift.backend.cuda.compiler.device_code import device_image
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
    monkeypatch.setattr(device_code, "compiler_versions", lambda: "compiler 1")
    with config.patch(cache_dir=str(tmp_path)):
        yield asked, has_assembler


def test_a_cubin_is_made_once_for_each_text_and_capability(made):
    asked, has_assembler = made
    has_assembler.append(True)
    first = device_image(TEXT, (9, 0))
    assert first.image == b"cubin for 9" and first.entry == entry_of(TEXT)
    assert (first.maker, first.was_kept) == ("compiler 1", False)
    assert device_image(TEXT, (9, 0)) == replace(first, was_kept=True) and len(asked) == 2
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
    assert compiles(asked) == 3


def compiles(asked):
    return [what for what, *_ in asked].count("compiled")


def test_another_compiler_makes_its_own_code_and_who_has_none_takes_what_is_there(made, monkeypatch):
    asked, has_assembler = made
    has_assembler.append(True)
    device_image(TEXT, (9, 0))
    monkeypatch.setattr(device_code, "compiler_versions", lambda: "")
    assert device_image(TEXT, (9, 0)).maker == "compiler 1" and compiles(asked) == 1
    monkeypatch.setattr(device_code, "compiler_versions", lambda: "compiler 2")
    assert device_image(TEXT, (9, 0)).maker == "compiler 2" and compiles(asked) == 2
    assert device_image(TEXT, (9, 0)).was_kept and compiles(asked) == 2
    assert not device_image(TEXT, (9, 0), anew=True).was_kept and compiles(asked) == 3


def damaged(content):
    return content[:-3] + b"???"


def cut(content):
    return content[:-5]


def foreign(content):
    return b"GLIFTKRN" + content[8:]


@pytest.mark.parametrize("change", [damaged, cut, foreign, lambda content: b"", "others"])
def test_a_file_that_cannot_be_trusted_is_said_and_written_anew(made, tmp_path, change):
    asked, has_assembler = made
    has_assembler.append(True)
    device_image(TEXT, (9, 0))
    (path,) = tmp_path.glob("*.cubin")
    if change == "others":
        path.chmod(0o666)
        said = "can be written by others"
    else:
        path.write_bytes(change(path.read_bytes()))
        said = "is damaged"
    with pytest.warns(RuntimeWarning, match=f"(?s){path.name}.*{said}.*; it is compiled anew"):
        assert device_image(TEXT, (9, 0)).image == b"cubin for 9"
    assert compiles(asked) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert device_image(TEXT, (9, 0)).was_kept and compiles(asked) == 2
