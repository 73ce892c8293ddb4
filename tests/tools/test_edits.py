"""Edits: where the text of a program takes what a card advises."""

from __future__ import annotations

import linecache
from pathlib import Path

import pytest

from guardlift.core.events import Edit, Remedy
from guardlift.tools.edits import EditError, applied, placed

PROGRAM = """\
import guardlift as gl

@gl.jit
def f(x, rate=1, *, bias=0):
    return x * rate + bias

f(f(x, 1), 2); f(x, 2)
f(
    x,
    a + b,
)
f(*args)
other.f(x, rate=k)
def unrelated(x): return x
"""


def edited(tmp_path: Path, text: str, *remedies: Remedy) -> str:
    path = tmp_path / "program.py"
    path.write_text(text)
    linecache.checkcache()
    edits = placed(remedies, "f", (str(path), text[: text.index("@gl.jit")].count("\n") + 1), [str(path)])
    return applied(text, edits) if edits else ""


def test_every_call_of_the_function_and_its_default_are_edited(tmp_path: Path) -> None:
    text = edited(tmp_path, PROGRAM, Remedy("pass float(rate)", name="rate", form="float({})"))
    assert "def f(x, rate=1.0, *, bias=0):" in text
    assert "f(f(x, 1.0), 2.0); f(x, 2.0)" in text
    assert "    float(a + b),\n" in text and "other.f(x, rate=float(k))" in text
    assert "f(*args)" in text and "def unrelated(x): return x" in text


@pytest.mark.parametrize(("form", "before", "after"), [
    ("float({})", "1", "1.0"),
    ("float({})", "-2", "-2.0"),
    ("float({})", "0.5", "0.5"),
    ("float({})", "True", "1.0"),
    ("float({})", "9007199254740993", "float(9007199254740993)"),
    ("int({})", "True", "1"),
    ("int({})", "0.5", "int(0.5)"),
    ("bool({})", "False", "False"),
    ("np.stack({})", "1", "np.stack(1)"),
])  # fmt: skip
def test_a_number_that_is_spelled_out_becomes_the_number_that_it_is_converted_to(
    tmp_path: Path, form: str, before: str, after: str
) -> None:
    program = f"import guardlift as gl\n@gl.jit\ndef f(rate):\n    return rate\nf({before})\nf(k)\n"
    text = edited(tmp_path, program, Remedy("pass", name="rate", form=form))
    assert text.endswith(f"f({after})\nf({form.format('k')})\n")


@pytest.mark.parametrize("value", ["[1]", "None", "'fast'", "{}"])
def test_a_value_that_is_spelled_out_and_no_number_is_made_none(tmp_path: Path, value: str) -> None:
    program = f"import guardlift as gl\n@gl.jit\ndef f(rate):\n    return rate\nf(1)\nf({value})\n"
    assert edited(tmp_path, program, Remedy("pass", name="rate", form="float({})")) == ""


ITEMS = """\
import guardlift as gl
config = {"lr": 1, "name": "a"}

@gl.jit
def f(x, options):
    return x * config["lr"] * options["rate"]

own = dict(rate=2)
f(3, {"rate": 1, "steps": 3}); f(3, own)
own["rate"] = k
config["lr"] = 3
config["lr"] *= 2
config["name"] = "lr" if "lr" in config else "b"
"""


def test_an_item_of_a_dict_is_edited_where_it_is_set(tmp_path: Path) -> None:
    text = edited(tmp_path, ITEMS, Remedy("assign", name="config['lr']", form="float({})"))
    changed = [line for line in text.splitlines() if line not in ITEMS.splitlines()]
    assert changed == ['config = {"lr": 1.0, "name": "a"}', 'config["lr"] = 3.0']
    text = edited(tmp_path, ITEMS, Remedy("assign", name="options['rate']", form="float({})"))
    changed = [line for line in text.splitlines() if line not in ITEMS.splitlines()]
    assert changed == [
        "own = dict(rate=2.0)", 'f(3, {"rate": 1.0, "steps": 3}); f(3, own)', 'own["rate"] = float(k)'
    ]  # fmt: skip


@pytest.mark.parametrize("more", ["print(config)", "print(config['lr'])", "config.update(lr=2)", "config['lr'] = None"])
def test_an_item_that_others_may_see_or_that_is_no_number_is_left_alone(tmp_path: Path, more: str) -> None:
    assert edited(tmp_path, f"{ITEMS}{more}\n", Remedy("assign", name="config['lr']", form="float({})")) == ""


def test_a_method_is_called_on_an_expression_in_parentheses(tmp_path: Path) -> None:
    program = "import guardlift as gl\n@gl.jit\ndef f(x):\n    return x\nf(a + b)\nf(a[0])\n"
    text = edited(tmp_path, program, Remedy("pass x.astype(np.float64)", name="x", form="{}.astype(np.float64)"))
    assert text.endswith("f((a + b).astype(np.float64))\nf(a[0].astype(np.float64))\n")


@pytest.mark.parametrize(("before", "after"), [
    ("@gl.jit\n", "@gl.jit(dynamic=True)\n"),
    ("@gl.jit()\n", "@gl.jit(dynamic=True)\n"),
    ("@gl.jit(fullgraph=True)\n", "@gl.jit(fullgraph=True, dynamic=True)\n"),
])  # fmt: skip
def test_an_option_is_given_to_the_decorator(tmp_path: Path, before: str, after: str) -> None:
    remedy = Remedy("gl.jit(dynamic=True)", option="dynamic=True")
    assert after in edited(tmp_path, PROGRAM.replace("@gl.jit\n", before), remedy)


def test_where_one_part_cannot_be_placed_nothing_is_edited(tmp_path: Path) -> None:
    remedies = Remedy("pass float(rate)", name="rate", form="float({})"), Remedy("assign", name="GONE", form="int({})")
    assert edited(tmp_path, PROGRAM, *remedies) == ""
    assert placed(remedies, "f", (str(tmp_path / "no such file.py"), 1), []) == ()


def test_an_edit_that_python_does_not_accept_is_none(tmp_path: Path) -> None:
    assert edited(tmp_path, PROGRAM, Remedy("pass rate)", name="rate", form="{})")) == ""


def test_an_edit_of_another_text_is_refused() -> None:
    assert applied("a = 1\nb = 2", [Edit("p.py", 2, "2", "3")]) == "a = 1\nb = 3"
    with pytest.raises(EditError, match=r"p.py:1 does not hold 'b', which the edit replaces: 'a = 1'"):
        applied("a = 1", [Edit("p.py", 1, "b", "c")])
    with pytest.raises(EditError, match="p.py:9 does not hold"):
        applied("a = 1", [Edit("p.py", 9, "a", "c")])
