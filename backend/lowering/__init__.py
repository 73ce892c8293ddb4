"""Groups of nodes as loop IR."""
