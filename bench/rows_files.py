"""Rows of the benchmark: reading files, streaming them, and sparse text."""
import json
import os
import subprocess

from measure import peak_of, race, seconds_of


def write_table(path, megabytes, digits):
    """Ten times the same rows of 50 numbers, so that it is made quickly."""
    import numpy as np
    cols = 50
    rows = int(megabytes * 1e5 / (cols * (digits + 3)))
    block = np.random.default_rng(1).standard_normal((rows, cols))
    text = "\n".join(",".join(f"{v:.{digits}g}" for v in row) for row in block) + "\n"
    with open(path, "w") as file:
        file.write(",".join(f"c{j}" for j in range(cols)) + "\n")
        for _ in range(10):
            file.write(text)


def write_npy(path, megabytes, cols, dtype="<f8"):
    """Rows of normals in blocks, so many that they take these megabytes in double; the last column is one of five classes."""
    import numpy as np
    rng = np.random.default_rng(3)
    rows = int(megabytes * 1e6 / (8 * cols))
    array = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=(rows, cols))
    for start in range(0, rows, 50000):
        codes = rng.integers(0, 5, min(50000, rows - start))
        block = rng.standard_normal((len(codes), cols))
        block[np.arange(len(codes)), codes] += 2.0
        block[:, -1] = codes
        array[start:start + len(codes)] = block
    array.flush()


def kept(bench, name, write, *arguments):
    """A file that is made once for all numbers of threads."""
    path = os.path.join(bench.folder, name)
    if not os.path.exists(path):
        write(path, *arguments)
    return path


def read_through(path):
    buffer = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def csv(bench):
    import numpy as np
    import pandas as pd
    for digits in (17, 6):
        path = kept(bench, f"table{digits}.csv", write_table, 5 if bench.quick else 200, digits)
        rows, cols = bench.ald.load(path)
        buffer, matrix = np.ones((rows, cols)), 8e-6 * rows * cols
        read = lambda: (read_through(path), buffer.fill(1.0))
        bench.row(f"csv, {digits} digits", f"{os.path.getsize(path) / 1e6:.0f} MB", {"ours": lambda: bench.ald.load(path)},
                  {"pandas read_csv": lambda: pd.read_csv(path, engine="c")}, {"file read, matrix written": read},
                  memory=peak_of(bench.library, bench.threads, "load", path), note=f"matrix {matrix:.0f} MB")


def stream(bench):
    """From the page cache, beside a plain reading of the file; the fit reads it twice."""
    megabytes = 10 if bench.quick else bench.megabytes
    path, half = kept(bench, "stream.npy", write_npy, megabytes, 100), kept(bench, "single.npy", write_npy, megabytes, 100, "<f4")
    fit, read = (lambda file: lambda: bench.ald.fit_stream("lda", {"n_components": 2}, file, "100")), "reading the file"
    # Each fit comes after the other file was read: neither finds its own in the processor's cache.
    own = {"ours": fit(path), read: lambda: read_through(path), "float32": fit(half), "other": lambda: read_through(half)}
    bench.row("lda --stream", f"{megabytes:.0f} MB", own, {}, {read: own[read]}, memory=peak_of(bench.library, bench.threads, "stream", path))
    if on_disk(bench.folder):
        from_disk(bench, path, megabytes)
    else:
        print("stream, from the disk: left out, as the temporary folder is in memory (TMPDIR)", flush=True)


def on_disk(folder):
    with open("/proc/mounts") as file:
        mounts = [line.split()[1:3] for line in file]
    return max((m for m in mounts if os.path.realpath(folder).startswith(m[0])), key=lambda m: len(m[0]), default=["/", ""])[1] != "tmpfs"


def evict(path):
    """Takes the file out of the page cache, so that the next reading is one of the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def from_disk(bench, path, megabytes):
    """Both readings of the fit from the disk."""
    fit = read = float("inf")
    for _ in range(1 if bench.quick else 2):
        evict(path)
        read = min(read, seconds_of(lambda: read_through(path)))
        evict(path)
        waited = []
        whole = seconds_of(lambda: bench.ald.fit_stream("lda", {"n_components": 2}, path, "100", lambda: waited.append(seconds_of(lambda: evict(path)))))
        fit = min(fit, whole - waited[0])
    bench.report.add("lda --stream, from the disk", f"{megabytes:.0f} MB", fit, bound=read, bound_name="reading the file")


def text_data(n, d, words):
    """Sparse counts like those of text: words of falling frequency, 20 classes that each have words of their own; rows of length 1."""
    import numpy as np
    import scipy.sparse as sparse
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 20, n).astype(np.int32)
    columns = (d ** rng.random((n, words)) - 1).astype(np.int64)
    own = rng.random((n, words)) < 0.1
    columns[own] = (codes[:, None] * (d // 20) + (d // 20) * rng.random((n, words)) ** 2).astype(np.int64)[own]
    x = sparse.csr_matrix((np.ones(n * words), (np.repeat(np.arange(n), words), columns.ravel())), shape=(n, d))
    return sparse.csr_matrix(x.multiply(1 / np.sqrt(x.multiply(x).sum(1)))), codes


def text(bench):
    """lda of sparse text by two stages, beside scipy's LSQR of one class, which is what there is, times the classes."""
    import numpy as np
    from scipy.sparse.linalg import LinearOperator, lsqr
    n, d, words = (200, 500, 10) if bench.quick else (16000, 62000, 130)
    x, codes = text_data(n, d, words)
    mean = np.asarray(x.mean(0)).ravel()
    one = (codes == 0) / np.sqrt((codes == 0).sum())
    columns = x.T.tocsr()
    z = LinearOperator(x.shape, matvec=lambda v: x @ v - mean @ v, rmatvec=lambda u: columns @ u - mean * u.sum())
    settings = {"n_components": 2, "solver": "two-stage", "ridge": 1}
    ours, theirs = lambda: bench.ald.fit("lda", settings, x, codes), lambda: lsqr(z, one, damp=1.0, atol=1e-6, btol=1e-6)
    times, _ = race({"ours": ours}, {"lsqr": theirs}, bench.rounds)
    busy, peer, of_fair = bench.beside_loops(ours, times["ours"], theirs)
    bench.report.add("two-stage", f"{n} x {d}, 20 classes", times["ours"], peer=20 * times["lsqr"], peer_name="scipy lsqr, 20 times one class",
                     note=f"{x.nnz / 1e6:.1f} million entries", busy=(busy, peer and 20 * peer, of_fair))


def news20(bench):
    """The set itself, where ALD_SHARED_DATA has it, by the program beside the library; without reading."""
    data = os.path.join(os.environ.get("ALD_SHARED_DATA", ""), "news20.svm.gz")
    program = os.path.join(os.path.dirname(os.path.abspath(bench.library)), "alidade")
    if bench.quick or not (os.path.exists(data) and os.access(program, os.X_OK)):
        print("news20: left out, as ALD_SHARED_DATA has no news20.svm.gz or there is no alidade beside the library", flush=True)
        return
    command = [program, "fit", data, "--method", "lda", "--solver", "two-stage", "--ridge", "1", "--row-scale", "unit", "--predictor", "centroid",
               "-o", os.path.join(bench.folder, "news20.ald"), "--threads", str(bench.threads), "--json"]
    told = [json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(3)]
    bench.report.add("two-stage, news20", "15935 x 62061", min(t["fit_seconds"] for t in told))
