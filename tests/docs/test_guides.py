"""Guides, tutorials and the front page are run: each code block in turn, and what it prints stands below it."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / "index.md", *sorted((DOCS / "guides").glob("*.md")), *sorted((DOCS / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<shown>.*?)```)?", re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]+\]\(\.\./img/(?P<name>\w+\.png)\)")
BETWEEN = "-- end of a block --"


def printed(page: Path, folder: Path, *, plots: bool) -> list[tuple[str, str, str]]:
    """For each block of a page its code, the text below it and what it printed; those that plot may be left out."""
    blocks = [
        (found["code"], found["shown"] or "")
        for found in BLOCK.finditer(page.read_text(encoding="utf-8"))
        if plots or "pyplot" not in found["code"]
    ]
    program = f"\nprint({BETWEEN!r}, flush=True)\n".join(code for code, _ in blocks)
    (folder / "guide.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-W", "ignore:.* runs as plain Python", "guide.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    texts = done.stdout.split(f"{BETWEEN}\n")
    return [(code, shown, text) for (code, shown), text in zip(blocks, texts, strict=True)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    found = printed(page, tmp_path, plots=importlib.util.find_spec("matplotlib") is not None)
    assert found
    for code, shown, text in found:
        assert text == shown, code


@pytest.mark.slow
def test_the_plots_of_the_tutorials_are_those_that_the_pages_show(tmp_path: Path) -> None:
    """`GUARDLIFT_TEST_PICTURES=docs/img` keeps the pictures that are made."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    for page in PAGES:
        pictures = set(PICTURE.findall(page.read_text(encoding="utf-8"))) if page.parent.name == "tutorials" else set()
        if pictures:
            printed(page, tmp_path, plots=True)
            assert {each.name for each in tmp_path.glob("*.png")} == pictures
    folder = os.environ.get("GUARDLIFT_TEST_PICTURES")
    for each in tmp_path.glob("*.png"):
        assert each.read_bytes().startswith(b"\x89PNG")
        if folder:
            shutil.copy(each, folder)
