"""The parts of the command `guard-explain`: its options, its gates, and what it does with a record."""
