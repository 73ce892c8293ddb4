"""HTML for notebooks, and the names of lines in their cells."""
