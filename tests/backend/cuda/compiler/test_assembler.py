"""PTX becomes a cubin by whatever there is to make it."""

import shutil

import pytest

from guardlift.backend.cuda.compiler import assembler
from guardlift.backend.cuda.compiler.assembler import assemble
from guardlift.core.config import config
from guardlift.core.errors import KernelError

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry nothing(.param .b64 a) { .reg .b64 %d<2>; ld.param.b64 %d0, [a]; ret; }
"""
ELF = b"\x7fELF"


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="there is no ptxas here")
@pytest.mark.parametrize("capability", [(8, 0), (9, 0), (10, 0)])
def test_the_program_on_the_path_makes_a_cubin(capability, monkeypatch):
    monkeypatch.setattr(assembler, "_jit_link", lambda: None)
    assert assemble(PTX, capability).startswith(ELF)


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="there is no ptxas here")
def test_what_ptxas_refuses_is_an_error_with_its_words(monkeypatch):
    monkeypatch.setattr(assembler, "_jit_link", lambda: None)
    with pytest.raises(KernelError, match=r"(?s)ptxas refused a kernel: .*frobnicate"):
        assemble(PTX.replace("ret;", "frobnicate.b32 %d1;"), (9, 0))


@pytest.mark.skipif(assembler._jit_link() is None, reason="there is no nvJitLink here")
@pytest.mark.parametrize("capability", [(8, 0), (9, 0), (10, 0)])
def test_the_library_makes_a_cubin(capability, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert assemble(PTX + "\0", capability).startswith(ELF)
    assert assemble(PTX, capability) == assemble(PTX, capability)


@pytest.mark.skipif(assembler._jit_link() is None, reason="there is no nvJitLink here")
def test_what_the_library_refuses_is_an_error_with_its_words():
    with pytest.raises(KernelError, match=r"(?s)nvJitLink refused a kernel, error \d+: .*frobnicate"):
        assemble(PTX.replace("ret;", "frobnicate.b32 %d1;"), (9, 0))
    with pytest.raises(KernelError, match="nvJitLink knows no GPU of compute capability"):
        assemble(PTX, (1, 0))


def test_the_program_of_the_setting_comes_first(tmp_path):
    program = tmp_path / "ptxas"
    program.write_text('#!/bin/sh\necho "$1" > "$3"; cat >> "$3"\n')
    program.chmod(0o755)
    with config.patch(ptxas=str(program)):
        assert assemble("text", (9, 0)) == b"-arch=sm_90\ntext"
    with config.patch(ptxas=str(tmp_path / "none")), pytest.raises(KernelError, match="gl.config.ptxas names"):
        assemble("text", (9, 0))


def test_with_nothing_to_assemble_there_is_no_cubin(monkeypatch):
    monkeypatch.setattr(assembler, "_jit_link", lambda: None)
    monkeypatch.setenv("PATH", "")
    assert assemble(PTX, (9, 0)) is None
