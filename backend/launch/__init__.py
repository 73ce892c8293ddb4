"""Lowered calls to launch plans. The modules named here register which steps their calls become."""

from . import call_outs, calls, control_flow_steps, matmul_steps, window_steps

__all__ = ["call_outs", "calls", "control_flow_steps", "matmul_steps", "window_steps"]
