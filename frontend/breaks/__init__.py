"""Graph breaks and their kinds: `BreakKind` declares one, and a file of this folder holds those of a subject."""

# ruff: noqa: F403 (each name of the files below, so that a new kind is declared once)

from .branches import *
from .calls import *
from .data import *
from .environment import *
from .graph_break import *
from .loops import *
from .program import *
from .tensors import *
from .values import *
