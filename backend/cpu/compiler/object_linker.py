"""Object files of kernels linked into this process without LLVM, which takes longer to import than a kernel to run."""

# Note [Objects that are linked here]
# A process that finds its kernels on disk would import LLVM only to link them: a tenth of what such a process takes.
# What kernels need of a linker is little: code and constants, distances between them, and jumps to C functions. That
# is done here, for x86-64 and ELF. Any other machine, kind of section or relocation is left to LLVM's linker, and so is
# a file that is no whole object: LLVM says what is wrong. Code stays until the process ends, since threads may run it
# while the interpreter exits.

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Mapping

from .elf import SHN_UNDEF, SHT_SYMTAB, SYMBOL, sections_of, string_at

# Source: System V ABI, chapter 4, and its supplement for AMD64, chapter 4.
_BEGINNING = b"\x7fELF\x02\x01"
_KIND = struct.Struct("<HH")
_RELOCATABLE_AMD64 = (1, 62)
_RELOCATION = struct.Struct("<QIIq")
_PROGBITS, _RELA, _UNWIND = 1, 4, 0x70000001
_ALLOC, _EXECINSTR, _MERGE, _STRINGS = 2, 4, 0x10, 0x20
_KNOWN_FLAGS = _ALLOC | _EXECINSTR | _MERGE | _STRINGS
_PC32, _PLT32 = 2, 4
_JUMP = b"\xff\x25\x00\x00\x00\x00"
"""`jmp *0(%rip)`, to the address in the eight bytes behind it."""
_JUMP_BYTES = 16
_MAP_FAILED = ctypes.c_void_p(-1).value


def linked(code: bytes, symbol: str, functions: Mapping[str, int]) -> int | None:
    """The address of `symbol` of an object file, which is in memory from now on; None where it is left to LLVM.

    functions: addresses of the C functions that it calls. See Note [Objects that are linked here].
    """
    try:
        image, start = _image(code, symbol, functions)
        return _executable(bytes(image)) + start
    except (_Unknown, OSError, KeyError, IndexError, ValueError, struct.error):
        return None


class _Unknown(Exception):
    """Something that this linker does not know."""


def _image(code: bytes, symbol: str, functions: Mapping[str, int]) -> tuple[bytearray, int]:
    """An object file as it lies in memory, wherever that is, and how far `symbol` is from its beginning."""
    if code[:6] != _BEGINNING or _KIND.unpack_from(code, 16) != _RELOCATABLE_AMD64:
        raise _Unknown
    sections = sections_of(code)
    image, places = bytearray(), dict[int, int]()
    for k, (_, kind, flags, _, offset, size, _, _, alignment, _) in enumerate(sections):
        if kind == _UNWIND or not flags & _ALLOC:  # nothing unwinds a kernel
            continue
        if kind != _PROGBITS or flags & ~_KNOWN_FLAGS or alignment > mmap.PAGESIZE or offset + size > len(code):
            raise _Unknown
        image.extend(bytes(-len(image) % max(alignment, 1)))
        places[k] = len(image)
        image.extend(code[offset : offset + size])
    names, symbols = _symbols(code, sections, places)
    jumps: dict[str, int] = {}
    for _, kind, _, _, offset, size, _, target, _, _ in sections:
        if kind != _RELA or target not in places:
            continue
        for at in range(offset, offset + size, _RELOCATION.size):
            distance, form, index, addend = _RELOCATION.unpack_from(code, at)
            name, place = names[index], symbols[index]
            if form not in (_PC32, _PLT32) or (place is None and form != _PLT32):
                raise _Unknown
            if place is None:
                if name not in jumps:
                    image.extend(bytes(-len(image) % _JUMP_BYTES))
                    jumps[name] = len(image)
                    image.extend(_JUMP + functions[name].to_bytes(8, "little"))
                place = jumps[name]
            here = places[target] + distance
            if distance + 4 > sections[target][5]:
                raise _Unknown
            image[here : here + 4] = (place + addend - here).to_bytes(4, "little", signed=True)
    found = symbols[names.index(symbol)]
    if found is None:
        raise _Unknown
    return image, found


def _symbols(
    code: bytes, sections: list[tuple[int, ...]], places: Mapping[int, int]
) -> tuple[list[str], list[int | None]]:
    """The names of all symbols, and where each lies in memory; None for one that another file has."""
    names, found = list[str](), list[int | None]()
    for _, kind, _, _, offset, size, link, _, _, _ in sections:
        if kind == SHT_SYMTAB:
            for at in range(offset, offset + size, SYMBOL.size):
                name, _, _, section, value, _ = SYMBOL.unpack_from(code, at)
                names.append(string_at(code, sections[link][4] + name))
                found.append(places[section] + value if section in places else None)
                if section not in places and section != SHN_UNDEF:
                    names[-1] = ""  # of a file, or of a section that is not loaded: nothing may refer to it
    return names, found


def _executable(image: bytes) -> int:
    """The address of a copy of these bytes that may be run and not be written to. Errors: OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
    library.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    address = library.mmap(None, len(image), mmap.PROT_READ | mmap.PROT_WRITE, private, -1, 0)
    if address in (None, _MAP_FAILED):
        raise OSError(ctypes.get_errno(), "no memory for a kernel")
    ctypes.memmove(address, image, len(image))
    if library.mprotect(address, len(image), mmap.PROT_READ | mmap.PROT_EXEC):
        error = ctypes.get_errno()
        library.munmap(ctypes.c_void_p(address), ctypes.c_size_t(len(image)))
        raise OSError(error, "memory may not be made executable")
    return int(address)
