"""Values, effects and the state of a frame as entry code."""
