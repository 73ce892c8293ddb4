"""Guides, tutorials and the front page are run: each code block in turn, and what it prints stands below it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDES = [DOCS / "index.md", *sorted((DOCS / "guides").glob("*.md"))]
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<shown>.*?)```)?", re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]+\]\(\.\./img/(?P<name>\w+\.png)\)")
BETWEEN = "-- end of a block --"


def run_blocks(page: Path, folder: Path) -> None:
    """Runs the blocks of a page in a folder. Errors: AssertionError where one prints something else than is shown."""
    blocks = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
    program = f"\nprint({BETWEEN!r}, flush=True)\n".join(block["code"] for block in blocks)
    (folder / "guide.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-W", "ignore:.* runs as plain Python", "guide.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(f"{BETWEEN}\n")
    assert len(printed) == len(blocks) > 0
    for block, text in zip(blocks, printed, strict=True):
        assert text == (block["shown"] or ""), block["code"]


@pytest.mark.slow
@pytest.mark.every_case
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_code_of_a_guide_prints_what_the_guide_shows(guide: Path, tmp_path: Path) -> None:
    run_blocks(guide, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.stem)
def test_a_tutorial_prints_and_plots_what_it_shows(tutorial: Path, tmp_path: Path) -> None:
    """`GUARDLIFT_TEST_PICTURES=docs/img` keeps the pictures that are made."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    run_blocks(tutorial, tmp_path)
    pictures = list(tmp_path.glob("*.png"))
    assert {each.name for each in pictures} == set(PICTURE.findall(tutorial.read_text(encoding="utf-8")))
    for each in pictures:
        assert each.read_bytes().startswith(b"\x89PNG") and (DOCS / "img" / each.name).exists()
        if os.environ.get("GUARDLIFT_TEST_PICTURES"):
            shutil.copy(each, os.environ["GUARDLIFT_TEST_PICTURES"])
