"""How a model of the library is pickled and copied: as the bytes of its file."""
import pickle

from alidade import _core


def reduce(model, protocol):
    """For pickle. From protocol 5 on the bytes are not copied again, and not at all with out-of-band buffers."""
    if protocol >= 5:
        return _core.from_bytes, (pickle.PickleBuffer(_core.to_buffer(model)),)
    return _core.from_bytes, (_core.to_bytes(model),)
