"""The symbols that an ELF object file leaves open: somebody else must define them."""

from __future__ import annotations

import struct

from ....core.errors import KernelError

# Elf64_Ehdr from e_shoff on, Elf64_Shdr, Elf64_Sym. Source: System V ABI, chapter 4.
_SECTION_TABLE = struct.Struct("<Q")
_SECTION_COUNTS = struct.Struct("<HHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
SHT_SYMTAB = 2
SHN_UNDEF = 0


def undefined_symbols(code: bytes) -> tuple[str, ...]:
    """Names of the undefined symbols of a 64-bit little-endian object file, sorted.

    Read from the object, not from the module before code generation: the code generator itself adds calls
    (memset, fmodf, half-precision conversions).
    Errors: KernelError when `code` is no such file.
    """
    if code[:6] != b"\x7fELF\x02\x01":
        raise KernelError(
            f"the compiler gave an object file that starts with {code[:6]!r}; expected 64-bit little-endian ELF. "
            "The native CPU back end runs on ELF platforms (Linux) only; GUARDLIFT_DISABLE=1 runs plain NumPy."
        )
    sections = sections_of(code)
    names: set[str] = set()
    for _, kind, _, _, offset, size, link, _, _, _ in sections:
        if kind != SHT_SYMTAB:
            continue
        strings = sections[link][4]
        for at in range(offset + SYMBOL.size, offset + size, SYMBOL.size):  # entry 0 is the null symbol
            name, _, _, section, _, _ = SYMBOL.unpack_from(code, at)
            if section == SHN_UNDEF:
                names.add(string_at(code, strings + name))
    return tuple(sorted(names))


def sections_of(code: bytes) -> list[tuple[int, ...]]:
    """The section headers of such a file, with their fields in the ABI's order."""
    (offset,) = _SECTION_TABLE.unpack_from(code, 0x28)
    entry_size, count, _ = _SECTION_COUNTS.unpack_from(code, 0x3A)
    return [_SECTION.unpack_from(code, offset + index * entry_size) for index in range(count)]


def string_at(code: bytes, start: int) -> str:
    """The string that begins there."""
    return code[start : code.index(b"\0", start)].decode()
