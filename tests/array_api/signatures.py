"""Writes signatures.json: the names and parameters of the array API standard 2025.12, as `array_api_strict` has them.

Run it with that package: `python tests/array_api/signatures.py`. Its `Undef` stands for a default that is None.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("signatures.json")
VERSION = "2025.12"
NOT_OF_THE_STANDARD = {
    *("ArrayAPIStrictFlags", "Device", "ModuleType"),
    *(f"{verb}_array_api_strict_flags" for verb in ("get", "set", "reset")),
}
COMPLEX_ALONE = ("eig", "eigvals")
"""Functions of `linalg` that the strict implementation has and does not list."""


def parameters(function: Any) -> list[list[Any]]:
    """Each parameter: its name, its kind, and its default where it has one."""
    found = []
    for each in inspect.signature(function).parameters.values():
        default = [] if each.default is inspect.Parameter.empty else [plain(each.default)]
        found.append([each.name, each.kind.name, *default])
    return found


def plain(default: Any) -> Any:
    return None if type(default).__name__ == "Undef" else default


def facts(namespace: Any, prefix: str, names: list[str]) -> dict[str, Any]:
    """The parameters of each function, and None for what is none."""
    found: dict[str, Any] = {}
    for name in names:
        value = getattr(namespace, name)
        if name not in NOT_OF_THE_STANDARD and not inspect.ismodule(value):
            found[prefix + name] = parameters(value) if inspect.isfunction(value) else None
    return found


def main() -> None:
    import array_api_strict as strict

    strict.set_array_api_strict_flags(api_version=VERSION)
    public = [each for each in dir(strict) if not each.startswith("_")] + ["__array_namespace_info__"]
    found = facts(strict, "", public)
    found |= facts(strict.linalg, "linalg.", [*strict.linalg.__all__, *COMPLEX_ALONE])
    found |= facts(strict.fft, "fft.", list(strict.fft.__all__))
    lines = [f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
