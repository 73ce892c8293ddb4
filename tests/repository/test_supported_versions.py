"""The versions of CPython and NumPy that the project promises, stated in several files."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from guardlift.frontend.bytecode.versions import DIALECTS

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = [f"3.{minor}" for minor in sorted(DIALECTS)]


def test_every_known_bytecode_is_promised_and_no_other() -> None:
    found = re.findall(r"^Programming Language :: Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.M)
    assert found == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert f"for CPython {PYTHONS[0]} to {PYTHONS[-1]}" in (ROOT / "README.md").read_text()


def test_the_tests_look_for_every_promised_interpreter() -> None:
    script = (ROOT / ".ci" / "pythons").read_text()
    stated = re.search(r'^versions="([\d. ]+)"$', script, re.M)
    assert stated is not None and stated[1].split() == PYTHONS[::-1]
    assert f"(3, 11) <= sys.version_info < (3, {max(DIALECTS) + 1})" in script
    found = subprocess.run([ROOT / ".ci" / "pythons"], capture_output=True, text=True, check=True).stdout.split()
    assert found


def test_every_promised_interpreter_has_an_oldest_numpy() -> None:
    lines = (ROOT / ".ci" / "oldest-numpy.txt").read_text().splitlines()
    pins = [Requirement(line) for line in lines if not line.startswith("#")]
    for python in PYTHONS:
        assert sum(each.marker is not None and each.marker.evaluate({"python_version": python}) for each in pins) == 1
    oldest = min(str(each.specifier).removeprefix("==") for each in pins)
    [promised] = [each for each in map(Requirement, PROJECT["dependencies"]) if each.name == "numpy"]
    assert oldest in promised.specifier and all(str(each.specifier)[2:] in promised.specifier for each in pins)
    assert f">={oldest.removesuffix('.0')}" in map(str, promised.specifier)
