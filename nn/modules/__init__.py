"""Layers and losses as modules, each made of the function of its name in `nn.functional`."""

from ...core.names.import_paths import names_of

__getattr__ = names_of("nn", __name__)
