"""Calls on a GPU that native code checks and launches, from data made once."""
