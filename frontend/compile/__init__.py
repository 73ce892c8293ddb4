"""A finished trace becomes an entry: its plan, its guards, its call."""
