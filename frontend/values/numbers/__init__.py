"""Numbers that a trace does not know: inputs, sizes, results of the plan, numbers of a loop."""
