"""Pages link and name what is there: files, headings, and paths of this repository in backticks."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "_"))}
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
NAMED = re.compile(r"`(?P<path>(?:\w+/)+\w*(?:\.py|\.md|\.txt)?)`")
FILE = re.compile(r"(?P<saved>Saved as )?`(?P<name>\w+\.py)`")
FILES = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}


def prose(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made on GitHub."""
    titles = (re.sub(r"[^\w\- ]", "", title.lower()) for title in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE))
    return {title.replace(" ", "-") for title in titles}


def broken_links(page: Path, text: str) -> Iterator[str]:
    """The relative links of a text that lead to no file, or to no heading of one."""
    for match in LINK.finditer(text):
        path, _, anchor = match["target"].partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = page.parent / path if path else page
        if not target.exists() or anchor and anchor not in anchors(target):
            yield match["target"]


def broken_paths(text: str) -> Iterator[str]:
    """The paths in backticks that are not there: those of Python files, and those that begin with a folder of ours."""
    for match in NAMED.finditer(text):
        ours = match["path"].endswith(".py") or match["path"].split("/")[0] in FOLDERS
        if ours and not (ROOT / match["path"]).exists():
            yield match["path"]


def unknown_files(text: str) -> Iterator[str]:
    """The names of Python files in backticks that no folder has a file of, but for programs that the text saves."""
    found = list(FILE.finditer(text))
    saved = {match["name"] for match in found if match["saved"]}
    yield from (match["name"] for match in found if match["name"] not in FILES | saved)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert list(broken_links(page, prose(page))) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_of_this_repository_in_backticks_exists(page: Path) -> None:
    assert [*broken_paths(prose(page)), *unknown_files(prose(page))] == []


def test_what_is_not_there_is_found() -> None:
    page = ROOT / "docs" / "decisions.md"
    text = "[a](../graph/nod.py) [b](../graph/node.py) [c](#decisions) [d](#no-such-heading) [e](https://example.org/x)"
    assert list(broken_links(page, text)) == ["../graph/nod.py", "#no-such-heading"]
    assert list(
        broken_paths("`graph/nod.py`, `graph/node.py`, `graph/aot/`, `graph/aut/`, `elsewhere/x.py`, `elsewhere/x/`")
    ) == [*("graph/nod.py", "graph/aut/", "elsewhere/x.py")]
    assert list(unknown_files("`parser.py`, `nod.py`, Saved as `mine.py`, `mine.py`")) == ["nod.py"]
