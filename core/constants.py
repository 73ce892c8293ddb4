"""Numbers that the root package names, as PyTorch does."""

from __future__ import annotations

import math

e, inf, nan, pi = math.e, math.inf, math.nan, math.pi
newaxis = None
