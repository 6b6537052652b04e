"""What the examples share: where the data are, and where the pictures go."""
import os
import sys

import matplotlib

matplotlib.use("Agg")

HERE = os.path.dirname(os.path.abspath(__file__))
BUNDLED = os.environ.get("ALD_DATA", os.path.join(HERE, "..", "..", "data"))


def bundled(name):
    """A data set of this tree."""
    return os.path.join(BUNDLED, name)


def public(name):
    """A public data set that is not part of this tree: in the folder ALD_SHARED_DATA. Without it the example ends here."""
    path = os.path.join(os.environ.get("ALD_SHARED_DATA", ""), name)
    if not os.path.exists(path):
        print(f"skipped: {name} is looked for in the folder ALD_SHARED_DATA")
        sys.exit(77)
    return path


def save(figure, name):
    """Into the folder that is the first argument, or the current one."""
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    figure.tight_layout()
    figure.savefig(os.path.join(folder, name + ".png"), dpi=72, metadata={"Software": None})
