"""The guides are run: each code block in turn, in one program; a block of text after it is what it printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDES = sorted((Path(__file__).resolve().parents[2] / "docs" / "guides").glob("*.md"))
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<shown>.*?)```)?", re.DOTALL)
BETWEEN = "-- end of a block --"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
@pytest.mark.slow
def test_the_code_of_a_guide_prints_what_the_guide_shows(guide: Path, tmp_path: Path) -> None:
    blocks = list(BLOCK.finditer(guide.read_text(encoding="utf-8")))
    program = f"\nprint({BETWEEN!r})\n".join(block["code"] for block in blocks)
    (tmp_path / "guide.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-W", "ignore:.* runs as plain Python", "guide.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(f"{BETWEEN}\n")
    assert len(printed) == len(blocks) > 0
    for block, text in zip(blocks, printed, strict=True):
        assert text == (block["shown"] or ""), block["code"]
