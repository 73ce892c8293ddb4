"""Loops and branches that are evaluated once, and stand for every iteration and for either branch."""
