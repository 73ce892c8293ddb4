"""The mark of an installation changes with every file, with the processor and with what libraries read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guardlift.backend.disk_cache import installation
from guardlift.backend.disk_cache.installation import installation_mark


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "a.py").write_text("one")
    (package / "inner" / "b.py").write_text("two")
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nflags\t: fma avx\ncpu MHz\t: 1.0\n\nprocessor\t: 1\n")
    monkeypatch.setattr(installation, "ROOT", package)
    monkeypatch.setattr(installation, "_CPU_FACTS", tmp_path / "cpuinfo")
    return package


def test_the_mark_of_what_is_left_alone_stays(root: Path) -> None:
    before = installation_mark()
    assert len(before) == 20
    (root / "tests").mkdir()
    (root / "tests" / "c.py").write_text("no part of the package")
    facts = root.parent / "cpuinfo"
    facts.write_text(facts.read_text().replace("1.0", "2.0"))
    assert installation_mark() == before


def test_an_edit_changes_the_mark_though_size_and_time_are_as_before(root: Path) -> None:
    before, file = installation_mark(), root / "inner" / "b.py"
    status = file.stat()
    file.write_text("TWO")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert file.stat().st_mtime_ns == status.st_mtime_ns and file.stat().st_size == status.st_size
    assert installation_mark() != before


def test_a_machine_without_numba_has_a_mark_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, usual = installation_mark(), installation.find_spec
    monkeypatch.setattr(installation, "find_spec", lambda name: None if name == "numba" else usual(name))
    assert len(installation_mark()) == 20
    assert installation_mark() != before


def test_files_the_processor_and_variables_change_the_mark(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = [installation_mark()]
    (root / "new.py").write_text("")
    marks.append(installation_mark())
    facts = root.parent / "cpuinfo"
    facts.write_text(facts.read_text().replace("avx", "avx2"))
    marks.append(installation_mark())
    monkeypatch.setenv("NUMBA_OPT", "1")
    marks.append(installation_mark())
    assert len(set(marks)) == len(marks)
    facts.unlink()
    assert installation_mark() == b""
