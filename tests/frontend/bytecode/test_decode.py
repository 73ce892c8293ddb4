from __future__ import annotations

from guardlift.frontend.bytecode.decode import decode


def test_equal_code_of_two_files_is_told_apart() -> None:
    source = "def f(x):\n    return lambda: x + 1\n"
    first, second = (compile(source, name, "exec").co_consts[0] for name in ("first.py", "second.py"))
    assert first == second
    assert decode(first).raw.co_filename == "first.py"
    assert decode(second).raw.co_filename == "second.py"
