"""The functions and attributes of tensors and modules while tracing."""
