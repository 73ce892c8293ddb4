"""Back ends other than our own: functions of a graph module, and the plans in Python that call what they give."""
