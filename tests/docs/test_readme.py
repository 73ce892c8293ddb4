"""The README and the first programs are run: each program prints what is shown below it, and what it names exists."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXT = README + (ROOT / "docs" / "first_programs.md").read_text(encoding="utf-8")
SAVED = re.compile(
    r"```python\n(?P<code>(?:(?!```).)*)```\s+Saved as `(?P<name>\w+\.py)`"
    r"(?P<command> and run by `guard-explain (?P=name)`)?[^`]*```text\n(?P<shown>.*?)```",
    re.DOTALL,
)
PROGRAMS = {found["name"]: (found["code"], found["command"], found["shown"]) for found in SAVED.finditer(TEXT)}


def without_times(text: str) -> str:
    text = re.sub(r"\d+(\.\d+)? (s|ms|us)\b", "#", text)
    return re.sub(r" {2,}", "  ", text)  # columns are as wide as the times in them


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.slow
def test_an_example_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    code, command, shown = PROGRAMS[name]
    (tmp_path / name).write_text(code, encoding="utf-8")
    module = ["-m", "guardlift.tools.explain"] if command else []
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, *module, name], cwd=tmp_path, capture_output=True, text=True, check=True, env=environment
    )
    assert without_times(done.stdout) == without_times(shown)


def test_every_program_of_the_pages_is_run() -> None:
    assert len(PROGRAMS) == TEXT.count("```python\n") == 3
    assert [bool(command) for _, command, _ in PROGRAMS.values()] == [True, False, True]


def test_the_pages_name_only_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)`", TEXT, re.MULTILINE):
        target = "".join(target)
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
