"""Steps of optimizers while tracing."""
