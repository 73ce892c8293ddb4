"""Reports for people: the answer in one screen, lines for terminals and files, and a form for notebooks."""
