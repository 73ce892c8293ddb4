"""The figures of kernels that are kept in `ptx_figures.txt`: what they are, how they are compared, and which are stale.

Each line ends in a digest of the kernel's text: figures of another text say nothing of the one that there is now.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

FIGURES = Path(__file__).with_name("ptx_figures.txt")
MORE_REGISTERS, MORE_EXECUTED = 2, 1.03
"""Registers that a kernel may take beyond its figure, and times the instructions and accesses that it may execute."""
COLUMNS = "registers, accesses of 16 bytes, blocks, instructions and accesses for an element, digest of the text"


@dataclass(frozen=True)
class Figures:
    """The figures of a kernel: registers, accesses of 16 bytes, blocks, what `ptx_counts` counted for an element, if it
    did, and a digest of its text."""

    registers: int
    wide: int
    blocks: int
    instructions: float | None
    accesses: float | None
    text: str

    def line(self, label: str) -> str:
        """The line of the file."""
        counts = ("-" if each is None else f"{each:.3g}" for each in (self.instructions, self.accesses))
        return " ".join([label, str(self.registers), str(self.wide), str(self.blocks), *counts, self.text])

    def worse(self, kept: Figures) -> list[str]:
        """Tells what is worse than the figures that are kept."""
        found = []
        if self.registers > kept.registers + MORE_REGISTERS:
            found.append(f"takes {self.registers} registers, and took {kept.registers}")
        if self.wide < kept.wide:
            found.append(f"has {self.wide} accesses of 16 bytes, and had {kept.wide}")
        if self.blocks != kept.blocks:
            found.append(f"is launched with {self.blocks} blocks, and was with {kept.blocks}")
        for word in ("instructions", "accesses"):
            now, before = getattr(self, word), getattr(kept, word)
            if None not in (now, before) and now > before * MORE_EXECUTED:
                found.append(f"executes {now:.3g} {word} for an element, and executed {before:.3g}")
        return found


def digest_of(text: str) -> str:
    """The digest of a kernel's text."""
    return blake2b(text.encode(), digest_size=4).hexdigest()


def assembler() -> str:
    """The release of the ptxas that is there."""
    said = subprocess.run(["ptxas", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"release ([\d.]+)", said)
    return found[1] if found else "unknown"


def kept_figures(release: str | None = None) -> dict[str, Figures]:
    """The figures by kernel; none where they are not of that release of ptxas, if one is asked for."""
    first, *lines = FIGURES.read_text().splitlines() if FIGURES.exists() else [""]
    if release is not None and first != f"ptxas {release}: {COLUMNS}":
        return {}
    found = {}
    for line in lines:
        name, registers, wide, blocks, *counts, text = line.rsplit(maxsplit=6)
        numbers = [None if each == "-" else float(each) for each in counts]
        found[name] = Figures(int(registers), int(wide), int(blocks), numbers[0], numbers[1], text)
    return found


def write_figures(release: str, found: Mapping[str, Figures]) -> None:
    """Writes the file anew."""
    lines = [f"ptxas {release}: {COLUMNS}", *(figures.line(label) for label, figures in found.items())]
    FIGURES.write_text("\n".join(lines) + "\n")


def stale_figures(texts: Mapping[str, str], kept: Mapping[str, Figures]) -> list[str]:
    """The kernels whose figures are missing, or are of another text than these, or of a kernel that is no more."""
    changed = [label for label, text in texts.items() if label not in kept or kept[label].text != digest_of(text)]
    return changed + [label for label in kept if label not in texts]
