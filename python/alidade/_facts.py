"""What a method can do, and the names of its parameters by what they are, as the library reports them."""
from copy import copy

from alidade import _core


class Facts:
    def __init__(self, capabilities, parameters=None):
        can = frozenset(capabilities)
        self.classes = "classes" in can
        self.real = "real" in can
        self.labels = "multi-label" in can
        self.several_responses = "several-responses" in can
        self.requires_y = "no-target" not in can
        self.unlabelled = "unlabelled-rows" in can
        self.weights = "weights" in can
        self.sparse = "sparse" in can
        self.maps = "new-rows" in can
        self.linear = "linear" in can
        self.nested = "nested" in can
        self.graph = "graph" in can
        self.response_kernel = "response-kernel" in can
        self.start = "start" in can
        self.parameters = parameters or {}  # by trait: components, gaps, iterations, kernel, seed
        self.iterates = "iterations" in self.parameters
        self.gaps = False  # cells of X may be without a value
        self.pairwise = False  # X is a matrix of rows by rows
        self._with = {}

    def with_parameters(self, gaps, pairwise):
        """The same of an estimator with these parameters; made once."""
        found = self._with.get((gaps, pairwise))
        if found is None:
            found = self._with[gaps, pairwise] = copy(self)
            found.gaps, found.pairwise = gaps, pairwise
        return found

    @classmethod
    def of(cls, method):
        """Those of a method by its name; an unknown one raises ValueError with the nearest name."""
        found = _core.method_facts(method)
        if found is None:
            _core.only_real(method)  # raises
            raise ValueError(f"there is no method '{method}'")
        return cls(*found)


def with_parameter(trait):
    """(names of the methods that have such a parameter, its name)."""
    found = {name: Facts.of(name).parameters.get(trait) for name in _core.method_names()}
    names = [name for name, parameter in found.items() if parameter]
    return names, found[names[0]]
