"""Objects in files: a zip of arrays and one JSON text, in which nothing can be executed."""

# Note [The form of a file]
# `guardlift.json` holds the version of the form, the memories and the object: atoms as they are, everything else as
# {"kind": ...}. An object that is met more than once bears an "id", and stands as {"same": id} afterwards. A memory is
# an array of one axis, `data/NUMBER.npy`; a tensor says which memory it sees, and where: shape, strides and offset in
# bytes. Members are not compressed, and lie where they can be mapped. A file made of the same object is the same bytes.

from .files import load, save

__all__ = ["load", "save"]
