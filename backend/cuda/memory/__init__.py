"""Memory of devices: where blocks come from, how elements get there and back, and what other libraries share."""
