"""Matrix products on a GPU: tiles, thin products, and what merges the parts of a long sum."""
