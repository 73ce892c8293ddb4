"""The words of the table by which native code makes fresh tensors, by their places."""

from __future__ import annotations

FRESH_TYPE = 0  # the class
FRESH_NONE = 1  # None
FRESH_WRONG_CALL = 2  # the class of the error for a call that is none
FRESH_NEW_COUNTER = 3  # what makes the version counter of a tensor that shares none
FRESH_ARRAY = 4  # offsets of three slots
FRESH_STORAGE = 5
FRESH_VERSIONS = 6
FRESH_COUNT = 7  # of the other slots
FRESH_SLOTS = 8  # the offset of each, and what it refers to at first
