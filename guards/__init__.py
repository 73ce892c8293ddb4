"""Facts a compiled entry relies on: where a value comes from (sources), what must hold of it (guards), and the entry
code that checks them and calls the compiled plan."""
