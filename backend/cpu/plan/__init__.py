"""The launch plan and its binary form, which the runner reads."""
