"""`guard-explain report`: writes the page of a record, and says in one line what is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.config import config
from guardlift.tools.explain import main
from guardlift.tools.record.writer import start, stop


@pytest.fixture
def record(tmp_path: Path) -> Path:
    part = start(tmp_path / "record")
    assert part is not None
    gl.jit(lambda x: x * 2.0)(np.ones(3))
    stop(part)
    return tmp_path / "record"


def test_the_page_of_a_record_is_written(record, tmp_path, capsys) -> None:
    page = tmp_path / "page.html"
    assert main(["report", str(record), "-o", str(page)]) == 0
    assert capsys.readouterr() == ("", "")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["report", str(record), "-o", str(page), "--redact"]) == 0
    assert "Source and values are left out." in page.read_text(encoding="utf-8")


def test_an_output_that_cannot_be_written_is_told_in_one_line(record, tmp_path, capsys) -> None:
    page = tmp_path / "missing" / "page.html"
    assert main(["report", str(record), "-o", str(page)]) == 2
    assert capsys.readouterr().err == f"guard-explain: {page} cannot be written: No such file or directory\n"


def test_a_record_that_is_none_leaves_no_page(tmp_path, capsys) -> None:
    page, file = tmp_path / "page.html", tmp_path / "run.gl"
    file.write_text("no record\n")
    assert main(["report", str(file), "-o", str(page)]) == 2
    assert capsys.readouterr().err == f"guard-explain: {file}:1 is no guardlift record\n"
    assert not page.exists()


def test_a_damaged_record_is_told_of_on_the_page_too(record, tmp_path, capsys) -> None:
    (file,) = record.iterdir()
    file.write_bytes(file.read_bytes() + b'{"is":"event","at"')
    assert main(["report", str(record), "-o", str(tmp_path / "page.html")]) == 0
    assert "ends after event 1" in capsys.readouterr().err
    assert "ends after event 1" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_without_a_record_it_is_that_of_the_last_run(tmp_path, capsys) -> None:
    with config.patch(cache_dir=str(tmp_path)):
        assert main(["report", "-o", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err == (
        "guard-explain: there is no last run to report; name a record: guard-explain report RECORD\n"
    )


def test_an_output_has_to_be_named(record, capsys) -> None:
    assert main(["report", str(record)]) == 2
    assert "-o/--output" in capsys.readouterr().err
