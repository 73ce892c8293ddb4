"""Arrays as the trace sees them, with their memory and their views."""
