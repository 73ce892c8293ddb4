"""The page of recompiles has a part for every program whose card is tested, each no longer than a screen."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "recompiles.md").read_text(encoding="utf-8")
SYMPTOMS = runpy.run_path(str(ROOT / "docs" / "recompile_symptoms.py"))["SYMPTOMS"]
CARDS = {
    name: value
    for file in ("programs.py", "break_programs.py")
    for name, value in runpy.run_path(str(ROOT / "tests" / "tools" / "cards" / file)).items()
}
MENDED = CARDS["MENDED"] | CARDS["BREAKS"]
PARTS = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
HEADINGS = {name: f"{text[0].upper()}{text[1:]}" for symptoms in SYMPTOMS.values() for name, text in symptoms.items()}


def test_each_program_has_one_symptom_and_one_part() -> None:
    assert sorted(HEADINGS) == sorted([*MENDED, *CARDS["UNMENDED"]])
    assert list(PARTS) == list(HEADINGS.values()) and len(set(PARTS)) == len(HEADINGS)


@pytest.mark.parametrize("name", HEADINGS)
def test_a_part_shows_the_program_its_card_and_the_edit(name: str) -> None:
    part = PARTS[HEADINGS[name]]
    subject, *_ = (MENDED | CARDS["UNMENDED"])[name]
    card = part.partition("```text\n")[2].partition("```")[0]
    assert subject[:40] in card and len(part.splitlines()) <= 45
    assert all(len(line) <= 80 for line in card.splitlines())
    assert ("```diff\n" in part) == (name in MENDED)
    assert ("fix: " in card) == (name in MENDED) == ("no edit known" not in card)
