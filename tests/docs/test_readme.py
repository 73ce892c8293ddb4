import os
import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def without_times(text: str) -> str:
    text = re.sub(r"\d+(\.\d+)? (s|ms|us)\b", r"# \2", text)
    text = re.sub(r"\d+ instructions", "instructions", text)
    return re.sub(r"\d+ compiled, \d+ from the cache", "kernels", text)


def test_the_example_prints_what_the_readme_shows(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    shown = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert code is not None and shown is not None
    (tmp_path / "plate.py").write_text(code[1], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "plate.py"], cwd=tmp_path, capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert without_times(done.stdout) == without_times(shown[1])


def test_the_readme_names_only_targets_that_exist() -> None:
    makefile = (Path(__file__).resolve().parents[2] / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make ([a-z-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
