"""The runner of the experiments, on small declarations: what it writes, that it goes on where it stopped, that it measures again only
what changed, that missing data and failing commands are told. Usage: check_experiments.py ALIDADE"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import numpy

executable = os.path.abspath(sys.argv[1])
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(root, "experiments"))
from job import mean_and_deviation, merged  # noqa: E402
from kinds.projection import angle_between  # noqa: E402
from page import wrapped  # noqa: E402

failures, checks = [], 0

PARITY = """title = "Parity"
source = "a test"
kind = "projection"
truth = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]]
draws = 9
why = "{why}"
[data]
generate = "parity"
n = {n}
train = 200
target = "y"
[[methods]]
name = "sdpp"
dims = 2
n_neighbors = 12
[[methods]]
name = "pls"
dims = 2
[quick.settings.pls]
algorithm = "nipals"
[paper.says]
sdpp = "finds it"
"""
SPECTRA = """title = "Spectra"
source = "a test"
kind = "projection"
metric = "rmse"
plot = "both"
[data]
file = "tecator.csv"
target = "fat"
ignore = "water,protein"
row_scale = "standard"
split = 0.667
[[methods]]
name = "pls"
dims = 1
predictor = "linear"
"""
MISSING = SPECTRA.replace("tecator.csv", "no-such-file.csv")
FAILING = SPECTRA.replace('"fat"', '"fatt"')


def check(what, holds):
    global checks
    checks += 1
    if not holds:
        failures.append(what)


class Place:
    """A folder with declarations and all that the runner writes."""

    def __init__(self, folder):
        self.folder = folder
        os.mkdir(os.path.join(folder, "toml"))

    def declare(self, name, text):
        with open(os.path.join(self.folder, "toml", name + ".toml"), "w", encoding="utf-8") as file:
            file.write(text)

    def command(self, *words):
        path = lambda name: os.path.join(self.folder, name)
        return [sys.executable, os.path.join(root, "experiments", "run"), "--alidade", executable, "--data", path("data"), "--out", path("out"),
                "--results", path("kept"), "--declarations", path("toml"), *words]

    def run(self, *words):
        done = subprocess.run(self.command(*words), capture_output=True, text=True, cwd=self.folder)
        return done.returncode, done.stdout + done.stderr

    def read(self, *parts):
        with open(os.path.join(self.folder, *parts), encoding="utf-8") as file:
            return file.read()

    def kept(self, name):
        return json.loads(self.read("kept", name + ".quick.json"))


def check_page(place):
    place.declare("a-parity", PARITY.format(n=400, why="It agrees."))
    place.declare("b-spectra", SPECTRA)
    place.declare("c-missing", MISSING)
    status, told = place.run()
    page = place.read("out", "results.md")
    check(f"all run, the missing one is skipped: {told}", status == 0 and "skipped: no-such-file.csv is not in" in told)
    check("the page says what is missing", "*No result: no-such-file.csv is not in" in page)
    check("the page has the settings, the sentence and the paper's words",
          "algorithm=nipals" in page and "It agrees." in page and "| finds it |" in page)
    check("the page has the commands", "alidade fit tecator-train.csv --target fat --ignore water,protein --row-scale standard --method pls" in page)
    pictures = sorted(os.listdir(os.path.join(place.folder, "out", "results")))
    check(f"a picture a method: {pictures}", pictures == ["a-parity.pls.svg", "a-parity.sdpp.svg", "b-spectra.pls.svg"])
    angles = [seen["angle"] for seen in place.kept("a-parity")["result"]["sdpp"]]
    check(f"sdpp is near the truth: {angles}", len(angles) == 9 and sum(angles) / 9 < 15)
    mean, deviation = mean_and_deviation(angles)
    check("mean and deviation", f"{mean:.1f} ± {deviation:.1f}" in page)
    return page


def check_again(place, page):
    status, told = place.run()
    check(f"what is finished is known: {told}", status == 0 and told.count("known") == 2 and place.read("out", "results.md") == page)
    before = place.kept("a-parity")
    place.declare("a-parity", PARITY.format(n=400, why="Other words."))
    place.run("a-parity")
    check("other words measure nothing again", place.kept("a-parity") == before and "Other words." in place.read("out", "results.md"))
    place.declare("a-parity", PARITY.format(n=500, why="Other words."))
    place.run("a-parity")
    check("other settings do", place.kept("a-parity")["key"] != before["key"])
    os.remove(os.path.join(place.folder, "out", "results", "a-parity.pls.svg"))
    place.run("a-par")
    check("a picture that was lost is made again", os.path.exists(os.path.join(place.folder, "out", "results", "a-parity.pls.svg")))


def check_resume(place):
    """Killed in the middle, it takes over what was finished: the seconds of those fits are the ones measured before."""
    os.remove(os.path.join(place.folder, "kept", "a-parity.quick.json"))
    process = subprocess.Popen(place.command("a-parity"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    parts = {}
    while process.poll() is None and len(parts) < 2:
        try:
            parts = place.kept("a-parity").get("parts", {})
        except (OSError, ValueError):
            time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    parts = place.kept("a-parity").get("parts", {})
    check("it was killed in the middle", 2 <= len(parts) < 9)
    place.run("a-parity")
    result = place.kept("a-parity")["result"]
    check("the finished draws were taken over", all(result["sdpp"][int(k.split()[1])] == part["value"]["sdpp"] for k, part in parts.items()))
    check("and the others done", len(result["sdpp"]) == 9)


def check_refusals(place):
    place.declare("d-failing", FAILING)
    status, told = place.run("d-failing", "b-spectra")
    check(f"a command that fails is told and the rest goes on: {told}", status == 1 and "FAILED" in told and "fatt" in told and "known" in told)
    check("and stands on the page", "*No result: failed: alidade fit" in place.read("out", "results.md"))
    status, told = place.run("z-nothing")
    check(f"an unknown name is refused: {told}", status == 1 and "there is no 'z-nothing'" in told)
    place.declare("e-broken", "title = ")
    status, told = place.run()
    check(f"a broken declaration is named: {told}", status == 1 and "e-broken.toml" in told)


def check_sums():
    random = numpy.random.default_rng(5)
    for r in (1, 2):
        a, b = random.normal(size=(r, 6)), random.normal(size=(r, 6))
        cosines = numpy.linalg.svd(numpy.linalg.qr(a.T)[0].T @ numpy.linalg.qr(b.T)[0])[1]
        check("angle between subspaces", abs(angle_between(a.tolist(), b.tolist()) - numpy.degrees(numpy.arccos(cosines[-1]))) < 1e-6)
    laid = merged({"methods": [{"name": "a"}, {"name": "a", "label": "b"}], "x": {"u": 1, "v": 2}, "quick": {"x": {"v": 3}, "settings": {"b": {"k": 1}}}}, "quick")
    check("the quick part lies over the rest", laid == {"methods": [{"name": "a"}, {"name": "a", "label": "b", "k": 1}], "x": {"u": 1, "v": 3}})


def check_wrapping():
    """Prose and commands become lines of 120 columns that say the same; tables stay."""
    prose = " ".join(f"word{i} - and `a b c` + {i}. more" for i in range(40))
    lines = wrapped(prose).split("\n")
    check("prose is wrapped", max(map(len, lines)) <= 120 and " ".join(lines) == prose)
    check("no line begins a list", not any(line.split()[0] in ("-", "+") or line.split()[0].rstrip(".").isdigit() for line in lines))
    check("code is not broken", all(line.count("`") % 2 == 0 for line in lines))
    command = "alidade compare a.csv --methods 'sir ridge=1 predictor=knn,pls' " + " ".join(f"--option-{i} value" for i in range(12)) + " -o out.csv"
    lines = wrapped(f"```console\n{command}\n```").split("\n")[1:-1]
    check("a command is broken as the shell wants it", len(lines) == 3 and "\n".join(lines).replace(" \\\n    ", " ") == command)
    check("a command is broken before an option", max(map(len, lines)) <= 120 and all(line.strip().startswith("-") for line in lines[1:]))
    row = "| " + "cell " * 40 + "|"
    check("a row of a table stays", wrapped(row) == row)


with tempfile.TemporaryDirectory() as scratch:
    somewhere = Place(scratch)
    check_again(somewhere, check_page(somewhere))
    check_resume(somewhere)
    check_refusals(somewhere)
check_sums()
check_wrapping()
for failure in failures:
    print("FAILED", failure)
print(f"{checks - len(failures)} of {checks} checks passed")
sys.exit(1 if failures else 0)
