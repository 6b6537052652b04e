#!/usr/bin/env python3
"""What every method computes, kept as numbers, so that work on the code can be shown not to have changed them.

    numbers.py record --alidade ALIDADE -o tests/compat/numbers.json
    numbers.py record --fixed --alidade ALIDADE
    numbers.py check --alidade ALIDADE [--quick] [--only TEXT] [--numbers FILE]

record runs the cases of the tables below and writes a fingerprint of each; check runs what the file holds, so that a
case stays the same when methods gain parameters. check ends with 1 and a list of what differs, 0 when all is equal,
77 when everything was skipped. --quick takes every fourth case (all where ALD_LONG is set), --only those with TEXT in their command.

A fingerprint is the shape of the projection (and of the predictions) and weighted sums of it, with fixed random
weights, of each column beside its length. Each case is recorded with one thread, with two, and twice with cells of X
changed by parts of 1e-14: the largest difference among these, as a part of the column's length, is its sensitivity.
It may differ by 100 times that, and by 1e-10 in any case; above 1e-4 only the shape is compared. A case that was
refused must be refused again, by the same verb with the same exit status.

Where the numbers were wrong and have been put right, the case stands in the table FIXED with the reason. It must differ
from what was recorded first, which stays, and be equal to numbers-fixed.json, which record --fixed writes.
"""
import sys

# Python has a module of this name, which numpy imports: it must not find this file instead.
sys.path = [folder for folder in sys.path if not folder.endswith("compat")]

import argparse
import collections
import concurrent.futures
import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
BUNDLED = os.environ.get("ALD_DATA") or os.path.join(HERE, "..", "..", "data")
SHARED = os.environ.get("ALD_SHARED_DATA") or os.path.join(HERE, "..", "..", "..", "shared", "data")
NEWER = os.path.join(HERE, "numbers-fixed.json")
TOLERANCE, FACTOR, HOPELESS = 1e-10, 100.0, 1e-4
NOISE = 1e-14
SLOW = 0.7  # seconds: a case that takes longer is not recorded
TIME_LIMIT = 300
KERNELS = "Prescott"  # of OpenBLAS, which every x86-64 processor runs: others round differently
PROCESSES = 2

# ---------------------------------------------------------------------------------------------------------------------
# The command lines. Everything that is spelled as the command line wants it stands here.

# Spellings that have changed since the file was recorded: word of a command -> what it is now.
RENAMED = {}

# Cases that differ from numbers.json because a defect was fixed: reason -> cases.
FIXED = {
    "fit without a method searches for what predicts best, where the kind of target decided before": [
        *(f"fit spectra --method auto --n-components {r} --row-scale standard --predictor linear" for r in (1, 3)),
        *(f"fit {data} --method auto" for data in ["wine", "fat", "rich", "wide", "sparse.svm", "colon"]),
    ],
    "the solvers ipm and sdp of sdpp are gone: they found what first-order finds": [
        *(f"fit {data} --method ksdpp --pca-dims 4 {options}" for data, options in (
            ("few", "--solver ipm"), ("fewfat", "--solver ipm"), ("few", "--solver ipm --n-components 0"),
            ("few", "--solver sdp"), ("fewfat", "--solver sdp"), ("fewfat", "--solver sdp --ridge 0.1"),
        )),
        *(f"fit {data} --method sdpp {options}" for data, options in (
            ("few", "--solver ipm"), ("fewfat", "--solver ipm"), ("few", "--solver ipm --n-components 0"),
            ("few", "--solver sdp"), ("fewfat", "--solver sdp"), ("fewfat", "--solver sdp --ridge 0.1"),
        )),
    ],
    "the convex problem of up to 20 columns, and that of cmvu, is solved by the first-order method: the same to its certificate, "
    "1e-9 of J(0)": [
        *(f"fit {data} --method cmvu {options}" for data, options in (
            ("colon", "--n-components 2 --predictor gaussian"), ("dense", "--n-components 2 --predictor gaussian"),
            ("ionosphere", "--n-components 2 --predictor gaussian"), ("some", "--n-components 2 --predictor gaussian"),
            ("sparse.svm", "--n-components 2 --predictor gaussian"), ("srbct", "--n-components 2 --predictor gaussian"),
            ("wine", "--n-components 2 --predictor gaussian"), ("ducks", "--n-components 2 --predictor linear"),
            ("fat", "--n-components 2 --predictor linear"), ("meat", "--n-components 2 --predictor linear"),
            ("somefat", "--n-components 2 --predictor linear"), ("wide", "--n-components 2 --predictor linear"),
            ("few", "--n-components 1"), ("few", "--n-neighbors 7"), ("few", "--nu 0.5"), ("few", "--response-kernel delta"),
            ("few", "--row-scale standard"), ("few", "--scale standard"), ("fewfat", "--graph enclosing"),
            ("petals", "--graph enclosing"), ("fewfat", "--graph epsilon --radius 60"), ("fewfat", "--n-basis 4"),
            ("fewfat", "--n-components 3"), ("fewfat", "--neighbors approximate"), ("fewfat", "--response-kernel linear"),
            ("fewfat", "--scale minmax --row-scale unit"), ("petals", "--graph epsilon --radius 1"),
            ("petals", "--graph knn --neighbors approximate"), ("petals", "--graph natural"),
            ("rich", "--n-components 2 --predictor one-vs-rest"),
            ("richsparse.svm", "--n-components 2 --predictor one-vs-rest"),
            ("yeast", "--n-components 2 --predictor one-vs-rest"),
        )),
        *(f"fit {data} --method sdpp {options}" for data, options in (
            ("dense", "--n-starts 2 --n-components 2 --predictor gaussian"),
            ("sparse.svm", "--n-starts 2 --n-components 2 --predictor gaussian"),
            ("wine", "--n-starts 2 --n-components 2 --predictor gaussian"),
            ("fat", "--n-starts 2 --n-components 2 --predictor linear"),
            ("meat", "--n-starts 2 --n-components 2 --predictor linear"), ("few", "--graph epsilon --radius 60"),
            ("few", "--manifold 0.1 --unlabelled rows.csv"), ("few", "--n-neighbors 7"), ("few", "--pca-dims 3"),
            ("fewfat", "--n-components 3"), ("fewfat", "--ridge-rel 0.01"),
            ("fewrows", "--pca-dims 4 --target-distances fewpairs.csv"), ("petals", "--n-starts 2 --graph epsilon --radius 1"),
            ("petals", "--n-starts 2 --graph knn --neighbors approximate"),
            ("somefat", "--n-starts 2 --n-components 2 --manifold 0.1 --predictor linear"),
        )),
        *(f"fit {data} --method ksdpp --pca-dims 4 {options}" for data, options in (
            ("ducks", "--n-components 2 --predictor linear"), ("wide", "--n-components 2 --predictor linear"),
            ("few", "--features 30"), ("few", "--graph epsilon --radius 60"),
            ("few", "--kernel polynomial --degree 2 --coef0 0.5"), ("few", "--landmarks 20 --landmark-choice kmeans"),
            ("few", "--n-neighbors 7"), ("few", "--neighbors approximate"), ("few", "--repulsion 0.1"),
            ("few", "--row-scale standard"), ("few", "--scale standard"), ("fewfat", "--graph-file fewpairs.csv"),
            ("fewfat", "--kernel cosine"), ("fewfat", "--kernel laplacian"), ("fewfat", "--kernel laplacian --kernel-width 2"),
            ("fewfat", "--landmarks 20 --landmark-choice leverage"), ("fewfat", "--n-components 0"),
            ("fewfat", "--n-components 3"), ("fewfat", "--ridge-rel 0.01"), ("fewrows", "--target-distances fewpairs.csv"),
            ("ionosphere", "--n-components 2 --predictor gaussian"), ("wine", "--n-components 2 --predictor gaussian"),
            ("petals", "--graph enclosing"), ("some", "--n-components 2 --manifold 0.1 --predictor gaussian"),
        )),
        *(f"fit {data} --method ksdpp {options}" for data, options in (
            ("gram", "--kernel precomputed"),
        )),
    ],
    "the convex optimum of sdpp is reached by longer steps, and where it is certified nothing is added to it: the same to its "
    "certificate, 1e-9 of J(0)": [
        "fit few --method sdpp --solver first-order",
        "fit few --method ksdpp --pca-dims 4 --solver first-order",
        "fit fewfat --method ksdpp --pca-dims 4 --solver first-order",
        "fit petals --method ksdpp --pca-dims 4 --graph epsilon --radius 1",
        "fit petals --method ksdpp --pca-dims 4 --graph knn --neighbors approximate",
    ],
    "weights are taken as given, a row of weight w is w rows: lda, cca and opls are scaled by the root of n over the sum "
    "of the weights, spca with delta+identity or the median width has other directions": [
        *(f"fit weights --method {method} --n-components 2 --predictor gaussian"
          for method in ("lda", "cca", "opls", "spca")),
        *(f"fit weightsfat --method {method} --n-components 1 --predictor linear" for method in ("cca", "opls")),
        "fit weightsfat --method spca --n-components 2 --predictor linear",
        *(f"fit weights --method {method} --stream --predictor gaussian" for method in ("lda", "cca", "opls")),
        *(f"update weights --method {method}" for method in ("lda", "cca", "opls")),
    ],
    "the baseline of all features is penalised, p-values are against the best row, which it may be, and random splits have no "
    "rmsecv": [
        "compare wine --methods lda,pls,kfda,spca --dims 1,2 --splits 3",
        "compare wine --methods lda,sir --dims 1:2 --folds 4 --repeats 2 --seed 3",
        "compare fat --methods pls,opls,spca,sir,kpls --dims 1,3 --splits 3 --scale standard",
        "compare fat --methods pls,cca --grid ridge_rel=0,0.01 --dims 1,2 --folds 5 --metric mae",
        "compare fat --methods pls,plssb --dims 1:5 --choose --splits 3 --inner-folds 4",
        "compare meat --methods pls,cca,kcca --dims 2 --splits 3",
        "compare rich --methods hsl,cca,opls --dims 1,2 --splits 3",
        "compare ionosphere --methods lda,save,cfml --dims 1 --splits 3",
    ],
    "loadings are the regression of the features on the scores everywhere": [
        "evaluate wine --method lda | --explained --importance --stability --resamples 10",
        "evaluate fat --method pls | --explained --importance --stability --resamples 10 --resample half",
        "evaluate rich --method cca --predictor logistic | --importance --hsic --permutations 19",
    ],
    "a further component of pls is tested by what it leaves of the unexplained part of the target, as of an objective": [
        "dimension wine --method pls --permutations 19 --every --max-dims 4",
        "dimension fat --method pls --permutations 39 --max-dims 3 --scale standard",
    ],
    "without n_components as many as there are, up to two: of one response these have one and were refused": [
        *(f"update fat --method {method}" for method in ("cca", "opls")),
    ],
    "plssb and spca are fitted from statistics and were refused": [
        *(f"update {data} --method plssb" for data in ("wine", "fat", "rich", "weights", "sparse.svm")),
        *(f"fit {data} --method spca --stream --predictor gaussian" for data in ("wine", "sparse.svm", "weights")),
        "fit rich --method spca --stream --predictor one-vs-rest",
    ],
    "what counts as equally good is within the standard error of the paired difference to the best, too": [
        "tune wine --method lda --dims 1,2 --folds 3 --outer-folds 2",
        "tune fat --method pls --dims 1:6 --folds 5 --outer-folds 3 --predictor ridge",
        "tune fat --method pls,spca --dims 1:3 --folds 3 --no-nested --seed 4",
        "tune fat --method kspca --grid kernel_width=log:0.1:10:3 --dims 1,2 --folds 3 --no-nested",
        "tune rich --method cca --grid ridge_rel=0,0.1 --dims 1,2 --folds 3 --no-nested",
    ],
    "sdpp with about as many columns as rows, or more, chooses a ridge on rows kept out instead of fitting noise": [
        *(f"fit {data} --method sdpp --n-starts 2 --n-components 2 --predictor gaussian" for data in ("colon", "srbct")),
        *(f"fit {data} --method sdpp --n-starts 2 --n-components 2 --predictor linear" for data in ("ducks", "wide")),
    ],
}

FIT = "fit {data} {options} -o {model} -q --threads {threads}"
TRANSFORM = "transform {model} {data} -o {out} -q --threads {threads}"
PREDICT = "predict {model} {data} -o {out} -q --threads {threads}"
UPDATE = "update {model} {data} {options} -o {model} -q --threads {threads}"
EVALUATE = "evaluate {model} {data} {options} --json -q --threads {threads}"
FIGURES = "{verb} {data} {options} --json -q --threads {threads}"  # compare, tune, dimension

# How a refusal is told that is for want of an optional library; such a case is skipped.
NOT_BUILT = b"this build has no"

# Data sets: what they need of a method, and how they are read. make_data() below makes them.
Data = collections.namedtuple("Data", "needs reading")
DATA = {
    "iris": Data({"classes"}, "--target y"),
    "petals": Data({"classes"}, "--target y"),  # iris without its ties, for graphs
    "wine": Data({"classes"}, "--target y"),
    "fat": Data({"real"}, "--target fat"),
    "meat": Data({"real", "several-responses"}, "--target water,fat,protein"),
    "rich": Data({"multi-label"}, "--target wet,fatty,lean"),
    "few": Data({"classes"}, "--target y"),
    "fewfat": Data({"real"}, "--target fat"),
    "spectra": Data({"real"}, "--target fat"),
    "wide": Data({"real"}, "--target fat"),
    "weights": Data({"classes", "weights"}, "--target y --weights w"),
    "weightsfat": Data({"real", "weights"}, "--target fat --weights w"),
    "some": Data({"classes", "unlabelled-rows"}, "--target y"),
    "somefat": Data({"real", "unlabelled-rows"}, "--target fat"),
    "words": Data({"classes"}, "--target y"),
    "holes": Data({"classes"}, "--target y --missing mean"),
    "rows": Data({"no-target"}, ""),
    "dense": Data({"classes", "sparse"}, "--target y"),
    "sparse.svm": Data({"classes", "sparse"}, ""),
    "richsparse.svm": Data({"multi-label", "sparse"}, ""),
    "gram": Data({"classes"}, "--target y"),
    "gramfat": Data({"real"}, "--target fat"),
    # from here on in the folder of shared data, where there is one
    "ionosphere": Data({"classes"}, "--target y"),
    "colon": Data({"classes"}, "--target y"),
    "srbct": Data({"classes"}, "--target y"),
    "servo": Data({"real"}, "--target y"),
    "ducks": Data({"real"}, "--target y"),
    "yeast": Data({"multi-label"}, "--target Class1..Class14"),
    "rcv1.svm": Data({"multi-label", "sparse"}, ""),
}
SHARED_SETS = {"ionosphere": "ionosphere.csv", "colon": "colon.csv", "srbct": "srbct.csv", "servo": "servo.csv",
               "ducks": "ducks.csv", "yeast": "yeast.csv.gz", "rcv1.svm": "rcv1-top944.svm.gz"}

# Every method is fitted on each of these that it takes, with the predictor of its target.
EVERY = ["iris", "wine", "fat", "meat", "rich", "wide", "weights", "weightsfat", "some", "somefat", "dense", "sparse.svm",
         "richsparse.svm", "rows", "ionosphere", "colon", "srbct", "servo", "ducks", "yeast", "rcv1.svm"]
PREDICTORS = {"classes": "gaussian", "real": "linear", "multi-label": "one-vs-rest"}
# Choices and ways are tried on the first two of these that the method takes; slow methods take the smaller.
PLAIN = ["wine", "meat", "fat", "rich"]
PLAIN_SMALL = ["few", "fewfat", "rich"]
SLOW_METHODS = {"kdr", "sdpp", "ksdpp", "cmvu", "mkdr", "bair"}
# Words that a method is given besides, where its choices are tried and on every data set: what keeps it quick and its result well determined.
BESIDES = {"ksdpp": "--pca-dims 4"}
BESIDES_EVERY = {"ksdpp": "--pca-dims 4", "kdr": "--n-starts 1 --n-stages 20", "sdpp": "--n-starts 2"}
# Methods that want a word more for rows without a target.
SEMI = {"sdpp": "--manifold 0.1", "ksdpp": "--manifold 0.1"}
COMMON = ["--n-components 1", "--n-components 3", "--scale standard", "--scale minmax --row-scale unit",
          "--row-scale standard"]
NOT_OWN = {"n_components", "scale", "row_scale", "predictor", "predictor_neighbors", "predictor_ridge", "random_state",
           "keep_statistics", "landmark_choice"}

# Parameters that are no choices, with what they are set to where a method has all of them and the choices.
WAYS = [
    "center=0", "ridge=0.5", "ridge_rel=0.01", "rank=20", "rank=0", "standardize=0", "features=30",
    "landmarks=20 landmark_choice=uniform", "landmarks=20 landmark_choice=kmeans", "landmarks=20 landmark_choice=leverage",
    "kernel=polynomial degree=2 coef0=0.5", "kernel=laplacian kernel_width=2",
    "kernel=isomap graph=natural", "kernel=lle n_neighbors=8", "kernel=laplacian-eigenmaps graph=epsilon radius=300",
    "kernel_width=0.7 response_width=0.4", "response_kernel=rbf response_width=3", "pca_dims=3", "early_stopping=0.3",
    "repulsion=0.1", "manifold=0.1", "penalty=l1 penalty_weight=0.01", "penalty=l21 penalty_weight=0.01 solver=cg",
    "divergence=kl repulsion=0.1", "divergence=itakura-saito solver=cg", "solver=first-order n_components=0",
    "solver=two-stage tol=1e-12", "solver=two-stage ridge_rel=0.01", "solver=dual ridge_rel=0.01",
    "graph=epsilon radius=60", "graph=full n_starts=3", "heat_width=500", "n_starts=2 random_state=5", "n_neighbors=7",
    "n_basis=4", "nu=0.5", "eta=0", "eta=20", "n_slices=4", "n_features=4", "version=1", "fraction=0.5", "n_components=0",
]

# Further fits and other verbs, written out: VERB DATA OPTIONS. The data's reading options are added. `update` fits the
# first half of the rows with --keep-statistics, adds the rest and takes the first tenth away; `evaluate` has the
# options of the fit before `|` and its own after it. `tune` also writes a model, of which the projection is kept.
FURTHER = [
    *(f"fit {data} --method {method} --predictor {predictor} --n-components 2"
      for data, methods, predictors in [
          ("wine", ["lda", "kpca"], ["centroid", "gaussian", "logistic", "knn", "knn --predictor-neighbors 5",
                                     "logistic --predictor-ridge 0.1", "linear", "one-vs-rest"]),
          ("fat", ["pls", "kspca"], ["linear", "ridge", "knn", "knn --predictor-neighbors 0",
                                     "ridge --predictor-ridge 0.2", "gaussian"]),
          ("meat", ["cca"], ["linear", "ridge", "knn --predictor-neighbors 3"]),
          ("rich", ["opls"], ["one-vs-rest", "one-vs-rest --predictor-ridge 0.3", "logistic", "knn",
                              "knn --predictor-neighbors 7", "linear"])]
      for method in methods for predictor in predictors),
    *(f"fit {data} --method {method} --stream --predictor {predictor}"
      for method in ["pca", "pls", "lda", "cca", "opls", "hsl", "sir", "cfml", "spca"]
      for data, predictor in [("wine", "gaussian"), ("sparse.svm", "gaussian"), ("meat", "linear"), ("fat", "linear"),
                              ("rich", "one-vs-rest"), ("weights", "gaussian")]),
    *(f"update {data} --method {method}"
      for method in ["pca", "pls", "lda", "cca", "opls", "hsl", "sir", "cfml", "plssb"]
      for data in ["wine", "fat", "rich", "weights", "sparse.svm"]),
    "update wine --method lda --predictor gaussian --scale standard",
    "update meat --method pls --predictor linear --n-components 3",
    *(f"fit spectra --method {method} --n-components {r} --row-scale standard --predictor linear"
      for method in ["pls", "pca", "spca", "plssb", "cca", "sir", "kpls", "auto"] for r in (1, 3)),
    *(f"fit gram --method {method} --kernel precomputed"
      for method in ["kpca", "kspca", "kpls", "kplssb", "kcca", "kfda", "ksdpp"]),
    *(f"fit gramfat --method {method} --kernel precomputed" for method in ["kspca", "kpls", "kplssb", "kcca", "ksdpp"]),
    *(f"fit holes --method {method}" for method in ["pca", "lda", "kfda"]),
    *(f"fit {data} --method {method}" for method in ["auto"] for data in ["wine", "fat", "rich", "wide", "sparse.svm", "colon"]),
    *(f"fit fewfat --method {method} {way}" for method in ["sdpp", "ksdpp --pca-dims 4"]
      for way in ["--graph-file fewpairs.csv", "--choose-neighbors 4,8,16"]),
    *(f"fit fewrows --method {method} --pca-dims 4 --target-distances fewpairs.csv" for method in ["sdpp", "ksdpp"]),
    *(f"fit few --method {method} --unlabelled rows.csv" for method in ["rsir", "lsir", "mkdr", "cmvu"]),
    "fit few --method sdpp --manifold 0.1 --unlabelled rows.csv",
    *(f"fit petals --method {method} --graph {graph}"
      for method in ["sdpp --n-starts 2", "ksdpp --pca-dims 4", "kspca --kernel isomap", "kspca --kernel lle", "mkdr", "cmvu"]
      for graph in ["natural", "enclosing", "epsilon --radius 1", "knn --neighbors approximate"]),
    "fit words --method lda",
    "fit words --method pls --encode ordinal --predictor logistic",
    "fit wine --method pls --task regression --predictor linear",
    "evaluate wine --method lda --predictor gaussian | --metric all",
    "evaluate wine --method kfda --predictor knn | --continuity --hsic --permutations 19",
    "evaluate wine --method lda | --explained --importance --stability --resamples 10",
    "evaluate fat --method pls --predictor linear | --metric all",
    "evaluate fat --method pls | --explained --importance --stability --resamples 10 --resample half",
    "evaluate fat --method sir --n-components 1 | --continuity --continuity-k 5,10",
    "evaluate meat --method cca --predictor ridge | --hsic --permutations 19 --explained",
    "evaluate rich --method hsl --predictor one-vs-rest | --metric all",
    "evaluate rich --method cca --predictor logistic | --importance --hsic --permutations 19",
    "evaluate wine --method pca | --subspace directions.csv",
    "evaluate yeast --method hsl --predictor one-vs-rest | --metric all",
    "compare wine --methods lda,pls,kfda,spca --dims 1,2 --splits 3",
    "compare wine --methods lda,sir --dims 1:2 --folds 4 --repeats 2 --seed 3",
    "compare fat --methods pls,opls,spca,sir,kpls --dims 1,3 --splits 3 --scale standard",
    "compare fat --methods pls,cca --grid ridge_rel=0,0.01 --dims 1,2 --folds 5 --metric mae",
    "compare fat --methods pls,plssb --dims 1:5 --choose --splits 3 --inner-folds 4",
    "compare meat --methods pls,cca,kcca --dims 2 --splits 3",
    "compare rich --methods hsl,cca,opls --dims 1,2 --splits 3",
    "compare ionosphere --methods lda,save,cfml --dims 1 --splits 3",
    "tune wine --method lda --dims 1,2 --folds 3 --outer-folds 2",
    "tune wine --method lda,kfda --dims 1,2 --folds 3 --no-nested --rule best",
    "tune fat --method pls --dims 1:6 --folds 5 --outer-folds 3 --predictor ridge",
    "tune fat --method pls,spca --dims 1:3 --folds 3 --no-nested --seed 4",
    "tune fat --method kspca --grid kernel_width=log:0.1:10:3 --dims 1,2 --folds 3 --no-nested",
    "tune rich --method cca --grid ridge_rel=0,0.1 --dims 1,2 --folds 3 --no-nested",
    "dimension wine --method lda --permutations 19",
    "dimension wine --method pls --permutations 19 --every --max-dims 4",
    "dimension fat --method sir --permutations 19 --max-dims 4",
    "dimension fat --method save --permutations 0 --max-dims 4",
    "dimension fat --method pls --permutations 39 --max-dims 3 --scale standard",
    "dimension rich --method cca --permutations 19 --max-dims 3",
    "dimension wine --method kpca --permutations 0",
]
# ---------------------------------------------------------------------------------------------------------------------


def option(name, value):
    return "--" + name.replace("_", "-") + " " + value


def takes(parameters, way):
    return all(name in parameters and value in (parameters[name]["choices"] or [value]) for name, value in way)


def kind(data):
    return next((k for k in PREDICTORS if k in DATA[data].needs), None)


def cases_of(method):
    """The commands of one method, from its table of parameters."""
    name, able = method["name"], set(method["capabilities"])
    parameters = {parameter["name"]: parameter for parameter in method["parameters"]}
    start = "fit {} --method " + name
    for data in EVERY:
        if DATA[data].needs <= able:
            words = [start.format(data), *BESIDES_EVERY.get(name, "").split(), "--n-components 2"]
            if data in ("some", "somefat") and name in SEMI:
                words.append(SEMI[name])
            if kind(data):
                words += ["--predictor", PREDICTORS[kind(data)]]
            yield " ".join(words)
    plain = [data for data in (PLAIN_SMALL if name in SLOW_METHODS else PLAIN) if DATA[data].needs <= able][:2]
    start += " " + BESIDES[name] if name in BESIDES else ""
    own = []
    for parameter in parameters.values():
        if parameter["name"] not in NOT_OWN:
            own += [option(parameter["name"], choice) for choice in parameter["choices"]
                    if choice not in (parameter["default"], "precomputed")]
    for number, words in enumerate(own):
        for data in plain if words.startswith("--solver") else [plain[number % len(plain)]]:
            yield start.format(data) + " " + words
    ways = [[word.split("=") for word in way.split()] for way in WAYS]
    ways = [" ".join(option(*word) for word in way) for way in ways if takes(parameters, way)]
    for number, words in enumerate(ways + COMMON):
        yield start.format(plain[number % len(plain)]) + " " + words


def all_cases(alidade):
    methods = json.loads(subprocess.run([alidade, "methods", "--json"], capture_output=True, check=True).stdout)
    return list(dict.fromkeys([case for method in methods for case in cases_of(method)] + FURTHER))


# Data.

def table(name):
    """Header and rows of a csv file, bundled or shared."""
    path = os.path.join(SHARED if name in SHARED_SETS.values() else BUNDLED, name)
    with (gzip.open if name.endswith(".gz") else open)(path, "rt", newline="") as file:
        lines = list(csv.reader(file))
    return lines[0], lines[1:]


class Maker:
    """Writes the data sets of one folder; the cells of X are changed by parts of `noise`."""

    def __init__(self, folder, noise, seed):
        self.folder, self.noise, self.draw = folder, noise, numpy.random.RandomState(seed)

    def changed(self, x):
        x = numpy.asarray(x, float)
        _, first, which = numpy.unique(x, axis=0, return_index=True, return_inverse=True)
        noise = self.draw.standard_normal(x.shape)[first[which.ravel()]]  # equal rows stay equal
        return x * (1 + self.noise * noise)

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in lines)

    def csv(self, name, names, x, target_names=(), targets=None):
        """The whole, and for `update` the first half, the rest and the first tenth."""
        targets = targets if targets is not None else [[]] * len(x)
        rows = [",".join(["" if value != value else repr(float(value)) for value in row] + [str(cell) for cell in cells])
                for row, cells in zip(x, targets)]
        self.parts(name, ".csv", [",".join([*names, *target_names])], rows)

    def parts(self, name, ending, head, rows):
        order = [*range(0, len(rows), 2), *range(1, len(rows), 2)]
        half, tenth = (len(rows) + 1) // 2, len(rows) // 10
        self.write(name + ending, head + rows)
        self.write(name + "-first" + ending, head + [rows[i] for i in order[:half]])
        self.write(name + "-rest" + ending, head + [rows[i] for i in order[half:]])
        self.write(name + "-gone" + ending, head + [rows[i] for i in order[:tenth]])

    def svm(self, name, x, labels):
        rows = [label + "".join(f" {j + 1}:{float(v)!r}" for j, v in enumerate(row) if v) for label, row in zip(labels, x)]
        self.parts(name, ".svm", [], rows)


def bundled_data(make):
    names, rows = table("iris.csv")
    make.csv("iris", names[:-1], make.changed([row[:-1] for row in rows]), ["y"], [row[-1:] for row in rows])
    x = numpy.array([row[:-1] for row in rows], float)
    x += 0.05 * numpy.random.RandomState(6).standard_normal(x.shape)
    make.csv("petals", names[:-1], make.changed(x), ["y"], [row[-1:] for row in rows])
    names, rows = table("wine.csv")
    x, y = make.changed([row[:-1] for row in rows]), [row[-1:] for row in rows]
    names = names[:-1]
    make.csv("wine", names, x, ["y"], y)
    make.csv("rows", names, x)
    make.csv("few", names, x[::3], ["y"], y[::3])
    make.csv("weights", names, x, ["y", "w"], [[*cell, 1 + i % 4] for i, cell in enumerate(y)])
    make.csv("some", names, x, ["y"], [cell if i % 3 == 0 else [""] for i, cell in enumerate(y)])
    make.csv("words", names, x, ["word", "y"], [["abc"[i * i % 3], *cell] for i, cell in enumerate(y)])
    holes = numpy.where(numpy.random.RandomState(3).uniform(size=x.shape) < 0.05, numpy.nan, x)
    make.csv("holes", names, holes, ["y"], y)
    make.csv("directions", names, [[i == j for j in range(13)] for i in (6, 12)])
    scaled = x / numpy.std(x, axis=0)
    thin = numpy.where(numpy.random.RandomState(4).uniform(size=x.shape) < 0.4, 0.0, scaled)
    make.csv("dense", names, thin, ["y"], y)
    make.svm("sparse", thin, [cell[0] for cell in y])
    short = scaled[::3] - scaled.mean(axis=0)
    make.csv("gram", [f"k{j}" for j in range(len(short))], short @ short.T, ["y"], y[::3])

    names, rows = table("tecator.csv")
    features, responses = names[:100], names[100:]
    x, targets = make.changed([row[:100] for row in rows]), [row[100:] for row in rows]
    fat = [[row[responses.index("fat")]] for row in targets]
    real = numpy.array(targets, float)
    make.csv("spectra", features, x, ["fat"], fat)
    make.csv("wide", features, x[:60], ["fat"], fat[:60])
    coarse, names = x[:, ::10], features[::10]
    make.csv("fat", names, coarse, ["fat"], fat)
    make.csv("fewfat", names, coarse[::3], ["fat"], fat[::3])
    make.csv("fewrows", names, coarse[::3])
    make.csv("meat", names, coarse, responses, targets)
    make.csv("weightsfat", names, coarse, ["fat", "w"], [[*cell, 0.5 + i % 3] for i, cell in enumerate(fat)])
    make.csv("somefat", names, coarse, ["fat"], [cell if i % 2 == 0 else [""] for i, cell in enumerate(fat)])
    labels = (real > numpy.median(real, axis=0)).astype(int)
    make.csv("rich", names, coarse, ["wet", "fatty", "lean"], labels.tolist())
    thin = numpy.where(numpy.random.RandomState(5).uniform(size=coarse.shape) < 0.3, 0.0, coarse)
    make.svm("richsparse", thin, [",".join(str(j + 1) for j in range(3) if row[j]) for row in labels])
    short = coarse[::3] - coarse.mean(axis=0)
    make.csv("gramfat", [f"k{j}" for j in range(len(short))], short @ short.T, ["fat"], fat[::3])
    few = [float(cell[0]) for cell in fat[::3]]
    pairs = [f"{i + 1},{(i + s) % len(few) + 1},{abs(few[i] - few[(i + s) % len(few)]) + 0.1!r}"
             for i in range(len(few)) for s in (1, 2, 5)]
    make.write("fewpairs.csv", ["row,neighbour,weight", *pairs])


def shared_data(make):
    """Those that are there."""
    # rows and columns to take, and how many targets there are
    cuts = {"ionosphere": (slice(0, None, 3), slice(None), 1), "colon": (slice(None), slice(0, None, 8), 1),
            "srbct": (slice(None), slice(0, None, 8), 1), "servo": (slice(None), slice(None), 1),
            "ducks": (slice(None), slice(0, None, 16), 1), "yeast": (slice(0, 160), slice(None), 14)}
    for name, (some_rows, some_columns, targets) in cuts.items():
        if os.path.exists(os.path.join(SHARED, SHARED_SETS[name])):
            names, rows = table(SHARED_SETS[name])
            rows = rows[some_rows]
            x = numpy.array([row[:-targets] for row in rows], float)[:, some_columns]
            make.csv(name, names[:-targets][some_columns], make.changed(x), names[-targets:], [row[-targets:] for row in rows])
    path = os.path.join(SHARED, SHARED_SETS["rcv1.svm"])
    if os.path.exists(path):
        with gzip.open(path, "rt") as file:
            lines = [line.split() for line, _ in zip(file, range(150))]
        x, labels = numpy.zeros((len(lines), 944)), []
        for i, words in enumerate(lines):
            for word in words[1:]:
                j, value = word.split(":")
                x[i, int(j) - 1] = float(value)
            labels.append(",".join(label for label in words[0].split(",") if int(label) < 30) or "0")
        make.svm("rcv1", make.changed(x), labels)


def make_data(folder, noise, seed):
    os.mkdir(folder)
    make = Maker(folder, noise, seed)
    bundled_data(make)
    shared_data(make)


# Running.

class Refused(Exception):
    """A verb ended with another status than 0."""


class Runner:
    """Runs cases in a folder of data; the files they write are beside it."""

    def __init__(self, alidade, folder, threads):
        self.alidade, self.folder, self.threads = alidade, folder, threads

    def alidade_run(self, command, **words):
        command = command.format(threads=self.threads, **words).split()
        command = [RENAMED.get(word, word) for word in command]
        ended = subprocess.run([self.alidade, *command], cwd=self.folder, capture_output=True, check=False,
                               timeout=TIME_LIMIT, env={**os.environ, "OPENBLAS_NUM_THREADS": str(self.threads),
                                                        "OPENBLAS_CORETYPE": KERNELS})
        if ended.returncode and NOT_BUILT in ended.stderr:
            raise Refused("not built")
        if ended.returncode:
            raise Refused(f"{command[0]} {ended.returncode}")
        return ended.stdout

    def array(self, command, model, data, out):
        self.alidade_run(command, model=model, data=data, out=out)
        return numpy.load(out)

    def run(self, case):
        """What a case gives: fingerprints by name, or the verb that refused with its status."""
        place = tempfile.mkdtemp(dir=os.path.dirname(self.folder))
        try:
            return self.results(case, place)
        except Refused as refused:
            return {"refused": str(refused)}
        finally:
            shutil.rmtree(place)

    def results(self, case, place):
        verb, data, rest = case.split(" ", 2)
        options, _, own = rest.partition(" | ")
        name, ending = os.path.splitext(data)
        ending = ending or ".csv"
        reading = DATA[data].reading if data in DATA else ""
        file, model, options = name + ending, os.path.join(place, "m.ald"), f"{reading} {options}"
        if verb in ("compare", "tune", "dimension"):
            options += f" -o {model}" if verb == "tune" else ""
            told = self.alidade_run(FIGURES, verb=verb, data=file, options=options)
            got = {"figures": figures(json.loads(told))}
        elif verb == "update":
            self.alidade_run(FIT, data=name + "-first" + ending, options=options + " --keep-statistics", model=model)
            self.alidade_run(UPDATE, data=name + "-rest" + ending, options="", model=model)
            self.alidade_run(UPDATE, data=name + "-gone" + ending, options="--remove", model=model)
            got = {}
        else:
            self.alidade_run(FIT, data=file, options=options, model=model)
            got = {}
        if verb == "evaluate":
            got = {"figures": figures(json.loads(self.alidade_run(EVALUATE, model=model, data=file, options=own)))}
        elif os.path.exists(model):
            got["z"] = fingerprint(self.array(TRANSFORM, model, file, os.path.join(place, "z.npy")), 12)
            if "--predictor" in options.split() and verb != "tune":
                real = kind(data) == "real" or "linear" in options.split()
                scores = "" if real else " --scores"
                got["p"] = fingerprint(self.array(PREDICT + scores, model, file, os.path.join(place, "p.npy")), 6)
        return got


# Fingerprints: [shape, lengths of the columns, sums], a sum of each column in turn; of one column made of all where there
# are more than six.

def fingerprint(array, sums):
    array = numpy.asarray(array, float).reshape(len(array), -1)
    columns = array.T if array.shape[1] <= 6 else array.reshape(1, -1)
    weights = numpy.random.RandomState(20240501)
    sums = max(sums, len(columns))
    return [list(array.shape), [float(numpy.linalg.norm(column)) for column in columns],
            [float(weights.standard_normal(columns.shape[1]) @ columns[k % len(columns)]) for k in range(sums)]]


def figures(tree):
    """Fingerprints of the numbers in a tree of JSON, those of one name together."""
    found = collections.defaultdict(list)

    def walk(node, name):
        if name == "pooled":  # figures of all test rows together, which the records do not have
            return
        if isinstance(node, dict):
            for key, value in node.items():
                walk(value, key)
        elif isinstance(node, list):
            for value in node:
                walk(value, name)
        elif isinstance(node, (bool, int, float)) and not re.search("second|time|thread", name):
            found[name].append(float(node))

    walk(tree, "")
    return {name: fingerprint(numpy.array(values), 2) for name, values in sorted(found.items())}


def flat(result):
    """Fingerprints by name, those of figures too."""
    prints = {name: value for name, value in result.items() if name in ("z", "p")}
    prints.update({"figure " + name: value for name, value in result.get("figures", {}).items()})
    return prints


def differences(want, got):
    """The largest difference of each column, as a part of its length; None where the shapes differ."""
    if want[0] != got[0] or len(want[1]) != len(got[1]):
        return None
    whole = numpy.linalg.norm(want[1])
    scales = numpy.maximum(want[1], 1e-9 * whole + 1e-300)
    far = numpy.abs(numpy.subtract(want[1], got[1])) / scales
    for k, (a, b) in enumerate(zip(want[2], got[2])):
        column = k % len(scales)
        far[column] = max(far[column], abs(a - b) / scales[column])
    return [float(value) if value == value else float("inf") for value in far]


# The two modes.

def run_all(runner, cases):
    def timed(case):
        start = time.monotonic()
        return runner.run(case), time.monotonic() - start

    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        return dict(zip(cases, pool.map(timed, cases)))


def sensitivities(base, others):
    """The largest difference of each column of each fingerprint among the runs of a case; 1 where nothing can be said."""
    sensitive = {}
    for name, want in flat(base).items():
        worst = [0.0] * len(want[1])
        for other in others:
            far = differences(want, flat(other)[name]) if name in flat(other) else None
            worst = [max(a, b) for a, b in zip(worst, far or [1.0] * len(worst))]
        sensitive[name] = [float(f"{min(value, 1.0):.1e}") for value in worst]
    return sensitive


def with_fewer(case):
    """The same with one direction, for targets that have no more."""
    if "--n-components 2" in case:
        return case.replace("--n-components 2", "--n-components 1")
    return case if "--n-components" in case or not case.startswith("fit ") else case + " --n-components 1"


def record(options):
    absent = [file for file in SHARED_SETS.values() if not os.path.exists(os.path.join(SHARED, file))]
    if absent:
        sys.exit(f"recording needs all data sets; set ALD_SHARED_DATA: {', '.join(absent)} not found")
    with tempfile.TemporaryDirectory(prefix="alidade-numbers-") as place:
        folders = [os.path.join(place, name) for name in ("plain", "noise1", "noise2")]
        for seed, folder in enumerate(folders):
            make_data(folder, NOISE if seed else 0.0, seed)
        cases = sum(FIXED.values(), []) if options.fixed else all_cases(options.alidade)
        start = time.monotonic()
        runner = Runner(options.alidade, folders[0], 1)
        base = run_all(runner, cases)
        other = {case: with_fewer(case) for case in cases if "refused" in base[case][0]}
        fewer = run_all(runner, [case for case in other.values() if case not in base])
        base.update(fewer)
        done = [case for case in other if other[case] in fewer and "refused" not in fewer[other[case]][0]]
        cases = list(dict.fromkeys(other[case] if case in done else case for case in cases))
        print(f"{len(cases)} cases in {time.monotonic() - start:.0f} s", flush=True)
        again = run_all(runner, [case for case in cases if base[case][1] > SLOW])  # perhaps the machine was busy
        base.update({case: min(base[case], again[case], key=lambda pair: pair[1]) for case in again})
        for case in [case for case in cases if base[case][1] > SLOW]:
            print(f"left out, {base[case][1]:.1f} s: {case}")
        cases = [case for case in cases if base[case][1] <= SLOW]
        others = [run_all(runner, cases) for runner in (Runner(options.alidade, folders[0], 2),
                                                        Runner(options.alidade, folders[1], 1),
                                                        Runner(options.alidade, folders[2], 1))]
    if any(result.get("refused") == "not built" for result, _ in base.values()):
        sys.exit("recording needs a build with all optional libraries")
    lines, shape_only, refused = [], 0, 0
    for case in cases:
        result = dict(base[case][0])
        sensitive = sensitivities(result, [other[case][0] for other in others])
        if sensitive:
            result["sensitivity"] = sensitive
        shape_only += any(value > HOPELESS for values in sensitive.values() for value in values)
        refused += "refused" in result
        lines.append(json.dumps(case) + ":" + json.dumps(result, separators=(",", ":")))
    with open(options.output, "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} cases recorded, {refused} of them refused, {shape_only} with a column of which only the shape can be "
          f"compared, {os.path.getsize(options.output) // 1024} KiB")


def compare(case, want, got):
    """What differs of a case, and the columns of which only the shape was compared."""
    wrong, loose = [], []
    if want.get("refused") != got.get("refused"):
        return [f"{case}\n    was {want.get('refused', 'not')} refused, is {got.get('refused', 'not')} refused"], []
    now = flat(got)
    for name, value in flat(want).items():
        far = differences(value, now[name]) if name in now else None
        if far is None:
            wrong.append(f"{case}\n    {name}: shape was {value[0]}, is {now[name][0] if name in now else 'not there'}")
            continue
        for column, (distance, sensitive) in enumerate(zip(far, want["sensitivity"][name])):
            allowed = max(TOLERANCE, FACTOR * sensitive)
            if sensitive > HOPELESS:
                loose.append(f"{case}: {name}, column {column + 1}")
            elif distance > allowed:
                wrong.append(f"{case}\n    {name}, column {column + 1}: differs by {distance:.2g}, allowed is {allowed:.2g}")
    return wrong, loose


def check(options):
    with open(options.numbers, encoding="ascii") as file:
        first = json.load(file)
    with open(NEWER, encoding="ascii") as file:
        newer = json.load(file)
    recorded = {**first, **{case: newer[case] for case in sum(FIXED.values(), []) if case in first}}
    quick = options.quick and not os.environ.get("ALD_LONG")
    cases = [case for number, case in enumerate(recorded) if options.only in case and (not quick or number % 4 == 0)]
    with tempfile.TemporaryDirectory(prefix="alidade-numbers-") as place:
        folder = os.path.join(place, "plain")
        make_data(folder, 0.0, 0)
        absent = [name for name, file in SHARED_SETS.items() if not os.path.exists(os.path.join(SHARED, file))]
        skipped = [case for case in cases if case.split(" ")[1] in absent]
        cases = [case for case in cases if case.split(" ")[1] not in absent]
        if skipped:
            print(f"skipped {len(skipped)} cases, as these data sets are not here: {', '.join(absent)}")
        if not cases:
            sys.exit(77)
        start = time.monotonic()
        results = run_all(Runner(options.alidade, folder, 1), cases)
        seconds = time.monotonic() - start
    lacking = [case for case in cases if results[case][0].get("refused") == "not built"]
    if lacking:
        print(f"skipped {len(lacking)} cases that need a library which this build has not")
        cases = [case for case in cases if case not in lacking]
    wrong, loose, bad, same = [], [], 0, 0
    for case in cases:
        same += all(results[case][0].get(name) == recorded[case].get(name) for name in ("refused", "z", "p", "figures"))
        differ, only_shape = compare(case, recorded[case], results[case][0])
        wrong, loose, bad = wrong + differ, loose + only_shape, bad + bool(differ)
    for reason, fixed in FIXED.items():
        seen = [case for case in fixed if case in cases]
        if seen:
            print(f"{len(seen)} cases are compared with numbers-fixed.json, since {reason}")
        stale = [case for case in seen if not compare(case, first[case], results[case][0])[0]]
        wrong, bad = wrong + [f"{case}\n    is as it was before it was fixed" for case in stale], bad + len(stale)
    if loose:
        print(f"{len(loose)} columns compared only by their shape, as rounding alone changes them:")
        print("".join(f"    {text}\n" for text in loose), end="")
    print("".join(f"DIFFERS {text}\n" for text in wrong), end="")
    print(f"{len(cases)} cases in {seconds:.0f} s, {same} equal to the last bit, {bad} of them differ")
    sys.exit(1 if wrong else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["record", "check"])
    parser.add_argument("--alidade", required=True, type=os.path.abspath, help="the executable")
    parser.add_argument("-o", "--output", help="record: where to write the numbers")
    parser.add_argument("--numbers", default=os.path.join(HERE, "numbers.json"), help="check: what to compare with")
    parser.add_argument("--quick", action="store_true", help="check: every fourth case")
    parser.add_argument("--only", default="", help="check: cases with this text in their command")
    parser.add_argument("--fixed", action="store_true", help="record: the cases of FIXED, to numbers-fixed.json")
    options = parser.parse_args()
    if options.mode == "record":
        output = options.output or (NEWER if options.fixed else options.numbers)
        record(argparse.Namespace(alidade=options.alidade, output=output, fixed=options.fixed))
    else:
        check(options)


if __name__ == "__main__":
    main()
