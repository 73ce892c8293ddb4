"""Packs what `make gpu` needs where there is no compiler of kernels and no network: the code of kernels, and packages.

Runs on the stand-in for the driver what will be run on the GPU, takes the PTX of every kernel that was asked for, and
assembles it for its compute capability. Words choose what runs: `forms`, `bench` and `suite`, then what they take.
On the other machine the same commit has to be checked out, and NumPy, llvmlite and pytest have to be there.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # -P leaves this folder out

from checkout import KERNELS, PACKAGES, ROOT, surroundings  # noqa: E402
from suite import chosen  # noqa: E402

STEPS = {
    "forms": ([str(HERE / "forms.py"), "--once"], {}),
    "bench": ([str(HERE / "bench.py"), "--once"], {"STAND_IN_EMPTY": "1", "STAND_IN_MEMORY": str(130 << 30)}),
    "suite": (["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", ""], {}),
}
"""What runs, and options of the stand-in: at the sizes of `bench` its kernels do nothing."""
MOST_BYTES = 40_000_000
PACKED = ("bytecode",)
"""Packages that are small, and that a machine with a GPU may lack."""
_ENTRY = re.compile(rb"\.visible \.entry (\w+)\(")
_HEADING = b"// cubin of the stand-in\n"


def main() -> int:
    """Writes the pack; the exit status."""
    parser = argparse.ArgumentParser(prog="gpu-pack", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="step", help=f"{', '.join(STEPS)}; then words for these")
    parser.add_argument("--file", type=Path, default=ROOT / "build" / "gpu-pack.tar.xz")
    parser.add_argument("--tiny", action="store_true", help="sizes for a rehearsal")
    parser.add_argument("--stand-in", action="store_true", help="code for the stand-in itself, for a rehearsal")
    options = parser.parse_args()
    asked = [name for name in STEPS if name in options.names] or list(STEPS)
    words = [name for name in options.names if name not in STEPS]
    with tempfile.TemporaryDirectory() as scratch:
        seen, made = Path(scratch, "seen"), Path(scratch, "made")
        for name in asked:
            run(name, words, seen, options.tiny)
        assembler = os.environ.get("GUARDLIFT_PTXAS", "") if options.stand_in else ""
        count = assembled(seen, made, assembler)
        packages = fetched(Path(scratch, "packages"))
        write(options.file, made, packages)
    size = options.file.stat().st_size
    print(f"{count} kernels and {', '.join(packages and PACKED) or 'no package'}: {size / 1e6:.1f} MB")
    print(f"in a checkout of the same commit, on the machine with the GPU: tar xf {options.file.name} && make gpu")
    if size > MOST_BYTES:
        print(f"that is more than {MOST_BYTES / 1e6:.0f} MB")
    return int(count == 0 or size > MOST_BYTES)


def run(name: str, words: list[str], seen: Path, tiny: bool) -> None:
    """Runs a step on the stand-in, whose kernels are kept in the folder `seen`."""
    command, options = STEPS[name]
    rest = chosen(words, tiny) if name == "suite" else [*["--tiny"] * tiny, *words]
    given = {"GUARDLIFT_CACHE_DIR": str(seen), "GUARDLIFT_TEST_KERNELS": str(seen), "GUARDLIFT_ENTRY_CACHE": "0"}
    given |= {"STAND_IN_RACE": "0", "NUMBA_ENABLE_CUDASIM": "0", "GUARDLIFT_KERNEL_COMPILER": "llvm", **options}
    start = ["-P", *command] if name != "suite" else command
    done = subprocess.run([sys.executable, *start, *rest], cwd=ROOT, env=surroundings() | given)
    print(f"{name}: ended with status {done.returncode}; {len(list(seen.glob('*.cubin')))} kernels so far", flush=True)


def assembled(seen: Path, made: Path, assembler: str) -> int:
    """Assembles the kernels of a folder into another one; their number. Those that are refused are told."""
    from guardlift.backend.cuda.compiler.assembler import assemble
    from guardlift.backend.cuda.compiler.device_code import code_store, joined, key_of, parts
    from guardlift.core.config import config
    from guardlift.core.errors import KernelError

    kept, target = code_store(seen), code_store(made)

    def one(path: Path) -> bool:
        _, maker, image = parts(kept.read(path.stem) or b"")
        ptx = image.removeprefix(_HEADING)
        entry = _ENTRY.search(ptx)
        if entry is None:
            return False
        try:
            cubin = assemble(ptx.decode(), (9, 0))
        except KernelError as error:
            print(f"{entry[1].decode()}: {error}")
            return False
        payload = joined(maker, cubin, "cubin") if cubin is not None else joined(maker, ptx)
        return target.write(key_of(entry[1].decode(), (9, 0)), payload)

    with config.patch(ptxas=assembler), ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return sum(pool.map(one, sorted(seen.glob("*.cubin"))))


def fetched(folder: Path) -> Path | None:
    """The folder with the small packages; None where they cannot be had."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-deps", "--target"]
    done = subprocess.run([*command, str(folder), *PACKED], capture_output=True, text=True)
    if done.returncode:
        print(f"without {', '.join(PACKED)}: {(done.stderr.strip().splitlines() or [''])[-1]}")
        return None
    return folder


def write(file: Path, kernels: Path, packages: Path | None) -> None:
    """Writes the archive, whose members lie below the root of a checkout."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file, "w:xz") as archive:
        archive.add(kernels, KERNELS.relative_to(ROOT), filter=_of_nobody)
        if packages is not None:
            archive.add(packages, PACKAGES.relative_to(ROOT), filter=_of_nobody)


def _of_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """The member without a name of its owner; None for what Python compiled here."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return None if "__pycache__" in member.name else member


if __name__ == "__main__":
    sys.exit(main())
