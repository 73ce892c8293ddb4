"""The public names of the root package, and the paths under which PyTorch has those of its files."""
