"""Objects, classes, exceptions and what Python offers to look into them."""
