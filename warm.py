"""``python -m guardlift.warm module:function spec...`` fills the caches on disk: see `guardlift.tools.warm`."""

import sys

from .tools.warm import main

if __name__ == "__main__":
    sys.exit(main())
