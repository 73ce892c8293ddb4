"""Functions, generators and the scopes that they share."""
