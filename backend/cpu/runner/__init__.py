"""The native code that runs a launch plan; its source, compiled once."""
