"""The HTML of a page: one file that runs its own script alone, whatever names and values it tells of."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import runpy
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.tools.page.build import page_content
from guardlift.tools.page.html import inline_json, page_text
from guardlift.tools.record.reader import Record, read
from guardlift.tools.record.writer import start, stop

SECRET = "xyzzy"


class PageParser(HTMLParser):
    """The elements of a page, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] in ("script", "style") and data.strip():
            self.raw.append((self.elements[-1][1].get("id") or self.elements[-1][0], data))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """The record of a program with hostile names and values."""
    folder = tmp_path_factory.mktemp("hostile")
    part = start(folder)
    assert part is not None
    try:
        runpy.run_path(str(Path(__file__).with_name("hostile_program.py")))
    finally:
        stop(part)
    return read(folder)


@pytest.fixture(scope="module")
def page(hostile: Record) -> str:
    return page_text(page_content(hostile))


def embedded(text: str) -> Any:
    """The data in a page."""
    return json.loads(dict(PageParser(text).raw)["data"])


def texts_in(data: Any) -> Iterator[str]:
    """Every text in JSON data, names of members too."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from data
        for each in data.values():
            yield from texts_in(each)
    elif isinstance(data, list):
        for each in data:
            yield from texts_in(each)


@pytest.mark.slow
def test_names_and_values_make_no_elements(page) -> None:
    parser = PageParser(page)
    assert [tag for tag, _ in parser.elements].count("script") == 2
    assert not [
        tag for tag, _ in parser.elements if tag in ("img", "iframe", "link", "object", "embed", "base", "form")
    ]
    assert not [name for _, found in parser.elements for name in found if name.startswith("on") or name == "style"]
    assert "alert(1)" in page and "<script>alert" not in page


def test_the_policy_allows_the_own_script_and_style_alone(page) -> None:
    parser = PageParser(page)
    (policy,) = (found["content"] or "" for tag, found in parser.elements if "http-equiv" in found and tag == "meta")
    raw = dict(parser.raw)
    for kind in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy


def test_the_page_asks_for_nothing_outside_of_it(page) -> None:
    for tag, found in PageParser(page).elements:
        assert "src" not in found and (found.get("href") or "#").startswith("#"), tag
    assert "url(" not in page and "@import" not in page


def test_texts_are_visible_and_names_and_values_are_cut(page, hostile) -> None:
    page.encode("utf-8")  # no lone surrogates
    found = embedded(page)
    assert not [text for text in texts_in({**found, "texts": {}}) if not text.isprintable() or len(text) > 200]
    assert not [text for text in found["texts"].values() if not text.replace("\n", "").isprintable()]
    names = {function["name"] for function in found["functions"]}
    assert {"two\\nlines", "\\x1b[31mred\\x1b[0m", "lone \\ud800 one", "__proto__", "{{ 7 * 7 }}{% raw %}"} <= names
    assert len(page) < 1_000_000


def test_objects_are_named_by_their_classes_and_asked_for_no_words(page) -> None:
    (compared,) = (function for function in embedded(page)["functions"] if function["name"] == "compared")
    facts = {guard["fact"] for entry in compared["entries"] for guard in entry["guards"]}
    assert {"type(value) is Loud", "type(value) is Broken"} <= facts
    assert "alert(5)" not in page and "no words" not in page and "y" * 200 not in page


def test_inline_data_cannot_end_its_element() -> None:
    text = str(inline_json({"</script>": "<!--\u2028"}))
    assert "<" not in text and text.isascii() and json.loads(text) == {"</script>": "<!--\u2028"}


def test_each_distinct_text_is_in_the_page_once(hostile, page) -> None:
    kernels = [
        kernel
        for function in embedded(page)["functions"]
        for entry in function["entries"]
        for kernel in entry["kernels"]
    ]
    texts = embedded(page)["texts"]
    assert len(kernels) > len({kernel["text"] for kernel in kernels})
    assert len(set(texts.values())) == len(texts) and all(kernel["text"] in texts for kernel in kernels)


def test_a_redacted_page_holds_neither_source_nor_values(tmp_path) -> None:
    folder = tmp_path / SECRET
    folder.mkdir()
    file = folder / "program.py"
    source = f"def shown(x, n):\n    {SECRET}_line = x * 2.0\n    print(end='')\n    return {SECRET}_line + len(n)\n"
    file.write_text(source)
    namespace: dict[str, Any] = {}
    exec(compile(source, str(file), "exec"), namespace)
    part = start(tmp_path / "record")
    assert part is not None
    f = gl.jit(namespace["shown"])
    for words in (SECRET, f"{SECRET}!"):
        f(np.ones(3), words)
    gl.jit(lambda **found: found["x"] + 1.0)(x=np.ones(3), **{SECRET: 1})
    stop(part)
    record = read(tmp_path / "record")
    assert len(re.findall(SECRET, page_text(page_content(record)))) > 20
    text = page_text(page_content(record, redacted=True))
    assert SECRET not in text
    found = embedded(text)
    names = [function["name"] for function in found["functions"]]
    assert "shown" in names and found["texts"] == {} and found["totals"]["recompiles"] == 2
    assert found["functions"][names.index("shown")]["at"] == "program.py:1"
