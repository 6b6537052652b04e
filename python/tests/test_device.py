"""`device=`, and arrays that live on a card. Cards are tested in C by a stand-in of plain loops; where there is one, here too."""
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
    assert given == ("device", 90, 6, 4096, 6, 1, "d") and shape == (90, 6) and dtype == np.float64
    assert _device.matrix(OnCard(typestr="<f4", strides=(4, 360)))[0] == ("device", 90, 6, 4096, 1, 90, "f")


@pytest.mark.parametrize("there", [OnCard(shape=(90,)), OnCard(typestr="<i8"), OnCard(strides=(48, 7)), OnCard(shape=(0, 6))])
def test_what_cannot_be_used_is_refused(there):
    with pytest.raises(ValueError, match="device|2D|sample"):
        alidade.PCA(n_components=2).fit(there)


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
