#!/usr/bin/env python3
"""Every data format against numpy, scipy, scikit-learn and openpyxl: they write, `alidade convert` reads; and the other way round.
A workbook of LibreOffice is kept with the files of the fuzzers.

usage: check_formats.py EXECUTABLE
"""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import openpyxl
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

executable = sys.argv[1]
WORKBOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "corpus", "xlsx", "libreoffice")
random = np.random.RandomState(7)
failures = []
checks = 0


def convert(source, target, *options):
    """Runs the conversion; None if it fails."""
    done = subprocess.run([executable, "convert", source, target, *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        failures.append("convert %s %s: exit %d: %s" % (source, target, done.returncode, done.stderr.strip()))
        return None
    return target


def same(what, found, expected):
    """Equal to the last bit, NaN where NaN is expected."""
    global checks
    checks += 1
    found, expected = np.atleast_2d(found), np.atleast_2d(expected)
    if found.shape != expected.shape:
        failures.append("%s: shape %s, expected %s" % (what, found.shape, expected.shape))
    elif not np.array_equal(found, expected, equal_nan=True):
        failures.append("%s: largest difference %g" % (what, np.nanmax(np.abs(found - expected))))


def read_back(source, *options):
    """The same file through both writers that keep all numbers."""
    target = convert(source, "out.npy", *options)
    if target:
        yield "npy", np.load(target)
    target = convert(source, "out.csv", *options)
    if target:
        with open(target) as file:
            first = file.readline()
        named = any(c.isalpha() for c in first.replace("e", "").replace("nan", ""))
        yield "csv", np.genfromtxt(target, delimiter=",", skip_header=int(named), ndmin=2)


def compare(what, source, expected, *options):
    for kind, found in read_back(source, *options):
        same("%s by %s" % (what, kind), found, expected)


def refused(what, source, *parts, options=()):
    """The conversion fails, says why, and leaves no file."""
    global checks
    checks += 1
    if os.path.exists("refused.npy"):
        os.remove("refused.npy")
    done = subprocess.run([executable, "convert", source, "refused.npy", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 1:
        failures.append("%s: exit %d, expected 1" % (what, done.returncode))
    for part in parts:
        if part not in done.stderr:
            failures.append("%s: no '%s' in: %s" % (what, part, done.stderr.strip()))
    if os.path.exists("refused.npy"):
        failures.append("%s: an output file was left" % what)


def check_npy():
    values = random.randn(7, 5) * 50
    for code in ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]:
        typed = (np.abs(values) if code[0] == "u" else values > 0 if code == "b1" else values).astype(code)
        for order in "<>":
            swapped = typed.astype(np.dtype(code).newbyteorder(order))
            for layout in "CF":
                np.save("in.npy", np.array(swapped, order=layout))
                compare("npy %s%s %s" % (order, code, layout), "in.npy", typed.astype(float))
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open("in.npy", "wb") as file:
            np.lib.format.write_array(file, values, version=version)
        compare("npy version %d" % version[0], "in.npy", values)
    np.save("in.npy", values[:, 0])
    compare("npy 1-D", "in.npy", values[:, :1])
    for layout in "CF":
        holes = np.array(values, order=layout)
        holes[2, 3] = holes[0, 0] = np.nan
        np.save("in.npy", holes)
        compare("npy NaN %s" % layout, "in.npy", holes)
        holes[4, 1] = np.inf
        np.save("in.npy", holes)
        same("npy infinity %s" % layout, np.load(convert("in.npy", "out.npy")), holes)
    large = np.asfortranarray(random.randn(1500, 300))
    np.save("in.npy", large)
    compare("npy large", "in.npy", large)
    for what, array, part in [("complex", values + 1j, "complex"), ("text", np.array(["a", "b"]), "text"),
                              ("3-D", np.zeros((2, 2, 2)), "3 dimensions"), ("0-D", np.array(3.0), "0 dimensions"),
                              ("structured", np.zeros(3, dtype=[("a", "f8")]), "structured")]:
        np.save("in.npy", array)
        refused("npy " + what, "in.npy", part)
    np.save("in.npy", np.array([{}, {}]), allow_pickle=True)
    refused("npy objects", "in.npy", "objects")
    np.save("in.npy", values)
    with open("in.npy", "rb") as file:
        whole = file.read()
    with open("cut.npy", "wb") as file:
        file.write(whole[:-13])
    refused("npy truncated", "cut.npy", "13 bytes are missing")
    with open("cut.npy", "wb") as file:
        file.write(whole + b"x")
    refused("npy trailing", "cut.npy", "continues after")


def check_matrix_market():
    dense = random.randn(6, 6)
    sparse = scipy.sparse.random(30, 20, 0.2, random_state=random, format="coo")
    order = random.permutation(sparse.nnz)
    shuffled = scipy.sparse.coo_matrix((sparse.data[order], (sparse.row[order], sparse.col[order])), shape=sparse.shape)
    square = scipy.sparse.random(15, 15, 0.3, random_state=random)
    symmetric, skew = (square + square.T).tocoo(), (square - square.T).tocoo()
    whole = scipy.sparse.coo_matrix((np.arange(1, 8), ([0, 3, 3, 1, 2, 5, 4], [0, 1, 3, 2, 2, 0, 1])), shape=(6, 4))
    cases = [("array", dense[:, :4], {}), ("array symmetric", dense + dense.T, {"symmetry": "symmetric"}),
             ("array integer", np.arange(12).reshape(4, 3), {}), ("coordinate", sparse, {}), ("shuffled", shuffled, {}),
             ("symmetric", symmetric, {"symmetry": "symmetric"}), ("skew", skew, {"symmetry": "skew-symmetric"}),
             ("integer", whole, {}), ("general", symmetric, {"symmetry": "general"})]
    for what, matrix, options in cases:
        scipy.io.mmwrite("in.mtx", matrix, precision=17, **options)
        read = scipy.io.mmread("in.mtx")
        compare("mtx " + what, "in.mtx", read.toarray() if scipy.sparse.issparse(read) else read)
    scipy.io.mmwrite("in.mtx", whole, field="pattern")
    compare("mtx pattern", "in.mtx", (whole.toarray() != 0).astype(float))
    with open("in.mtx", "rb") as plain, gzip.open("in.mtx.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    compare("mtx gzip", "in.mtx.gz", (whole.toarray() != 0).astype(float))
    scipy.io.mmwrite("in.mtx", sparse + 1j * sparse)
    refused("mtx complex", "in.mtx", "in.mtx", "line 1", "complex")


def check_svmlight():
    x = scipy.sparse.random(40, 25, 0.15, random_state=random, format="lil")
    x[0, 24] = 1.0
    x = x.tocsr()
    y = random.randn(40)
    dump_svmlight_file(x, y, "in.svm", zero_based=False, comment="made by a test", query_id=np.arange(40) // 4)
    found_x, found_y = load_svmlight_file("in.svm", zero_based=False, n_features=25)
    expected = np.column_stack([found_y, found_x.toarray()])
    compare("svmlight", "in.svm", expected)
    if convert("in.svm", "out.svm"):
        again_x, again_y = load_svmlight_file("out.svm", zero_based=False, n_features=25)
        same("svmlight to svmlight", np.column_stack([again_y, again_x.toarray()]), expected)
    labels = (random.rand(40, 4) < 0.4).astype(int)
    labels[0] = 1
    dump_svmlight_file(x, labels, "in.svm", zero_based=False, multilabel=True)
    compare("svmlight multi-label", "in.svm", np.column_stack([labels, found_x.toarray()]))
    with open("in.svm", "w") as file:
        file.write("1 1:1\n1 2:1 2:3\n")
    refused("svmlight order", "in.svm", "in.svm", "line 2", "column 7")


def check_mat():
    features = subprocess.run([executable, "version", "--verbose"], stdout=subprocess.PIPE, universal_newlines=True)
    if "matio" not in features.stdout:
        print("this build has no matio: .mat files are not checked")
        return
    x, y = random.randn(9, 4), random.randn(9, 2)
    sparse = scipy.sparse.random(12, 10, 0.3, random_state=random, format="csc")
    variables = {"X": x, "y": y, "single": x.astype("f4"), "bytes": np.arange(6, dtype="u1").reshape(2, 3),
                 "truth": x > 0, "S": sparse, "row": np.arange(9.0).reshape(1, 9), "note": "text",
                 "z": x + 1j, "c": np.array([1, "a"], dtype=object)}
    for compression in [False, True]:
        scipy.io.savemat("in.mat", variables, do_compression=compression)
        compare("mat X", "in.mat", x)
        compare("mat X and y", "in.mat", np.column_stack([x, y]), "--y", "y")
        compare("mat row", "in.mat", np.column_stack([x, np.arange(9.0)]), "--x", "X", "--y", "row")
        compare("mat single", "in.mat", x.astype("f4").astype(float), "--x", "single")
        compare("mat uint8", "in.mat", variables["bytes"], "--x", "bytes")
        compare("mat logical", "in.mat", (x > 0).astype(float), "--x", "truth")
        compare("mat sparse", "in.mat", sparse.toarray(), "--x", "S")
    scipy.io.savemat("in.mat", {"a": x, "b": y})
    refused("mat choice", "in.mat", "in.mat", "a (9 x 4 double)", "b (9 x 2 double)", "--x")
    scipy.io.savemat("in.mat", {"z": x + 1j})
    refused("mat complex", "in.mat", "complex")


def write_arff(name, rows, attributes):
    with open(name, "w") as file:
        file.write("% a test\n@RELATION 'a test'\n\n")
        for attribute in attributes:
            file.write("@attribute %s\n" % attribute)
        file.write("@data\n")
        file.write("\n".join(rows) + "\n")


def check_arff():
    values = random.randn(8, 3)
    numbers = ["a numeric", "'b b' REAL", "c integer"]
    write_arff("in.arff", [",".join(map(repr, map(float, row))) for row in values], numbers)
    compare("arff dense", "in.arff", values)
    read, _ = scipy.io.arff.loadarff("in.arff")
    same("arff by scipy", values, np.array([list(row) for row in read]))
    sparse = np.where(random.rand(8, 3) < 0.5, values, 0)
    write_arff("in.arff", ["{%s}" % ", ".join("%d %r" % (j, float(v)) for j, v in enumerate(row) if v)
                           for row in sparse], numbers)
    compare("arff sparse", "in.arff", sparse)
    write_arff("in.arff", ["1,?,3", "{1 2}"], numbers)
    compare("arff missing", "in.arff", np.array([[1, np.nan, 3], [0, 2, 0]]))
    write_arff("in.arff", ["1,red", "2,'dark blue'", "3,?"], ["x numeric", "k {red,'dark blue'}"])
    if convert("in.arff", "out.csv"):
        with open("out.csv") as file:
            if file.read() != "x,k\n1,red\n2,dark blue\n3,\n":
                failures.append("arff nominal: wrong csv")
    write_arff("in.arff", ["1,green"], ["x numeric", "k {red,'dark blue'}"])
    refused("arff level", "in.arff", "in.arff", "line 7", "green")


def check_xlsx():
    """Cells written by openpyxl; the first sheet, another by its name and its number, a title above the table."""
    book = openpyxl.Workbook()
    values = random.standard_normal((7, 3)) * 10.0 ** random.randint(-200, 200, (7, 3))
    for sheet, first in (book.active, 1), (book.create_sheet("Späte <Werte>"), 4):
        for j, name in enumerate(["a", "b & c", 'd "e"']):
            sheet.cell(first, first + j, name)
            for i in range(len(values)):
                sheet.cell(first + 1 + i, first + j, float(values[i, j]) * first)
    sheet["E2"] = "a title"
    sheet.merge_cells("E2:F2")
    book.save("in.xlsx")
    digits = np.array([[float("%.16g" % v) for v in row] for row in values])  # what openpyxl writes of a number
    compare("xlsx", "in.xlsx", digits)
    refused("xlsx title", "in.xlsx", "in.xlsx", "cells E2:F2", "merged", options=("--sheet", "2"))
    fourfold = np.array([[float("%.16g" % (4 * v)) for v in row] for row in values])
    for name in "2", "Späte <Werte>":
        compare("xlsx sheet " + name, "in.xlsx", fourfold, "--sheet", name, "--skip", "3")


def converts_to(what, source, expected, *options):
    """The table as csv, to the last letter."""
    global checks
    checks += 1
    target = convert(source, "out.csv", *options)
    if target:
        with open(target, encoding="utf-8") as file:
            found = file.read()
        if found != expected:
            failures.append("%s: wrong csv:\n%s" % (what, found))


def check_libreoffice():
    """Cells that LibreOffice 7.4 has written (from an .fods, by soffice --convert-to xlsx): texts with markup and accents,
    dates with and without times, percentages, results of formulas, truth values, empty cells, a merged title."""
    shutil.copy(WORKBOOK, "libreoffice.xlsx")
    converts_to("LibreOffice", "libreoffice.xlsx", """sample,day,when,"share, %",twice,good
"a <b> ""c""\",2024-02-29,2024-02-29 13:30:00,0.125,0.25,1
Grüße,,1999-12-31,,xGrüße,0
-1.5e-300,1960-07-04,,0.1,,
""")
    for name in "2", "Titel":
        converts_to("LibreOffice, sheet " + name, "libreoffice.xlsx", "a,b,c\n1,2,2\n", "--sheet", name, "--skip", "1")
    refused("LibreOffice, merged title", "libreoffice.xlsx", "cells A1:C1", "merged", "--skip 1", options=("--sheet", "Titel"))


def main():
    here = tempfile.mkdtemp(prefix="alidade-formats-")
    try:
        os.chdir(here)
        for check in [check_npy, check_matrix_market, check_svmlight, check_mat, check_arff, check_xlsx, check_libreoffice]:
            check()
    finally:
        os.chdir("/")
        shutil.rmtree(here)
    for failure in failures:
        print("FAILED", failure)
    print("%d checks, %d failures" % (checks, len(failures)))
    return 1 if failures or checks == 0 else 0


if __name__ == "__main__":
    if not os.path.isabs(executable):
        executable = os.path.abspath(executable)
    sys.exit(main())
