"""The command that makes the shipped IR: names as a reader wants them, and the sources that a program depends on."""

from __future__ import annotations

from guardlift.backend.cpu.compiler.fixed_programs import AGREE, LAUNCH
from guardlift.backend.cpu.compiler.ship_programs import readable, sources_of

MODULE = """@_ZN08NumbaEnv9guardlift3cutB2v1Ex = common local_unnamed_addr global ptr null
define internal i64 @_ZN9guardlift5steps3cutB2v1Ex(i64 %x) {
  ret i64 %x
}
define internal i64 @_ZN9guardlift5steps3cutB2v2Exx(i64 %x, i64 %y) {
  %1 = call i64 @_ZN9guardlift5steps3cutB2v1Ex(i64 %y)
  ret i64 %1
}
"""


def test_functions_have_their_own_names_and_what_nobody_reads_is_gone() -> None:
    assert readable(MODULE) == (
        "define internal i64 @cut(i64 %x) {\n  ret i64 %x\n}\n"
        "define internal i64 @cut.1(i64 %x, i64 %y) {\n  %1 = call i64 @cut(i64 %y)\n  ret i64 %1\n}\n"
    )


def test_a_program_depends_on_what_its_module_imports_and_on_the_compiler() -> None:
    sources = sources_of(LAUNCH)
    wanted = ["runner/runner.py", "runner/checks.py", "runner/steps.py", "runner/team.py", "plan/table_layout.py"]
    assert {f"backend/cpu/{each}" for each in [*wanted, "compiler/object_library.py"]} <= set(sources)
    assert "backend/cpu/runner/steps.py" not in sources_of(AGREE)
