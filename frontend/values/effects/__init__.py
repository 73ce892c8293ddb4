"""The changes that evaluated code made to objects from before the call, and how entry code makes them again."""
