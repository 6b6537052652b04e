"""Reads assorted CSV files with `alidade convert` and with pandas and compares cell by cell.

usage: check_csv.py ALIDADE        exit status 0: all equal, 1: a mismatch

Numbers must be the same doubles (pandas with its round_trip parser), missing cells NaN in both.
"""
import gzip
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

random = np.random.default_rng(20240501)


def table(values, delimiter=",", header=True, form=repr, end="\n", final=True, quote=lambda text: text):
    """A numeric matrix as text; NaN is an empty cell."""
    lines = []
    if header:
        lines.append(delimiter.join("c%d" % j for j in range(values.shape[1])))
    for row in values.tolist():
        lines.append(delimiter.join("" if v != v else quote(form(v)) for v in row))
    return end.join(lines) + (end if final else "")


def numeric_cases():
    """name, text, arguments of pandas.read_csv"""
    normal = random.normal(size=(200, 7))
    wild = normal * 10.0 ** random.integers(-300, 300, size=normal.shape)
    holes = np.where(random.random(normal.shape) < 0.2, np.nan, normal)
    whole = random.integers(-(10**15), 10**15, size=(50, 3)).astype(float)
    yield "plain", table(normal), {}
    yield "no header", table(normal, header=False), {"header": None}
    yield "crlf", table(normal, end="\r\n"), {}
    yield "cr", table(normal, end="\r"), {}
    yield "no final line end", table(normal, final=False), {}
    yield "byte order mark", "\ufeff" + table(normal), {}
    for digits in (1, 3, 6, 15, 17, 19, 25):
        yield "%d digits" % digits, table(normal, form=lambda v, d=digits: "%.*g" % (d, v)), {}
        yield "%d decimals" % digits, table(normal, form=lambda v, d=digits: "%.*f" % (d, v)), {}
    yield "all exponents", table(wild), {}
    yield "all exponents, 30 digits", table(wild, form=lambda v: "%.30e" % v), {}
    yield "missing cells", table(holes), {}
    yield "missing words", table(holes).replace(",,", ",NA,").replace(",,", ",NaN,"), {}
    yield "whole numbers", table(whole, form=lambda v: "%d" % v), {}
    for name, delimiter in (("semicolon", ";"), ("tab", "\t"), ("bar", "|")):
        yield name, table(normal, delimiter=delimiter), {"sep": delimiter}
        yield name + ", missing", table(holes, delimiter=delimiter), {"sep": delimiter}
    yield "blanks", table(normal, delimiter="   "), {"sep": r"\s+"}
    yield "aligned", table(normal, delimiter=" ", form=lambda v: "%24.17e" % v), {"sep": r"\s+"}
    yield "quoted", table(normal, quote=lambda text: '"%s"' % text), {}
    yield "blanks around", table(normal, quote=lambda text: "  %s " % text), {}
    yield "blank lines", table(normal, end="\n\n"), {}
    yield "one column", table(normal[:, :1]), {}
    yield "one row", table(normal[:1]), {}
    yield "one cell", "x\n1.5\n", {}
    yield "quoted names", '"a,b","c ""d""","e\nf"\n1,2,3\n4,5,6\n', {}
    yield "wide", table(random.normal(size=(3, 20000))), {}
    yield "long", table(random.normal(size=(60000, 3))), {}


def text_cases():
    """name, text: written as csv again, compared as pandas sees both"""
    yield "quotes", 'name,x\n"Smith, ""J.""",1\n"two\nlines",2\n5" pipe,3\n'
    yield "text and gaps", "city,x,y\nRome,1,\n,2,a b\nOslo,,c\n"
    yield "only text", "a,b\nx,y\nz,\n"
    yield "utf-8", "stadt,größe\nMünchen,1.5\nŁódź,2.5\n"
    yield "many levels", "id,v\n" + "".join("k%d,%d\n" % (i * 7919 % 5000, i) for i in range(20000))


def convert(alidade, source, target):
    done = subprocess.run([alidade, "convert", source, target], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError("exit status %d: %s" % (done.returncode, done.stderr.strip()))


def same_numbers(ours, theirs):
    if ours.shape != theirs.shape:
        raise AssertionError("%s instead of %s" % (ours.shape, theirs.shape))
    both_missing = np.isnan(ours) & np.isnan(theirs)
    different = np.argwhere(~both_missing & (ours != theirs))
    if len(different):
        i, j = different[0]
        raise AssertionError("%d cells differ, first (%d, %d): %r instead of %r" % (len(different), i, j, ours[i, j], theirs[i, j]))


def write(path, text):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "wb") as file:
        file.write(text.encode("utf-8"))


def check_numeric(alidade, folder, name, text, arguments):
    target = os.path.join(folder, "out.npy")
    for source in (os.path.join(folder, "in.csv"), os.path.join(folder, "in.csv.gz")):
        write(source, text)
        convert(alidade, source, target)
        expected = pd.read_csv(source, float_precision="round_trip", skipinitialspace=True, **arguments)
        same_numbers(np.load(target), expected.to_numpy(dtype=float))


def check_text(alidade, folder, name, text):
    source, target = os.path.join(folder, "in.csv"), os.path.join(folder, "out.csv")
    write(source, text)
    convert(alidade, source, target)
    pd.testing.assert_frame_equal(pd.read_csv(target), pd.read_csv(source), check_dtype=False)


def main(alidade):
    failures = checks = 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(check_numeric, case) for case in numeric_cases()] + [(check_text, case) for case in text_cases()]
        for check, case in jobs:
            checks += 1
            try:
                check(alidade, folder, *case)
            except AssertionError as problem:
                failures += 1
                print("csv, %s: %s" % (case[0], problem))
    print("csv against pandas: %d checks, %d failures" % (checks, failures))
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
