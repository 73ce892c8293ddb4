"""The generated pages are what the code declares, whichever interpreter asks."""

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.slow
def test_the_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(DOCS / "tables.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_page_that_differs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    import tables

    monkeypatch.setattr(tables, "DOCS", tmp_path)
    (tmp_path / "opcodes.md").write_text(tables.opcode_page(), encoding="utf-8")
    (tmp_path / "graph_breaks.md").write_text("old", encoding="utf-8")
    assert tables.stale(["opcodes.md", "graph_breaks.md", "commands.md"]) == ["graph_breaks.md", "commands.md"]
