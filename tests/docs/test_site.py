"""The site of the documentation: it builds without a warning, and opens in a browser without an error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

import guardlift as gl

DOCS = Path(__file__).resolve().parents[2] / "docs"
PARTS = ("sphinx", "myst_nb", "furo")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built once for all tests."""
    for part in PARTS:
        pytest.importorskip(part, reason=f"{part} is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-n", "-W", "--keep-going", "-q", "-j", "auto"]
    done = subprocess.run(
        [*command, "-d", str(folder / "pages"), str(DOCS), str(folder / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder / "html"


class Links(HTMLParser):
    """The targets of the links and pictures of a page, and the names that links may lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        known = dict(attrs)
        self.targets += [known[name] for name in ("href", "src") if known.get(name)]
        self.names |= {known[name] for name in ("id", "name") if known.get(name)}


def test_every_link_inside_the_site_leads_somewhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    broken, seen = [], 0
    for page, links in pages.items():
        for target in set(links.targets):
            path, anchor = urldefrag(target)
            if re.match(r"[a-z]+:", path):
                continue
            seen += 1
            file = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page
            names = pages[file].names if file in pages else set()
            if not file.exists() or anchor and file in pages and unquote(anchor) not in names:
                broken.append(f"{page.relative_to(site)}: {target}")
    assert seen > 3000
    assert broken == []


def test_every_page_and_every_public_name_is_on_the_site(site: Path) -> None:
    sources = [each for kind in ("*.md", "*.ipynb") for each in DOCS.rglob(kind)]
    pages = [site / each.relative_to(DOCS).with_suffix(".html") for each in sources]
    assert [str(each) for each in pages if not each.exists()] == []
    names = Links(site / "api" / "guardlift.html").names | Links(site / "api" / "tensor.html").names
    missing = {name for name in gl.__all__ if f"guardlift.{name}" not in names and not name.startswith("__")}
    assert {name for name in missing if not isinstance(getattr(gl, name), ModuleType)} == set()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if missing and os.environ.get("GUARDLIFT_TEST_BROWSER") != "required":
        pytest.skip(f"{' and '.join(missing)} not installed")
    assert not missing, missing
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(shutil.which("chromedriver"))))
    driver.set_page_load_timeout(120)
    yield driver
    driver.quit()


def test_pages_open_in_a_browser_and_the_search_finds_a_name(site: Path, browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    def errors() -> list[Any]:
        return [each for each in browser.get_log("browser") if each["level"] in ("SEVERE", "WARNING")]

    pictures = "return [...document.images].every((each) => each.complete && each.naturalWidth > 0)"
    for page, said in (
        ("index.html", "heated plate"),
        ("notebooks/training.html", "requires grad"),
        ("notebooks/recompiles.html", "In [6], line 3"),
        ("tutorials/numpy.html", "following"),
        ("api/tensor.html", "guardlift.logsumexp"),
        ("source/frontend/jit.py.html", "def jit("),
    ):
        browser.get((site / page).as_uri())
        assert said in browser.page_source, page
        WebDriverWait(browser, 60).until(lambda it: it.execute_script(pictures))
        assert errors() == [], page
    browser.get((site / "search.html").as_uri() + "?q=logsumexp")
    found = WebDriverWait(browser, 60).until(lambda it: it.find_elements("css selector", "#search-results li a"))
    assert any("tensor.html" in each.get_attribute("href") for each in found)
    assert errors() == []
