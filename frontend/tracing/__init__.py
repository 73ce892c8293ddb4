"""The records of one trace: inputs, guards, nodes, effects; the rules that it looks up; why it begins anew."""
