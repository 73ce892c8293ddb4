"""A report in a notebook: escaped, without a script, in colours for light and dark pages."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

import guardlift as gl
from guardlift.tools.report import Report
from guardlift.tools.show.notebook import COLORS


class Tags(HTMLParser):
    """The tags of a page, and its text outside of the style sheet; it fails at a tag that is closed out of order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs) -> None:
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if "style" not in self.open:
            self.text += data


def test_the_answer_is_on_top_and_the_details_are_folded_up() -> None:
    @gl.jit
    def turned(x, n):
        for k in range(n):
            x = x + k
        return x

    turned(np.ones(3), 1)
    turned(np.ones(3), 2)
    page = Tags(gl.explain(turned)._repr_html_())
    assert set(page.tags) == {"div", "style", "pre", "span", "details", "summary"}
    above, below = page.text.split("guards, inputs and costs")
    assert "turned  compiled: 2 entries" in above and "1 recompile" in above and "holds while" not in above
    assert "holds while" in below and "for k in range(n):" in below


def test_names_are_escaped() -> None:
    name = "<script>alert(1)</script>\x1b[31m\ud800&<b>"
    html = Report(name, name, 1, left_alone=name)._repr_html_()
    page = Tags(html)
    assert "script" not in page.tags and "b" not in page.tags
    assert "<script>alert(1)</script>\\x1b[31m\\ud800&<b>" in page.text
    html.encode("utf-8")


def test_both_kinds_of_pages_have_colours() -> None:
    html = Report("f", "f.py", 1)._repr_html_()
    assert "@media (prefers-color-scheme: dark)" in html
    for light, dark in COLORS.values():
        assert light in html and html.count(dark) >= 2
