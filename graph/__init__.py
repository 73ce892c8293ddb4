"""The representation between frontend and backend: typed frozen nodes, and what prints, parses, checks, runs them."""
