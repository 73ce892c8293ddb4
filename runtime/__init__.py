"""What compiled code becomes when it runs: the autograd node of a compiled forward and backward pair."""
