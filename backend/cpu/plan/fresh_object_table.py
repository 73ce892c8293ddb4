"""The words of the table by which native code makes fresh objects of a class, by their places."""

from __future__ import annotations

FRESH_TYPE = 0  # the class
FRESH_NONE = 1  # None
FRESH_WRONG_CALL = 2  # the class of the error for a call that is none
FRESH_MAKE = 3  # what makes the object that is shared, where none is given
FRESH_SHARED = 4  # the offset of its slot
FRESH_COUNT = 5  # of the slots that refer to what all such objects refer to at first
FRESH_GIVEN = 6  # of those that refer to the first argument
FRESH_SLOTS = 7  # the offset of each of the former, and what it refers to; then the offset of each of the latter
