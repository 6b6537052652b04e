"""How a model of the library is pickled and copied: as the bytes of its file. Importing this registers it."""
import copyreg

from alidade import _core


def _reduce(model):
    return _core.from_bytes, (_core.to_bytes(model),)


copyreg.pickle(_core.Model, _reduce)
