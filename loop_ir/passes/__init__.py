"""Rewrites of loop IR that keep its meaning."""
