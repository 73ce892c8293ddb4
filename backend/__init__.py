"""Back ends: what turns a graph into code that runs."""
