"""Layers and losses as modules, each made of the function of its name in `nn.functional`."""
