"""What a value is at an index: buffers, index algebra, expressions of loop IR."""
