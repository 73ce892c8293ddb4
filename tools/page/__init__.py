"""The report page: a record as one HTML file, which shows causes, functions, entries, guards and kernels."""
