"""Compares docs/behaviours.md with the behaviours that tests name: `make spec`.

A row of that page is `| S7.03 | what holds | now |`. A test names what it shows with `@pytest.mark.spec("S7.03")`, on a
function, on a class, or as `pytestmark` of its module. Both are read as text; nothing is imported or run.
Errors: exit code 1 when a row that holds now, or in part, has no test, when a test names an id that the page does not
have, or the page has an id twice.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "behaviours.md"
ROW = re.compile(r"^\|\s*(S\d+\.\d+[a-z]?)\s*\|\s*(.+?)\s*\|\s*(now|part|later)\s*\|\s*$")
LIKE_A_ROW = re.compile(r"^\|\s*S\d")


class PageError(ValueError):
    """A row of the page cannot be read, or an id stands there twice."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One row of the page: its id, our words for it, and whether it holds now, in part, or later."""

    id: str
    text: str
    status: str


def behaviours(page: str) -> dict[str, Behaviour]:
    """The rows of the page by id, in their order. Errors: PageError with the number of the line."""
    found: dict[str, Behaviour] = {}
    for number, line in enumerate(page.splitlines(), 1):
        match = ROW.match(line)
        if match is None:
            if LIKE_A_ROW.match(line):
                raise PageError(f"line {number} is not `| id | what holds | now, part or later |`: {line}")
            continue
        if match[1] in found:
            raise PageError(f"line {number}: {match[1]} stands there twice")
        found[match[1]] = Behaviour(*match.groups())
    return found


def marks(node: ast.AST) -> Iterator[str]:
    """The ids of every `pytest.mark.spec(...)` call below `node`; a module may call the mark `spec`."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and _is_mark(call.func):
            for argument in call.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise PageError(f"line {call.lineno}: spec() takes ids as plain strings")
                yield argument.value


def _is_mark(function: ast.expr) -> bool:
    """`pytest.mark.spec`, or a module's own name for it: `spec = pytest.mark.spec`."""
    return getattr(function, "attr", getattr(function, "id", "")) == "spec"


def marked(source: str, place: str) -> Iterator[tuple[str, str]]:
    """(id, test) for every behaviour that a test file names; a mark on a class or module is credited to that."""
    for node in ast.parse(source, place).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from ((id, f"{place}::{node.name}") for id in marks(node))
        elif isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "pytestmark" for target in node.targets):
            yield from ((id, place) for id in marks(node))


def tests_by_id(folder: Path) -> dict[str, list[str]]:
    """The tests below `folder` that name each id."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        place = f"{folder.name}/{file.relative_to(folder).as_posix()}"
        for id, test in marked(file.read_text(encoding="utf-8"), place):
            found.setdefault(id, []).append(test)
    return found


def report(specified: dict[str, Behaviour], tested: dict[str, list[str]]) -> tuple[str, list[str]]:
    """The printed comparison, and the ids at fault: those without a test, and those that the page does not have."""
    due = [id for id, behaviour in specified.items() if behaviour.status != "later"]
    later = [id for id in specified if id not in due]
    unspecified = sorted(set(tested) - set(specified))
    sections = {
        "covered": [id for id in due if id in tested],
        "specified but untested": [id for id in due if id not in tested],
        "for later": [id for id in later if id not in tested],
        "for later, yet tested: set its status": [id for id in later if id in tested],
        "tested but unspecified": unspecified,
    }
    lines = []
    for title, ids in sections.items():
        lines.append(f"{title}: {len(ids)}")
        for id in ids:
            words = specified[id].text if id in specified else "not in docs/behaviours.md"
            status = " (in part)" if id in specified and specified[id].status == "part" else ""
            lines.append(f"  {id}{status}  {words if len(words) < 90 else words[:87] + '...'}")
            lines.extend(f"         {test}" for test in tested.get(id, ()))
    return "\n".join(lines), [*sections["specified but untested"], *unspecified]


def main() -> int:
    """Prints the comparison; 1 when a row has no test, a test names an unknown id, or a row cannot be read."""
    try:
        text, faults = report(behaviours(PAGE.read_text(encoding="utf-8")), tests_by_id(TESTS))
    except PageError as error:
        print(f"docs/behaviours.md or a mark: {error}", file=sys.stderr)
        return 1
    print(text)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
