"""Values at an index: buffers, index algebra, expressions of loop IR."""
