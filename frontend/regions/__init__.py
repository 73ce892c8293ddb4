"""Loops and branches over arrays as regions: evaluated once, and run as one native kernel."""
