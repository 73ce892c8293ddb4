"""Items of dicts: where a file sets them, and who else may see them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from guardlift.guards.advice.calls_in_file import definition_at
from guardlift.guards.advice.items import UNSEEN, ItemPath, item_path, item_uses, item_uses_in_file

PROGRAM = """\
config = {"lr": 1}
def f(x, options):
    return x * config["lr"] + np.exp(options["lr"])
"""


CONFIG = ItemPath("config", "lr")


def uses(more: str, path: ItemPath = CONFIG, other: str = "") -> tuple[set[str], list[str]]:
    """The kinds of uses, and the values, that the program and these lines have; or another file."""
    home = ast.parse(PROGRAM + more)
    definition = definition_at(home, "f", 2)
    assert definition is not None
    found = item_uses(home, definition, path, ast.parse(other) if other else None)
    return {each.kind for each in found if each.kind}, [ast.unparse(each.value) for each in found if each.value]


@pytest.mark.parametrize(("text", "path"), [
    ("config['lr']", ItemPath("config", "lr")),
    ("self.config['lr']", ItemPath(".config", "lr")),
    ("a.b.c[0]", ItemPath(".c", 0)),
    ("config", None), ("config[name]", None), ("a[0]['lr']", None), ("f().c[0]", None), ("a[True]", None),
    ("a b", None),
])  # fmt: skip
def test_an_item_under_a_constant_key_is_a_path(text: str, path: ItemPath | None) -> None:
    assert item_path(text) == path


def test_values_are_found_where_the_dict_is_spelled_out_and_where_it_is_written() -> None:
    assert uses("config['lr'] = 0.5\nconfig['lr'] *= 2\nconfig['other'] = 3\nconfig: dict = dict(lr=k, b=1)\n") == (
        {"arithmetic"}, ["1", "k", "0.5"]
    )  # fmt: skip
    assert uses("'lr' in config\n")[0] == {"arithmetic"}


@pytest.mark.parametrize(("more", "kind"), [
    ("print(config['lr'])", "elsewhere"), ("y = config['lr'] * 2", "elsewhere"),
    ("print(config)", UNSEEN), ("config.update(lr=2)", UNSEEN), ("alias = config", UNSEEN), ("config[name]", UNSEEN),
    ("del config['lr']", UNSEEN), ("config |= {}", UNSEEN), ("config['lr'] //= 2", UNSEEN), ("config = make()", UNSEEN),
    ("config = {**others}", UNSEEN), ("for config in configs: pass", UNSEEN), ("def g(config): pass", UNSEEN),
    ("from settings import config", UNSEEN), ("a, config['lr'] = 1, 2", UNSEEN), ("f(3, config)", UNSEEN),
])  # fmt: skip
def test_what_others_may_see_is_told(more: str, kind: str) -> None:
    assert uses(more)[0] == {"arithmetic", kind}


def test_a_dict_that_is_passed_is_followed_to_where_it_is_made() -> None:
    path = ItemPath("options", "lr")
    assert uses("own = {'lr': 2}\nf(1, own)\nf(1, options={'lr': 3})\nown['lr'] = 4\n", path) == (
        {"numpy"}, ["3", "2", "4"]
    )  # fmt: skip
    assert uses("f(1, make())\n", path)[0] == uses("f(*all)\n", path)[0] == {"numpy", UNSEEN}
    assert uses("own = {'lr': 2}\nf(1, own)\nprint(own)\n", path)[0] == {"numpy", UNSEEN}
    assert uses("", path, "f(1, {'lr': 3})\noptions = 2\n") == (set(), ["3"])


def test_another_file_knows_a_variable_as_an_attribute_too() -> None:
    assert uses("", other="program.config['lr'] = 3\n") == (set(), ["3"])
    assert uses("", other="print(program.config)\n")[0] == {UNSEEN}


def test_a_variable_of_a_class_is_an_attribute() -> None:
    text = "class Model:\n    options = {'lr': 1}\noptions = {'lr': 2}\nmodel.options['lr'] = 3\n"
    assert uses(text, ItemPath(".options", "lr")) == (set(), ["1", "3"])
    assert uses("class Model:\n    options = config\n")[0] == {"arithmetic", UNSEEN}


config = {"lr": 1}


def reads(x: Any) -> Any:
    return x * config["lr"]


def test_the_kinds_of_a_file_are_those_of_all_its_uses(tmp_path: Path) -> None:
    assert item_uses_in_file(reads.__code__, ItemPath("config", "lr")) == {"arithmetic"}
    assert item_uses_in_file(reads.__code__, ItemPath("config", "other")) == {UNSEEN}
    assert item_uses_in_file(compile("1", "<no such file>", "eval"), ItemPath("config", "lr")) is None
