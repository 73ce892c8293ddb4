"""Packages whose names are imported when they are asked for: the names are there, and nothing else is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import guardlift as gl
from guardlift.core.lazy_names import _imports, import_name, is_lazy

PACKAGES = ("amp", "func", "nn", "nn.functional", "nn.utils", "optim", "optim.lr_scheduler")


def said(code: str, folder: Path) -> object:
    """The text that a fresh interpreter prints, through JSON."""
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=folder, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_that_of_the_module_that_defines_it(name: str) -> None:
    package = import_module(f"guardlift.{name}")
    assert is_lazy(vars(package))
    for each in package.__all__:
        value = getattr(package, each)
        assert vars(package)[each] is value, each
        assert value.__name__.rpartition(".")[2] == each
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PACKAGES)
def test_a_star_brings_all_names(name: str, tmp_path: Path) -> None:
    code = (
        f"import json, guardlift.{name} as p\nfrom guardlift.{name} import *\n"
        "print(json.dumps(sorted(set(p.__all__) - set(globals()))))"
    )
    assert said(code, tmp_path) == []


def test_a_name_brings_its_own_module_alone(tmp_path: Path) -> None:
    code = (
        "import json, sys, guardlift as gl\ngl.optim.SGD\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('guardlift.optim.algorithms.')]))"
    )
    assert said(code, tmp_path) == ["guardlift.optim.algorithms.sgd"]


def test_a_module_of_the_package_is_a_name_of_it(tmp_path: Path) -> None:
    code = "import json, guardlift as gl\nprint(json.dumps(gl.nn.module.Module is gl.nn.Module))"
    assert said(code, tmp_path) is True


def test_other_imports_in_the_file_are_passed_over() -> None:
    # such as pytest puts into the modules of plugins
    text = "import builtins as one\nimport os.path as two\nfrom .inner import here, there as name\nfrom .. import up\n"
    found = [(".inner", "here", "here"), (".inner", "there", "name"), ("..", "up", "up")]
    assert list(_imports(compile(text, "package", "exec"))) == found


def test_a_name_that_is_not_there_is_told_in_pythons_words() -> None:
    with pytest.raises(AttributeError, match="^module 'guardlift.nn' has no attribute 'Lineer'$"):
        gl.nn.Lineer  # noqa: B018
    assert not hasattr(gl.nn.functional, "__path_of_nobody__")


def test_only_a_lazy_package_is_asked_for_a_name() -> None:
    table = dict(vars(gl.nn))
    assert not is_lazy(table) and not is_lazy(vars(sys)) and not is_lazy({"__name__": 3})
    import_name(table, "no_such_name")
    import_name(vars(sys), "no_such_name")
    assert "no_such_name" not in vars(sys) and "no_such_name" not in table


COMPILED = """
import json, sys
import numpy as np
import guardlift as gl

F = gl.nn.functional
x = gl.tensor(np.ones(3, np.float32))

@gl.jit(fullgraph=True)
def f(x):
    return F.relu(x) + gl.nn.functional.mse_loss(x, x), hasattr(F, "gelu"), hasattr(F, "lineer"), hasattr(gl, "zz")

@gl.jit(fullgraph=True)
def g(x):
    try:
        return F.lineer(x)
    except AttributeError as error:
        return str(error)

@gl.jit(fullgraph=True)
def h(x):
    return gl.func.vmap(lambda each: each * 2)(x)

found = f(x)
print(json.dumps([found[0].tolist(), *found[1:], g(x), h(x).tolist()]))
"""


@pytest.mark.slow
def test_compiled_code_may_be_the_first_to_ask_for_a_name(tmp_path: Path) -> None:
    missing = "module 'guardlift.nn.functional' has no attribute 'lineer'"
    path = tmp_path / "program.py"
    path.write_text(COMPILED)
    done = subprocess.run([sys.executable, "-P", str(path)], cwd=tmp_path, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[1.0] * 3, True, False, False, missing, [2.0] * 3]
