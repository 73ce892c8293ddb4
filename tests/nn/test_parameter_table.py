"""Modules and tensors in a notebook: tables of escaped text, without a script or a colour of their own."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import guardlift as gl
from guardlift import nn


class Cells(HTMLParser):
    """The rows of the tables of a page, and its whole text; it fails at tags that should not be there."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.text = self.open = ""
        self.feed(page)
        assert set(re.findall(r"color: (\w+)|background: (\w+)", page)) <= {("inherit", ""), ("", "none")}

    def handle_starttag(self, tag, attrs) -> None:
        assert tag in ("div", "table", "tr", "th", "td", "pre", "details", "summary")
        assert [name for name, _ in attrs] in ([], ["style"])
        self.open = tag
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag) -> None:
        self.open = ""

    def handle_data(self, data) -> None:
        self.text += data
        if self.open in ("td", "th"):
            self.rows[-1][-1] += data


def test_a_module_is_a_table_of_its_parameters_with_their_sums() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.LazyLinear(2))
    model[0].weight.requires_grad_(False)
    shared = model[0]
    model.append(shared)
    for each in (model, gl.jit(model)):
        page = Cells(each._repr_html_())
        assert page.rows == [
            ["parameter", "shape", "dtype", "numbers", "requires grad"],
            ["0.weight", "(4, 3)", "float32", "12", "no"],
            ["0.bias", "(4,)", "float32", "4", "yes"],
            ["1.weight", "(4,)", "float32", "4", "yes"],
            ["1.bias", "(4,)", "float32", "4", "yes"],
            ["2.weight", "not known yet", "float32", "", "yes"],
            ["2.bias", "not known yet", "float32", "", "yes"],
            ["total", "", "", "24", "12 of them"],
        ]
        assert repr(model) in page.text and "numbers in buffers: 9" in page.text


def test_a_large_module_is_cut_and_names_are_escaped() -> None:
    class Odd(nn.Module):
        pass

    Odd.__name__ = "<script>alert(1)</script>\x1b"
    odd = Odd()
    odd.register_parameter("<b>&\ud800", nn.Parameter(gl.ones(2, dtype=gl.float64)))
    page = Cells(odd._repr_html_())
    assert page.rows[1] == ["<b>&\\ud800", "(2,)", "float64", "2", "yes"]
    assert "<script>alert(1)</script>\\x1b" in page.text
    many = Cells(nn.ParameterList([nn.Parameter(gl.ones(2)) for _ in range(103)])._repr_html_())
    assert len(many.rows) == 103 and many.rows[-2] == ["…", "3 more", "", "6", ""] and many.rows[-1][3] == "206"


def test_a_tensor_is_a_row_of_facts_above_its_values() -> None:
    x = gl.ones(2, 3, requires_grad=True)
    page = Cells((x * 2)._repr_html_())
    assert page.rows == [
        ["", "shape", "dtype", "device", "autograd"],
        ["Tensor", "(2, 3)", "float32", "cpu", "grad_fn=<MulBackward0>"],
    ]
    assert repr(x * 2) in page.text
    assert "requires_grad=True" in Cells(nn.Parameter(gl.ones(()))._repr_html_()).text
    assert "no gradient" in Cells(gl.zeros(0, dtype=gl.int64)._repr_html_()).text
    assert nn.LazyLinear(2).weight._repr_html_() is None
