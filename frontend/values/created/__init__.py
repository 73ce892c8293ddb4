"""Classes that the function itself makes, their descriptors and their instances."""
