import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from guardlift.backend.cpu.compiler import kernels
from guardlift.backend.cpu.compiler.fingerprint import CODE_FOLDERS, code_fingerprint
from guardlift.core.errors import KernelError


def text_returning(value):
    return f"def kernel(addresses, sizes, start, stop):\n    return {value}\n"


@pytest.fixture(autouse=True)
def fresh_memory():
    kernels.forget()
    yield
    kernels.forget()


def counts():
    return kernels.statistics.compiled, kernels.statistics.loaded


def since(before):
    return tuple(now - then for now, then in zip(counts(), before, strict=True))


def test_a_kernel_comes_from_the_compiler_then_memory_then_disk(tmp_path):
    before = counts()
    first = kernels.get_kernel(text_returning(1), tmp_path / "k")
    assert since(before) == (1, 0)
    assert kernels.get_kernel(text_returning(1), tmp_path / "k") is first
    assert since(before) == (1, 0)
    kernels.forget()
    again = kernels.get_kernel(text_returning(1), tmp_path / "k")
    assert since(before) == (1, 1)
    assert again.source == first.source == text_returning(1)


def test_concurrent_requests_compile_once(tmp_path):
    before = counts()
    barrier, found = threading.Barrier(4), []

    def request():
        barrier.wait()
        found.append(kernels.get_kernel(text_returning(2), tmp_path / "k"))

    threads = [threading.Thread(target=request) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert since(before) == (1, 0)
    assert len(set(map(id, found))) == 1


def test_every_damage_to_the_file_leads_to_compiling_again(tmp_path):
    folder = tmp_path / "k"
    kernels.get_kernel(text_returning(3), folder)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for content in (b"", whole[:100], b"foreign" * 100, whole[:-1] + bytes([whole[-1] ^ 255])):
        path.write_bytes(content)
        kernels.forget()
        before = counts()
        kernels.get_kernel(text_returning(3), folder)
        assert since(before) == (1, 0)
        assert path.read_bytes()[:8] == whole[:8]  # and stored anew


def test_a_whole_file_with_a_payload_that_is_no_kernel_is_compiled_again(tmp_path):
    folder = tmp_path / "k"
    kernels.get_kernel(text_returning(4), folder)
    (path,) = folder.iterdir()
    kernels.store(folder).write(path.stem, b"not a kernel")
    kernels.forget()
    before = counts()
    kernels.get_kernel(text_returning(4), folder)
    assert since(before) == (1, 0)


def test_without_a_usable_folder_kernels_live_in_memory(tmp_path):
    (tmp_path / "k").write_text("in the way")
    before = counts()
    kernel = kernels.get_kernel(text_returning(5), tmp_path / "k")
    assert kernels.get_kernel(text_returning(5), tmp_path / "k") is kernel
    assert since(before) == (1, 0)


def test_a_text_that_fails_is_tried_again_and_fails_again(tmp_path):
    for _ in range(2):
        with pytest.raises(KernelError):
            kernels.get_kernel("def kernel(a, b, c, d):\n    return nowhere\n", tmp_path / "k")


def test_the_fingerprint_follows_numba_settings(monkeypatch):
    plain = code_fingerprint()
    code_fingerprint.cache_clear()
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert code_fingerprint() != plain
    monkeypatch.undo()
    code_fingerprint.cache_clear()
    assert code_fingerprint() == plain


WARM = """
import sys
from pathlib import Path
from guardlift.backend.cpu.compiler.kernels import get_kernel, statistics
from guardlift.backend.cpu.plan.plan import FreshOutput, KernelStep, LaunchPlan, build
import numpy as np
folder = Path(sys.argv[1])
kernel = get_kernel('''def kernel(addresses, sizes, start, stop):
    out = pointer_f64(addresses[0])
    for i in range(start, stop):
        out[i] = float64(i)
    return 0
''', folder)
plan = LaunchPlan(outputs=(FreshOutput(np.dtype("f8"), (4,), (8,)),), steps=(KernelStep(kernel, ((0, 0),), (), 4),))
assert build(plan)().tolist() == [0.0, 1.0, 2.0, 3.0]
emits = "guardlift.backend.llvm.text_emitter" in sys.modules
print(statistics.compiled, statistics.loaded, "numba" in sys.modules, emits)
"""


@pytest.mark.slow
def test_no_process_imports_numba_and_one_that_finds_all_on_disk_emits_nothing(tmp_path):
    def process():
        environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path / "k"), "GUARDLIFT_KERNEL_COMPILER": "llvm"}
        command = [sys.executable, "-c", WARM, str(tmp_path / "k")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert process() == ["2", "0", "False", "True"]
    assert process() == ["0", "2", "False", "False"]


def test_importing_the_runtime_imports_neither_numba_nor_llvmlite():
    code = (
        "import sys, guardlift.backend.cpu.plan.plan, guardlift.backend.cpu.plan.builtin\n"
        "import guardlift.backend.cpu.compiler.kernels\n"
        "assert not {'numba', 'llvmlite'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


COMPILE = """
import sys
from guardlift.backend.cpu.compiler.compiler import compile_source
from guardlift.backend.math.table import TABLE
from guardlift.backend.cpu.runner.runner import launch
import guardlift.backend.cpu.plan.plan
name = next(name for name, function in sorted(TABLE.items()) if list(function.operands) == ["f64"])
compile_source(f'''def kernel(addresses, sizes, start, stop):
    x = pointer_f64(addresses[0])
    x[0] = float64({name}(x[0]))
    return 0
''')
print(*(module.__file__ for name, module in sys.modules.items() if name.startswith("guardlift.backend.")))
"""


def test_the_fingerprint_covers_every_module_that_compiling_loads():
    done = subprocess.run([sys.executable, "-c", COMPILE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    files = [Path(name).resolve() for name in done.stdout.split()]
    assert "exponential.py" in {file.name for file in files}
    folders = [folder.resolve() for folder in CODE_FOLDERS]
    stray = [file for file in files if not any(file.is_relative_to(folder) for folder in folders)]
    loaded_with_the_package = {"plugins", "artifacts", "disk_cache", "platform_support.py"}  # which make no code
    others = [file.name for file in stray if loaded_with_the_package.isdisjoint((file.parent.name, file.name))]
    assert others == []
