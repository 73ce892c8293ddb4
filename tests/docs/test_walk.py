import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def walk() -> ModuleType:
    spec = importlib.util.spec_from_file_location("walk", DOCS / "walk.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_every_stage_as_it_is_printed(walk: ModuleType) -> None:
    shown = walk.stages()
    page = walk.blocks(walk.PAGE.read_text(encoding="utf-8"))
    assert page.keys() == shown.keys()
    running = f"3.{sys.version_info.minor}"
    for name, (only, text) in page.items():
        if only in ("", running):
            assert text == shown[name], f"stage {name!r} of docs/ARCHITECTURE.md is stale: python docs/walk.py --update"


def test_every_file_that_the_page_links_exists(walk: ModuleType) -> None:
    page = re.sub(r"```.*?```", "", walk.PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", page):
        assert (DOCS / target).exists(), target
