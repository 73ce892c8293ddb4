"""Recurrent networks: what one layer does along time in one direction, at once or step by step."""
