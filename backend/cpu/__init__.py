"""The CPU back end: kernel text to native objects, and launch plans that run them."""
