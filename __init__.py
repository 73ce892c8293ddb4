"""guardlift: `@gl.jit` turns Python functions over arrays into guarded graphs and runs them as fused native kernels."""
