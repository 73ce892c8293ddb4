import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / "ARCHITECTURE.md", *sorted((DOCS / "architecture").glob("*.md"))]


@pytest.fixture(scope="module")
def walk() -> ModuleType:
    spec = importlib.util.spec_from_file_location("walk", DOCS / "walk.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def shown(walk: ModuleType) -> dict[str, str]:
    return walk.stages()


@pytest.mark.slow
def test_the_pages_show_every_stage_once(walk: ModuleType, shown: dict[str, str]) -> None:
    assert walk.PAGES == PAGES
    names = [name for page in PAGES for name in walk.blocks(page.read_text(encoding="utf-8"))]
    assert sorted(names) == sorted(shown)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_its_stages_as_they_are_printed(page: Path, walk: ModuleType, shown: dict[str, str]) -> None:
    found = walk.blocks(page.read_text(encoding="utf-8"))
    assert found, f"{page.name} shows no stage"
    for name, (only, text) in found.items():
        if only in ("", f"3.{sys.version_info.minor}"):
            assert text == shown[name], f"stage {name!r} of {page.name} is stale: python docs/walk.py --update"


def test_the_walk_is_one_page_and_each_further_page_is_short() -> None:
    lines = {page.name: len(page.read_text(encoding="utf-8").splitlines()) for page in PAGES}
    assert lines.pop("ARCHITECTURE.md") <= 300
    assert {name: count for name, count in lines.items() if not 60 <= count <= 120} == {}


def test_a_programs_text_on_a_page_is_that_of_the_walk() -> None:
    source = (DOCS / "walk.py").read_text(encoding="utf-8")
    for page in PAGES:
        for block in page.read_text(encoding="utf-8").split("```python\n")[1:]:
            program = block.split("```")[0]
            if "@gl.jit" in program:
                assert program in source, f"{page.name} shows another program than walk.py runs:\n{program}"
