"""The parts of `gl.testing` and of the pytest plugin."""
