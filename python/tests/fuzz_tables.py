#!/usr/bin/env python3
"""fuzz_tables.py [CALLS] [SEED]: the functions for whole tables with wrong arguments; as fuzz.py, whose oddities it uses."""
import gc
import sys
import warnings

import numpy as np

import alidade
from alidade import _core
from fuzz import ODDITIES, thing

TABLE = {"a": np.arange(12.0), "b": ["u", "v", "w"] * 4, "y": np.arange(12.0) ** 2}
OPTIONS = ("target", "id", "ignore", "categorical", "missing", "dates", "na", "encode", "weights", "groups", "task", "keep",
           "format", "decimal", "prefer_real", "block_bytes", "n_components", "scale", "like", "n_jobs", "progress")
FUNCTIONS = (alidade.read_table, alidade.fit, alidade.compare, alidade.tune, alidade.dimension, alidade.evaluate,
             alidade.stability, alidade.generate, alidade.load, alidade.merge, alidade.report)
CORE = [name for name in dir(_core) if callable(getattr(_core, name)) and name[0].islower()]


def cells(rng):
    """A column of a table: a vector, or anything."""
    if rng.random() < 0.5:
        return TABLE[str(rng.choice(list(TABLE)))]
    return [ODDITIES[rng.integers(len(ODDITIES))] for _ in range(12)] if rng.random() < 0.4 else thing(rng)


def table(rng):
    if rng.random() < 0.3:
        return thing(rng)
    return {str(rng.choice(["a", "b", "y", "", "#1", "a,b", "\ud800", "x" * 300])): cells(rng) for _ in range(rng.integers(0, 5))}


def call_function(rng, model, data):
    function = FUNCTIONS[rng.integers(len(FUNCTIONS))]
    first = model if function in (alidade.evaluate, alidade.stability, alidade.report) else TABLE
    arguments = [table(rng) if rng.random() < 0.4 else first]
    if rng.random() < 0.7:
        arguments.append("y" if rng.random() < 0.6 else thing(rng))
    options = {str(rng.choice(OPTIONS)): rng.choice(["a", "y", "mean", None, 3, -1, 2 ** 70]) if rng.random() < 0.6
               else thing(rng) for _ in range(rng.integers(0, 3))}
    return function(*arguments, **options)


def call_core(rng, model, data):
    """The extension itself, past all that Python checks."""
    fair = (model._core, data._core, {}, 1, None, np.zeros((12, 1)), np.zeros((1, 5)), "pls", ())
    arguments = [thing(rng) if rng.random() < 0.3 else fair[rng.integers(len(fair))] for _ in range(rng.integers(0, 10))]
    return getattr(_core, str(rng.choice(CORE)))(*arguments)


def call_columns(rng, model, data):
    vectors = [lambda: np.arange(12.0)[::-1], lambda: np.arange(12), lambda: None, lambda: ["u", "v"], lambda: thing(rng),
               lambda: rng.integers(-2, 4, 12)]
    columns = tuple((rng.choice(["a", "b", "y", None]), *(vectors[rng.integers(len(vectors))]() for _ in range(3)))
                    for _ in range(rng.integers(0, 4)))
    return _core.table_facts(_core.read_columns(columns, int(rng.choice([12, 3, 0, -1, 2 ** 40])), {}, None))


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    data = alidade.read_table(TABLE, "y")
    model = alidade.fit(data, method="pls", n_components=1)
    done, refused = 0, {}
    for number in range(calls):
        try:
            (call_function, call_core, call_columns)[number % 3](rng, model, data)
            done += 1
        except Exception as error:
            refused[type(error).__name__] = refused.get(type(error).__name__, 0) + 1
            if isinstance(error, SystemError):
                print(number, error)
        if number % 200 == 0:
            gc.collect()
    assert np.isfinite(model.predict(TABLE)).all()  # what was fitted before is as it was
    print(f"{calls} calls: {done} done, refused: {refused}")
    return 1 if "SystemError" in refused else 0


if __name__ == "__main__":
    sys.exit(main())
