"""Names in generated text: one that Python's grammar does not take as a variable is spelled by one that it takes.

Code objects may have variables of any name: pytest's rewritten assertions use ``@py_assert1``, and a syntax tree may
hold anything. Only text has to be grammatical, so the name itself is put back once the text is compiled.
"""

from __future__ import annotations

import functools
import keyword
import types
import unicodedata

_SPELLED = "_guardlift_name_"


@functools.lru_cache(maxsize=1024)
def name_text(name: str) -> str:
    """The identifier by which generated text reads or writes a variable or an attribute of this name."""
    if name.isidentifier() and not keyword.iskeyword(name) and name != "__debug__" and not name.startswith(_SPELLED):
        if name.isascii() or unicodedata.normalize("NFKC", name) == name:  # the parser takes only such as they are
            return name
    return _SPELLED + name.encode("utf-8", "surrogatepass").hex()


def compile_text(text: str, filename: str, mode: str) -> types.CodeType:
    """The code object of generated text, whose variables and attributes have the names that `name_text` spelled."""
    code: types.CodeType = compile(text, filename, mode)
    return _named(code) if _SPELLED in text else code


def _named(code: types.CodeType) -> types.CodeType:
    return code.replace(
        co_varnames=tuple(map(_name, code.co_varnames)),
        co_cellvars=tuple(map(_name, code.co_cellvars)),
        co_freevars=tuple(map(_name, code.co_freevars)),
        co_names=tuple(map(_name, code.co_names)),
        co_consts=tuple(_named(each) if isinstance(each, types.CodeType) else each for each in code.co_consts),
    )


def _name(spelled: str) -> str:
    if not spelled.startswith(_SPELLED):
        return spelled
    return bytes.fromhex(spelled.removeprefix(_SPELLED)).decode("utf-8", "surrogatepass")
