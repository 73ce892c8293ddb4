"""Backward passes that run after the call, compiled ahead of time together with it."""
