"""MATLAB 7.3 files as others write them (by h5py), and the same with a damaged byte.

    check_matlab.py ALIDADE [--every N] [--jobs N] [--samples FOLDER]

Whole files give the numbers that went into them. With a byte changed, or cut off there, `convert` ends with a table or
with a message, by no signal, within LIMIT seconds and MEMORY bytes, and leaves nothing but its output. One byte in N is
tried (257; every one with ALD_LONG=1), in one of WAYS ways. --samples: a folder for the files, where those that are there are
taken, so that a machine without h5py can try them.
"""
import argparse
import concurrent.futures
import glob
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

LIMIT, MEMORY = 60, 4 << 30
WAYS = (lambda b: b ^ 0xFF, lambda b: b ^ 1, lambda b: (b + 1) & 255)
X = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [2, 0, 1]])
ENTRIES = np.array([[0.0, 2, 0], [4, 0, 6], [0, 0, 9], [2, 0, 0]])


def write_samples(folder):
    import h5py

    def say_class(thing, kind):
        """As MATLAB does: a text of fixed length that counts as ended by a zero."""
        text = h5py.h5t.C_S1.copy()
        text.set_size(len(kind))
        text.set_strpad(h5py.h5t.STR_NULLTERM)
        made = h5py.h5a.create(thing.id, b"MATLAB_class", text, h5py.h5s.create(h5py.h5s.SCALAR))
        made.write(np.array(kind.encode(), dtype=f"S{len(kind)}"), mtype=text)

    def matrix(file, name, values, kind="double", **how):
        say_class(file.create_dataset(name, data=np.ascontiguousarray(values.T), **how), kind)

    def sparse(file):
        group = file.create_group("X")
        say_class(group, "double")
        group.attrs["MATLAB_sparse"] = np.uint64(len(ENTRIES))
        columns = [np.flatnonzero(column) for column in ENTRIES.T]
        group["jc"] = np.cumsum([0] + [len(rows) for rows in columns]).astype(np.uint64)
        group["ir"] = np.concatenate(columns).astype(np.uint64)
        group["data"] = np.concatenate([column[column != 0] for column in ENTRIES.T])

    def others(file):
        matrix(file, "X", X.astype(np.int16), "int16")
        matrix(file, "label", np.array([[ord(c) for c in "text"]], dtype=np.uint16), "char")
        say_class(file.create_group("about"), "struct")
        matrix(file["about"], "n", X[:1, :1])

    for name, fill in (("plain", lambda f: matrix(f, "X", X)), ("sparse", sparse), ("others", others),
                       ("squeezed", lambda f: matrix(f, "X", X, chunks=(2, 2), compression="gzip", shuffle=True))):
        path = os.path.join(folder, name + ".mat")
        with h5py.File(path, "w", userblock_size=512, libver=("earliest", "v108")) as file:
            fill(file)
        with open(path, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .".ljust(124) + b"\x00\x02IM")


def convert(alidade, path, out):
    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    try:
        return subprocess.run([alidade, "convert", path, out, "--x", "X", "-q"], capture_output=True, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, preexec_fn=limits, errors="replace")
    except subprocess.TimeoutExpired:
        return None


def fault_of(alidade, folder, bytes_, number):
    here = tempfile.mkdtemp(dir=folder)
    path, out = os.path.join(here, "x.mat"), os.path.join(here, "x.csv")
    with open(path, "wb") as file:
        file.write(bytes_)
    done = convert(alidade, path, out)
    left = sorted(os.listdir(here))
    for name in left:
        os.unlink(os.path.join(here, name))
    os.rmdir(here)
    if done is None:
        return number, None, f"does not end in {LIMIT} s"
    if done.returncode not in (0, 1, 2) or done.returncode > 0 and "x.mat" not in done.stderr:
        return number, None, f"ends with {done.returncode}: {done.stderr[-200:]}"
    refused = done.returncode > 0
    return number, refused, None if left == ["x.csv", "x.mat"][refused:] else f"leaves {left}"


def damaged(bytes_, every):
    for number, at in enumerate(range(0, len(bytes_), every)):
        yield bytes_[:at] + bytes([WAYS[number % len(WAYS)](bytes_[at])]) + bytes_[at + 1:]
        if number % 16 == 0:
            yield bytes_[:at]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alidade", type=os.path.abspath)
    parser.add_argument("--every", type=int, default=1 if os.environ.get("ALD_LONG") else 257)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--samples", type=os.path.abspath)
    asked = parser.parse_args()
    counts = [0, 0]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        samples = asked.samples or folder
        if not glob.glob(os.path.join(samples, "*.mat")):
            try:
                write_samples(samples)
            except ImportError:
                return 77
        for path in sorted(glob.glob(os.path.join(samples, "*.mat"))):
            out = os.path.join(folder, "whole.csv")
            done = convert(asked.alidade, path, out)
            if "built without" in done.stderr or "cannot read MATLAB" in done.stderr:
                return 77
            assert done.returncode == 0, (path, done.stderr)
            want = ENTRIES if "sparse" in path else X
            assert np.array_equal(np.loadtxt(out, delimiter=","), want), path
            with open(path, "rb") as file:
                bytes_ = file.read()
            tries = damaged(bytes_, asked.every)
            for number, code, fault in pool.map(lambda one: fault_of(asked.alidade, folder, one[1], one[0]), enumerate(tries)):
                assert not fault, (path, number, fault)
                counts[code] += 1
            print(f"{os.path.basename(path)}: {len(bytes_)} bytes, so far {counts[0]} read and {counts[1]} refused", flush=True)
    print(f"{sum(counts)} damaged files: {counts[0]} read, {counts[1]} refused")
    return 0


sys.exit(main())
