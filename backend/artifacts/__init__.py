"""The artifact cache: what became of graphs, kept on disk for the processes to come."""
