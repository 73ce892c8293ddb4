"""What evaluated code did to objects that were there before, and how entry code does it again."""
