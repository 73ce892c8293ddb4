"""Why something is not written down for other processes, and why what another one wrote is of no use here."""

from __future__ import annotations


class NotWritable(Exception):
    """Something that means nothing to another process; the text says what."""


class Differs(Exception):
    """A fact that another process wrote down and that does not hold here; the text says what differs."""
