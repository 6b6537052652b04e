"""The experiments of Bian and Tao (2009), run with the program: Table 1 on USPS and COIL-20 in two dimensions. For check_manifold.py."""
import gzip
import os
import tempfile

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

DIMS = (7, 9, 11, 13, 15, 17, 19, 21)
PAPER = {"sir": (0.8635, 0.8794) + 6 * (None,),
         "rsir": (0.8575, 0.8809, 0.8859, 0.8889, 0.9028, 0.9108, 0.9148, 0.9193),
         "rsir, semi-supervised": (0.8685, 0.8864, 0.8934, 0.8909, 0.9053, 0.9128, 0.9208, 0.9193),
         "lsir": (0.8301, 0.8421, 0.8535, 0.8724, 0.8789, 0.8949, 0.8989, 0.9003),
         "lsir, semi-supervised": (0.8526, 0.8675, 0.8795, 0.8826, 0.8914, 0.8954, 0.9038, 0.9063)}
FULL, KNN, LOCAL = ["--graph", "full", "--eta", "10"], ["--n-neighbors", "10", "--eta", "1"], ["--ridge", "1", "--ridge-rel", "0"]


def read(path):
    with gzip.open(path, "rt") as file:
        names = file.readline().strip().split(",")
        return names, np.loadtxt(file, delimiter=",")


class Rows:
    """Training rows with a mask of those whose class is known, and what is asked for them."""

    def __init__(self, run, folder, x, y, asked_x, asked_y):
        self.run, self.folder, self.x, self.y, self.asked_y = run, folder, x, y, asked_y
        self.paths = {name: os.path.join(folder, name) for name in ("train.csv", "more.csv", "all.npy", "asked.npy", "m.ald", "z.npy")}
        np.save(self.paths["all.npy"], x)
        np.save(self.paths["asked.npy"], asked_x)

    def know(self, mask):
        self.mask = mask
        names = ",".join(f"f{j}" for j in range(self.x.shape[1]))
        np.savetxt(self.paths["train.csv"], np.column_stack([self.x[mask], self.y[mask]]), "%.17g", ",", header=names + ",y", comments="")
        np.savetxt(self.paths["more.csv"], self.x[~mask], "%.17g", ",", header=names, comments="")

    def project(self, name):
        self.run("transform", "-q", self.paths["m.ald"], self.paths[name], "-o", self.paths["z.npy"])
        return np.load(self.paths["z.npy"])

    def accuracy(self, method, dims, semi, options):
        more = ["--unlabelled", self.paths["more.csv"]] if semi else []
        self.run("fit", "-q", self.paths["train.csv"], "--target", "y", "--task", "classification", "--method", method, "--dims", str(dims),
                 "-o", self.paths["m.ald"], *options, *more)
        near = KNeighborsClassifier(1).fit(self.project("all.npy")[self.mask], self.y[self.mask])
        return np.mean(near.predict(self.project("asked.npy")) == self.asked_y)


def usps(run, data, bars):
    (_, train), (_, test) = read(os.path.join(data, "usps-train.csv.gz")), read(os.path.join(data, "usps-test.csv.gz"))
    with tempfile.TemporaryDirectory() as folder:
        rows = Rows(run, folder, train[:, :-1], train[:, -1], test[:, :-1], test[:, -1])
        rows.know(np.arange(len(train)) % 3 == 0)
        cases = [("sir", "sir", 0, []), ("rsir", "rsir", 0, FULL), ("rsir, semi-supervised", "rsir", 1, FULL),
                 ("rsir", "rsir", 0, KNN), ("rsir, semi-supervised", "rsir", 1, KNN), ("lsir", "lsir", 0, LOCAL),
                 ("lsir, semi-supervised", "lsir", 1, LOCAL)]
        print(f"{'USPS, 1-NN, paper / ours':44}" + "".join(f"{k:>16}" for k in DIMS))
        for name, method, semi, options in cases:
            ours = [rows.accuracy(method, k, semi, options) if PAPER[name][i] else None for i, k in enumerate(DIMS)]
            print(f"{name + ' ' + ' '.join(options):44}" + "".join("               -" if o is None else f"  {p:.4f} {o:.4f}"
                                                                    for p, o in zip(PAPER[name], ours)), flush=True)
            if options == FULL:
                for k, least in ((9, 0.869), (15, 0.902), (21, 0.905)):
                    bars.append((f"{name}, {k} dimensions", ours[DIMS.index(k)], least))
            if name == "lsir":
                bars.append(("lsir, 21 dimensions", ours[-1], 0.910))
        gain, over_sir = [], []
        for seed in range(5):
            rows.know(np.random.RandomState(seed).permutation(len(train)) < len(train) // 3)
            supervised, semi = ([rows.accuracy("rsir", k, s, KNN) for k in DIMS] for s in (0, 1))
            gain.append(np.mean(semi) - np.mean(supervised))
            over_sir.append(supervised[1] - rows.accuracy("sir", 9, 0, []))
            print(f"random third {seed}: supervised {np.mean(supervised):.4f}, semi-supervised {np.mean(semi):.4f}; at 9 above sir "
                  f"{over_sir[-1]:+.4f}", flush=True)
        bars += [("semi-supervised above supervised, mean of 7..21", np.mean(gain), 0.003), ("rsir above sir at 9", np.mean(over_sir), 0.003)]


def coil(run, data, bars):
    names, table = read(os.path.join(data, "coil20.csv.gz"))
    table = table[table[:, names.index("y")] <= 10]
    x, y = np.delete(table, [names.index("y"), names.index("angle")], 1) / 255, table[:, names.index("y")]
    rsir, sir = [], []
    for seed in range(8):
        draw, mask = np.random.RandomState(seed), np.zeros(len(y), bool)
        for c in np.unique(y):
            mask[draw.choice(np.flatnonzero(y == c), 6, replace=False)] = True
        with tempfile.TemporaryDirectory() as folder:
            rows = Rows(run, folder, x, y, x[~mask], y[~mask])
            rows.know(mask)
            rsir.append(rows.accuracy("rsir", 2, 1, ["--n-neighbors", "5", "--ridge-rel", "1e-4", "--eta", "10"]))
            sir.append(rows.accuracy("sir", 2, 0, ["--ridge-rel", "1e-4"]))
        print(f"COIL-20 draw {seed}: semi-supervised rsir {rsir[-1]:.3f}, sir {sir[-1]:.3f}", flush=True)
    bars += [("COIL-20, rsir", np.mean(rsir), 0.88), ("COIL-20, rsir above sir", np.mean(rsir) - np.mean(sir), 0.10)]


def experiments(run, data):
    bars = []
    usps(run, data, bars)
    coil(run, data, bars)
    for name, value, least in bars:
        print(f"{'ok  ' if value >= least else 'BELOW'} {name}: {value:.4f}, at least {least}")
    return int(sum(value < least for _, value, least in bars))
