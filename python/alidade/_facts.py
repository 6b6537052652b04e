"""What a method can, from the capabilities that the library tells of it."""


class Facts:
    def __init__(self, capabilities, max_iter, poor_score=False):
        can = frozenset(capabilities.split())
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
        self.iterates = max_iter
        self.gaps = False  # cells of X may be without a value
        self.pairwise = False  # X is a matrix of rows by rows
        self.poor_score = poor_score
