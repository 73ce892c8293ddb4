"""The README is run: each of its programs prints what is shown below it, and what it names exists."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = {
    name: (code, shown)
    for code, name, shown in re.findall(
        r"```python\n(.*?)```\s+Saved as `(\w+\.py)`[^`]*```text\n(.*?)```", README, re.DOTALL
    )
}


def without_times(text: str) -> str:
    text = re.sub(r"\d+(\.\d+)? (s|ms|us)\b", r"# \2", text)
    text = re.sub(r"\d+ instructions", "instructions", text)
    return re.sub(r"\d+ compiled, \d+ from the cache", "kernels", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_prints_what_the_readme_shows(name: str, tmp_path: Path) -> None:
    code, shown = PROGRAMS[name]
    (tmp_path / name).write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert without_times(done.stdout) == without_times(shown)


def test_every_program_of_the_readme_is_run() -> None:
    assert len(PROGRAMS) == README.count("```python\n") == 3


def test_the_readme_names_only_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make ([a-z-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
