"""The errors of files."""

from __future__ import annotations

import pickle

from ..core.errors import GuardliftError


class UnsavableError(GuardliftError, TypeError, pickle.PicklingError):
    """Something in an object cannot be held by a file; the text says where it is. No file was touched."""


class FileFormatError(GuardliftError, RuntimeError, pickle.UnpicklingError):
    """A file is not of the form that is read here, or it is damaged."""


class EmptyFileError(FileFormatError, EOFError):
    """A file has no bytes at all."""
