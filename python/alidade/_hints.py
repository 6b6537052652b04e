"""The types of annotations, found when somebody asks for them: importing numpy.typing takes as long as half of numpy.

    from alidade import _hints as t

    def fit(self, X: t.Matrix) -> ...:     # typing.get_type_hints resolves it"""


def __getattr__(name):
    from alidade import _typing
    return getattr(_typing, name)
