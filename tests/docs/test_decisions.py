import re
from pathlib import Path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "decisions.md").read_text(encoding="utf-8")
INDEX, *DECISIONS = re.split(r"^(?=## \d+\. )", PAGE, flags=re.MULTILINE)
NUMBERS = [int(re.match(r"## (\d+)", text)[1]) for text in DECISIONS]


def test_the_decisions_stand_in_the_order_of_their_numbers() -> None:
    assert sorted(set(NUMBERS)) == NUMBERS


def test_the_index_lists_every_decision_once_by_its_title() -> None:
    titles = [text.splitlines()[0].removeprefix("## ") for text in DECISIONS]
    listed = re.findall(r"^- \[(.*)\]\(#", INDEX, re.MULTILINE)
    assert sorted(listed) == sorted(titles)


def test_a_decision_that_was_replaced_names_later_ones_in_its_first_line() -> None:
    for number, text in zip(NUMBERS, DECISIONS, strict=True):
        first = text.splitlines()[2]
        assert "Replaced" not in text.replace(first, ""), f"{number}: say it in the first line"
        if first.startswith("Replaced"):
            named = re.match(r"Replaced (?:in part )?by (\d+)(?: and (\d+))?[.:]", first)
            assert named is not None, first
            assert {int(each) for each in named.groups() if each} <= {each for each in NUMBERS if each > number}


def test_decisions_that_other_pages_name_are_there() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    for page in docs.rglob("*.md"):
        for first, second in re.findall(r"[Dd]ecisions? (\d+)(?: and (\d+))?", page.read_text(encoding="utf-8")):
            assert {int(each) for each in (first, second) if each} <= set(NUMBERS), page
