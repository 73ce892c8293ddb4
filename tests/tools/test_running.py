"""The words of a command line: our options, the program, and what is the program's."""

from __future__ import annotations

import pytest

from guardlift.tools.running import RunProgram, missing, split_arguments


@pytest.mark.parametrize(
    ("words", "own", "program"),
    [
        ("s.py", [], RunProgram("s.py")),
        ("--github s.py --github", ["--github"], RunProgram("s.py", ("--github",))),
        ("-m pkg.mod -q", [], RunProgram("pkg.mod", ("-q",), module=True)),
        ("--max-breaks 3 -m mod", ["--max-breaks", "3"], RunProgram("mod", module=True)),
        ("--json s.py a.json", ["--json=-"], RunProgram("s.py", ("a.json",))),
        ("--json out.json s.py", ["--json=out.json"], RunProgram("s.py")),
        ("--json - s.py", ["--json=-"], RunProgram("s.py")),
        ("--json --github s.py", ["--json=-", "--github"], RunProgram("s.py")),
        ("-- -odd.py x", [], RunProgram("-odd.py", ("x",))),
        ("--github", ["--github"], None),
        ("-m", [], None),
    ],
)
def test_the_first_plain_word_is_the_program(words, own, program) -> None:
    assert split_arguments(words.split(), ("--max-breaks",)) == (own, program)


def test_a_module_is_looked_for_without_importing_it(tmp_path, monkeypatch) -> None:
    package = tmp_path / "loud_package"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('imported')\n")
    (package / "part.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert missing(RunProgram("loud_package.part", module=True)) == ""
    assert "no __main__.py" in missing(RunProgram("loud_package", module=True))
    assert missing(RunProgram("loud_package.other", module=True)) == "there is no module named loud_package.other"
    (package / "__main__.py").write_text("")
    assert missing(RunProgram("loud_package", module=True)) == missing(RunProgram("loud_package")) == ""
