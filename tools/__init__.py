"""What people use to look at compiled functions: `explain`, the `guard-explain` command, the test harness."""
