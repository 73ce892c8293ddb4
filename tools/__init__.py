"""Tools to look at compiled functions: `explain`, the `guard-explain` command, the test harness."""
