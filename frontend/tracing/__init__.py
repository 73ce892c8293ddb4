"""What one trace records: inputs, guards, nodes, effects; the rules that it looks up; why it begins anew."""
