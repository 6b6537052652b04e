"""`device=`, and arrays that live on a card. `make check` runs this twice: without a card, as a rule, and with a module of plain
loops for one, whose memory is that of the host (python/CMakeLists.txt)."""
import ctypes

import numpy as np
import pytest

import alidade
from alidade import _core, _device

X = np.random.default_rng(3).normal(size=(90, 6))
y = X[:, 0] - 2 * X[:, 1] + 0.1 * X[:, 2]


def card():
    try:
        _core.use_device(_core.use_device("cuda"))
        return True
    except (ValueError, RuntimeError, NotImplementedError, MemoryError, OSError):
        return False


def stand_in():
    """Whether the card is that of plain loops, whose memory is the host's."""
    if not card():
        return False
    before = _core.use_device("cuda")
    name = _core.device_facts()["name"]
    _core.use_device(before)
    return name == "loops"


def bytes_in():
    before = _core.use_device("cuda")
    copied = _core.device_facts()["bytes_in"]
    _core.use_device(before)
    return copied


class OnCard:
    """An array on a card, as others describe it."""

    def __init__(self, shape=(90, 6), typestr="<f8", strides=None, address=4096):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "strides": strides, "data": (address, False),
                                         "version": 3}


def test_the_processor_is_the_default():
    assert alidade.PLS().device == "cpu"
    plain = alidade.PLS(n_components=2).fit(X, y)
    auto = alidade.PLS(n_components=2, device="auto").fit(X, y)
    assert np.array_equal(plain.components_, auto.components_)


@pytest.mark.parametrize("wrong", ["gpu", "cuda:", "CUDA", "cuda:" + 40 * "1", 3, None])
def test_other_names_are_refused(wrong):
    with pytest.raises((ValueError, TypeError), match="device"):
        alidade.PCA(n_components=2, device=wrong).fit(X)
    assert _core.device_facts()["name"] == "cpu"


def test_arrays_on_a_card_are_described():
    given, shape, dtype = _device.matrix(OnCard())
    assert given[:7] == ("device", 90, 6, 4096, 6, 1, "d") and shape == (90, 6) and dtype == np.float64
    assert _device.matrix(OnCard(typestr="<f4", strides=(4, 360)))[0][:7] == ("device", 90, 6, 4096, 1, 90, "f")


@pytest.mark.parametrize("there", [OnCard(shape=(90,)), OnCard(typestr="<i8"), OnCard(strides=(48, 7)), OnCard(shape=(0, 6))])
def test_what_cannot_be_used_is_refused(there):
    with pytest.raises(ValueError, match="device|2D|sample"):
        alidade.PCA(n_components=2).fit(there)


@pytest.mark.skipif(stand_in(), reason="its card would read that address of the host")
def test_an_array_on_no_card_is_an_error():
    with pytest.raises((ValueError, RuntimeError, NotImplementedError), match="cuda:0|not in the memory of this card"):
        alidade.PCA(n_components=2).fit(OnCard())
    fitted = alidade.PCA(n_components=2).fit(X)
    with pytest.raises((ValueError, RuntimeError, NotImplementedError), match="cuda:0|not in the memory of this card"):
        fitted.transform(OnCard())


class OnHost(OnCard):
    """One whose library copies it to the host."""

    def get(self):
        return X


def test_intervals_take_parts_of_the_rows_from_the_host(monkeypatch):
    monkeypatch.setattr(_device, "call", lambda name, function, *arguments: function(*arguments))
    there = alidade.PLS(n_components=2, intervals=5).fit(OnHost(), y)
    here = alidade.PLS(n_components=2, intervals=5).fit(X, y)
    assert np.array_equal(there.predict_interval(X), here.predict_interval(X))


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("number", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("end", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def capsule_ends(capsule):
    DLPacked.alive -= 1


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class DLPacked:
    """An array of the host that says by DLPack that it is on card 0."""
    alive = 0
    names = {None: b"dltensor", "used": b"used_dltensor"}

    def __init__(self, array, version=None, device=2, inside=2, code=2, whole=False):
        self.array, self.version, self.device = array, version, device
        self.shape, self.strides = ((ctypes.c_int64 * array.ndim)(*sizes) for sizes in (
            array.shape, (stride // array.itemsize for stride in array.strides)))
        strides = None if whole else ctypes.cast(self.strides, ctypes.POINTER(ctypes.c_int64))
        tensor = Tensor(array.ctypes.data - 16, inside, 0, array.ndim, code, 8 * array.itemsize, 1,
                        ctypes.cast(self.shape, ctypes.POINTER(ctypes.c_int64)), strides, 16)
        self.struct = tensor if version in self.names else Versioned(*version, None, None, 0, tensor)

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, *, stream=None, max_version=None):
        assert stream == 1 and max_version == (1, 0)
        DLPacked.alive += 1
        return new_capsule(ctypes.addressof(self.struct), self.names.get(self.version, b"dltensor_versioned"), capsule_ends)


class Older(DLPacked):
    """From before version 1.0 of the protocol."""

    def __dlpack__(self, stream=None):
        return super().__dlpack__(stream=stream, max_version=(1, 0))


@pytest.mark.parametrize("there", [DLPacked(X), Older(X), DLPacked(X, version=(1, 7)), DLPacked(X, whole=True)])
def test_dlpack_is_read(there):
    assert _device.lives_there(there) and _device.name_for("cpu", there) == "cuda:0"
    given, shape, dtype = _device.matrix(there)
    assert given[:7] == ("device", 90, 6, X.ctypes.data, 6, 1, "d") and shape == (90, 6) and dtype == np.float64
    assert DLPacked.alive == 1  # as long as it may be used
    del given
    assert DLPacked.alive == 0
    narrow = DLPacked(X.astype(np.float32).T)
    assert _device.matrix(narrow)[0][:7] == ("device", 6, 90, narrow.array.ctypes.data, 1, 6, "f")


@pytest.mark.parametrize("wrong, error", [
    (DLPacked(X, inside=10), "type 10"), (DLPacked(X, version=(2, 0)), "version 2.0"), (DLPacked(X, code=0), "type code 0"),
    (DLPacked(X.astype(np.float16)), "16 bits"), (DLPacked(X, version="used"), "taken before"), (DLPacked(X[0]), "1D array")])
def test_other_dlpack_is_refused(wrong, error):
    with pytest.raises((BufferError, TypeError, ValueError), match=error):
        alidade.PCA(n_components=2).fit(wrong)
    assert DLPacked.alive == 0
    with pytest.raises(TypeError, match="no capsule"):
        _core.dlpack("tensor")


def test_other_devices_are_left_to_their_library():
    class Elsewhere(DLPacked):
        def __array__(self, dtype=None, copy=None):
            return X

    there = Elsewhere(X, device=8)
    assert not _device.lives_there(there)
    assert np.array_equal(alidade.PCA(n_components=2).fit(there).components_, alidade.PCA(n_components=2).fit(X).components_)


def described(array):
    return OnCard(array.shape, array.dtype.str, array.strides, array.ctypes.data)


@pytest.mark.skipif(not stand_in(), reason="the memory of the host is that of no card")
@pytest.mark.parametrize("on_card", [described, DLPacked])
@pytest.mark.parametrize("rows", [X, np.asfortranarray(X), X.astype(np.float32), np.repeat(X, 2, axis=1)[:, ::2]])
def test_arrays_that_live_on_a_card(on_card, rows):
    before = bytes_in()
    there, here = alidade.PLS(n_components=2).fit(on_card(rows), y), alidade.PLS(n_components=2).fit(rows, y)
    assert bytes_in() - before < X.nbytes  # X is there, the response is not
    assert np.allclose(there.components_, here.components_, rtol=0, atol=1e-9)
    assert np.allclose(there.transform(on_card(rows)), here.transform(rows), rtol=0, atol=1e-6)
    assert np.allclose(there.predict(on_card(rows)), here.predict(rows), rtol=0, atol=1e-6)
    assert DLPacked.alive == 0


@pytest.mark.skipif(not stand_in(), reason="its bytes are counted")
def test_tables_on_a_card(tmp_path):
    table = {f"x{j}": X[:, j] for j in range(6)} | {"y": y}
    (tmp_path / "t.csv").write_text(",".join(table) + "\n" + "\n".join(",".join(map(str, row)) for row in zip(*table.values())))
    ways = [lambda device: alidade.fit(table, target="y", method="pls", device=device).arrays["components"],
            lambda device: alidade.fit(tmp_path / "t.csv", target="y", method="pls", stream=True, device=device).arrays["components"],
            lambda device: [row["mean"] for row in alidade.compare(table, "y", "pls,pca", splits=3, device=device).rows],
            lambda device: alidade.tune(table, "y", "pls", device=device).model.arrays["components"]]
    for way in ways:
        before, there = bytes_in(), way("cuda")
        assert bytes_in() > before + X.nbytes / 2
        before, here = bytes_in(), way("cpu")
        assert bytes_in() == before and np.allclose(here, there, rtol=0, atol=1e-9)


def test_fits_on_a_card():
    if not card():
        pytest.skip("there is no card that can be used, or no module for it")
    for method in (alidade.PCA, alidade.PLS, alidade.SDPP, alidade.KPCA):
        here, there = (method(n_components=2, device=device).fit(X, y) for device in ("cpu", "cuda"))
        assert np.allclose(here.transform(X), there.transform(X), atol=1e-8)


def test_tensors():
    torch = pytest.importorskip("torch")
    if not card() or not torch.cuda.is_available():
        pytest.skip("there is no card that can be used")
    tensor = torch.tensor(X, device="cuda")
    here, there = alidade.PLS(n_components=2).fit(X, y), alidade.PLS(n_components=2)
    there.fit(tensor, torch.tensor(y, device="cuda"))
    assert np.allclose(here.components_, there.components_, atol=1e-9)
    scores = there.transform(tensor)
    assert scores.is_cuda and np.allclose(scores.cpu().numpy(), here.transform(X), atol=1e-9)
    assert np.allclose(there.predict(tensor), here.predict(X), atol=1e-9)
    narrow = there.transform(tensor.float())
    assert narrow.dtype == torch.float32 and np.allclose(narrow.cpu().numpy(), here.transform(X), atol=1e-4)
    columns = torch.tensor(X.T.copy(), device="cuda").T
    assert np.allclose(alidade.PCA(n_components=2).fit(columns).components_, alidade.PCA(n_components=2).fit(X).components_, atol=1e-9)
