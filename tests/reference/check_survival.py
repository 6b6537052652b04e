"""Times with events against numpy written from the papers, and against R's survival where it is there. Usage: check_survival.py ALIDADE

- residuals: the loadings of pls of one component are X'r of the deviance residuals of the model without columns (Therneau, Grambsch and
  Fleming 1990, Breslow's hazard), with ties and weights; spca and sir see the same response
- bair: its scores are those of univariate Cox models at 0
- cox: the maximum of the partial likelihood (Breslow) on the scores, by scipy from another start
- cox where a row that dies first is so far away that its risk alone would leave nothing of the others in their sums;
  and where a score orders all deaths a warning says that there is no maximum, but not where it has nothing to do with them
- concordance: Harrell's, pair by pair; and what is refused is refused in words

Nothing is shared with the program. Tolerances: products to rounding, maxima to 1e-6 (Newton ends at 1e-12 of the likelihood)."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import minimize, minimize_scalar

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(11)
n, d = 120, 7
x = rng.standard_normal((n, d)) * np.linspace(1.5, 0.5, d)
time = np.round(rng.exponential(np.exp(-x[:, 0] + 0.5 * x[:, 1])) * 10) / 10
event = (rng.random(n) < 0.6).astype(int)
weights = rng.integers(0, 3, n).astype(float)
failures, checks = [], 0


def expect(name, error, tolerance):
    global checks
    checks += 1
    if not error <= tolerance:
        failures.append(f"{name}: off by {error:.2e}, allowed {tolerance:.0e}")


def read_model(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    return {k: np.frombuffer(data[slice(*v["data_offsets"])], "<f8").reshape(v["shape"]) for k, v in header.items()
            if k != "__metadata__" and v["dtype"] == "F64"}


def residuals(w):
    m = np.zeros(n)
    for i in range(n):
        hazard = sum(w[(time == u) & (event == 1)].sum() / w[time >= u].sum() for u in np.unique(time[(event == 1) & (w > 0)]) if u <= time[i])
        died = event[i] and w[i] > 0
        rest = died - hazard
        m[i] = np.sign(rest) * np.sqrt(-2 * (rest + (np.log(hazard) if died else 0)))
    return m


def cox_scores():
    score = np.zeros(d)
    for j in range(d):
        u = information = 0.0
        for i in np.flatnonzero(event):
            risk = x[time >= time[i], j]
            u += x[i, j] - risk.mean()
            information += risk.var()
        score[j] = abs(u) / np.sqrt(information)
    return score


def partial(b, z):
    eta = z @ b
    return -sum(eta[i] - np.log(np.exp(eta[time >= time[i]]).sum()) for i in np.flatnonzero(event))


def concordance(risk):
    pairs = right = 0.0
    for i in np.flatnonzero(event):
        known = (time > time[i]) | ((time == time[i]) & (event == 0))
        pairs += known.sum()
        right += (risk[i] > risk[known]).sum() + 0.5 * (risk[i] == risk[known]).sum()
    return right / pairs


def call(*words):
    return subprocess.run([executable, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def refused(name, needle, *words):
    done = subprocess.run([executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    expect(f"{name} is refused: {done.stderr.strip()[:200]}", float(done.returncode == 0 or needle not in done.stderr), 0)


def check_r(folder, risk):
    script = """library(survival); t <- read.csv('s.csv'); z <- as.matrix(read.csv('z.csv'))
f <- coxph(Surv(t$time, t$event) ~ z, ties='breslow'); r <- residuals(coxph(Surv(t$time, t$event) ~ 1, ties='breslow'), 'deviance')
cat(jsonlite <- paste0('{"b":[', paste(format(coef(f), digits=15), collapse=','), '],"r":[', paste(format(r, digits=15), collapse=','),
 '],"c":', format(concordance(f)$concordance, digits=15), '}'))"""
    if not shutil.which("Rscript"):
        return
    done = subprocess.run(["Rscript", "-e", script], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return
    got = json.loads(done.stdout)
    expect("R, deviance residuals", np.abs(np.array(got["r"]) - residuals(np.ones(n))).max(), 1e-9)
    expect("R, concordance", abs(got["c"] - concordance(risk)), 1e-9)
    z = np.loadtxt(os.path.join(folder, "z.csv"), delimiter=",", skiprows=1)
    expect("R, log risk", np.abs((z - z.mean(0)) @ np.array(got["b"]) - risk).max(), 1e-5)


def check_far_row(path, model):
    far, left, died = rng.standard_normal(n), rng.exponential(size=n), (rng.random(n) < 0.7).astype(int)
    left /= np.exp(far)
    far[0], left[0], died[0] = 3000.0, 1e-9, 1
    np.savetxt(path, np.column_stack([far, died, left]), delimiter=",", header="x,event,time", comments="", fmt="%.17g")
    call("fit", path, "--target", "time", "--event", "event", "--method", "pca", "--components", "1", "-q", "-o", model)
    order = np.argsort(-left)
    at_risk = lambda b: np.logaddexp.accumulate(b * far[order])
    best = minimize_scalar(lambda b: -(died[order] * (b * far[order] - at_risk(b))).sum(), bounds=(0, 5), method="bounded", options={"xatol": 1e-9})
    got = read_model(model)
    expect("cox, a row far away", abs(abs(got["components"] * got["predictor/coefficients"]).item() - best.x), 1e-5)


def check_no_bound(path, model):
    order = rng.standard_normal(60)
    np.savetxt(path, np.column_stack([order, np.ones(60), np.exp(-order)]), delimiter=",", header="x,event,time", comments="", fmt="%.17g")
    words = ["fit", path, "--target", "time", "--event", "event", "--method", "pca", "--components", "1", "-o", model]
    told = subprocess.run([executable, *words], check=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True).stderr
    expect("cox, deaths in the order of the score: a warning", float("the risk has no bound" not in told), 0)


def check_no_effect(path, model):
    own = np.random.default_rng(0)
    noise = np.column_stack([own.exponential(size=(20000, 2)) ** 1.5, own.exponential(size=20000), own.random(20000) < 0.9])
    np.savetxt(path, noise, delimiter=",", header="a,b,time,event", comments="", fmt="%.9g")
    words = ["fit", path, "--target", "time", "--event", "event", "--method", "pca", "--components", "1", "-o", model]
    told = subprocess.run([executable, *words], check=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True).stderr
    expect("cox, deaths that have nothing to do with the score: no warning", float("the risk has no bound" in told), 0)


def check_judging(folder, path, model):
    """compare: in each part the concordance of a fit of the others; tune chooses by it, and fits the predictor of risks."""
    target = ["--target", "time", "--event", "event", "--ignore", "w", "-q"]
    with open(path) as file:
        lines = file.readlines()
    parts, files = np.arange(n) % 3, {name: os.path.join(folder, name) for name in ("parts.csv", "learn.csv", "test.csv")}
    np.savetxt(files["parts.csv"], parts, fmt="p%d")
    told = json.loads(call("compare", path, *target, "--split-file", files["parts.csv"], "--methods", "pls,spca", "--components", "2", "--json"))
    expect("compare: metric", float(told["metric"] != "concordance" or not told["larger_is_better"]), 0)
    rows = {row["method"]: row for row in told["rows"]}
    expect("compare: a constant risk", abs(rows["mean"]["mean"] - 0.5), 1e-12)
    for method in ("pls", "spca", "pca"):
        for part in range(3):
            for name, some in (("learn.csv", parts != part), ("test.csv", parts == part)):
                with open(files[name], "w") as file:
                    file.writelines([lines[0]] + [line for line, wanted in zip(lines[1:], some) if wanted])
            call("fit", files["learn.csv"], *target, "--method", method, "--components", "2", "-o", model)
            got = json.loads(call("evaluate", model, files["test.csv"], "-q", "--json"))["concordance"]
            expect(f"compare: {method}, part {part}", abs(got - rows[method]["values"][part]), 1e-9)
    call("tune", path, *target, "--methods", "pls", "--components", "1,2", "--folds", "3", "-o", model)
    told = json.loads(call("inspect", model, "--json"))
    expect("tune: predictor", float("cox" not in json.dumps(told["parameters"])), 0)
    call("report", model, path, "-q", "-o", os.path.join(folder, "r.html"))


def check_unit_of_weights(path, model, predicted):
    """Weights count in any unit: the log risk is the same, and no warning comes."""
    risks = []
    for unit in 1.0, 1e-12:
        np.savetxt(path, np.column_stack([x, unit * weights, event, time]), delimiter=",", header=",".join([f"x{j}" for j in range(d)] + ["w", "event", "time"]),
                   comments="", fmt="%.17g")
        call("fit", path, "--target", "time", "--event", "event", "--weights", "w", "-q", "-o", model, "--method", "pca", "--components", "2", "--predictor", "cox")
        expect(f"weights in units of {unit}: no warning", float("warning" in call("inspect", model, "-q")), 0)
        call("predict", model, path, "-q", "-o", predicted)
        risks.append(np.loadtxt(predicted, delimiter=",", skiprows=1))
    expect("weights in another unit", np.abs(risks[0] - risks[1]).max(), 1e-6)


with tempfile.TemporaryDirectory() as folder:
    path, model, scores, predicted = (os.path.join(folder, name) for name in ("s.csv", "m.ald", "z.csv", "p.csv"))
    header = ",".join([f"x{j}" for j in range(d)] + ["w", "event", "time"])
    np.savetxt(path, np.column_stack([x, weights, event, time]), delimiter=",", header=header, comments="", fmt="%.17g")
    given = [path, "--target", "time", "--event", "event", "-q", "-o", model]
    for name, w, more in (("plain", np.ones(n), ["--ignore", "w"]), ("weights", weights, ["--weights", "w"])):
        for method in ("sir", "pfc") if name == "weights" else ("pls", "spca"):
            call("fit", *given, "--method", method, "--components", "2", *more, *(["--predictor", "none"] if name == "weights" else []))
            wanted = read_model(model)["components"]
            plain = os.path.join(folder, "r.csv")
            np.savetxt(plain, np.column_stack([x, weights, residuals(w)]), delimiter=",", header=header.replace(",event,time", ",r"), comments="", fmt="%.17g")
            call("fit", plain, "--target", "r", "--task", "regression", "-q", "-o", model, "--method", method, "--components", "2", "--predictor", "none", *more)
            expect(f"{method}, {name}: residuals", np.abs(wanted - read_model(model)["components"]).max() / np.abs(wanted).max(), 1e-8)
    call("fit", *given, "--method", "bair", "--components", "2", "--n-features", "4", "--ignore", "w")
    expect("bair, scores", np.abs(read_model(model)["scores"] - cox_scores()).max(), 1e-9)
    call("transform", model, path, "-q", "-o", scores)
    call("predict", model, path, "-q", "-o", predicted)
    z, risk = np.loadtxt(scores, delimiter=",", skiprows=1), np.loadtxt(predicted, delimiter=",", skiprows=1)
    best = minimize(partial, np.full(2, 0.1), args=(z,), method="BFGS", options={"gtol": 1e-9}).x
    expect("cox, log risk", np.abs((z - z.mean(0)) @ best - risk).max(), 1e-5)
    got = json.loads(call("evaluate", model, path, "-q", "--json"))
    expect("concordance", abs(got["concordance"] - concordance(risk)), 1e-12)
    check_r(folder, risk)
    check_far_row(os.path.join(folder, "far.csv"), model)
    check_no_bound(os.path.join(folder, "order.csv"), model)
    check_no_effect(os.path.join(folder, "noise.csv"), model)
    check_judging(folder, path, model)
    check_unit_of_weights(os.path.join(folder, "small.csv"), model, predicted)
    refused("intervals", "no intervals", "fit", *given, "--method", "pls", "--intervals", "5")
    refused("an error of times", "concordance", "compare", path, "--target", "time", "--event", "event", "--methods", "pls", "--metric", "rmse")
    refused("an event of 2", "is expected", "fit", path, "--target", "time", "--event", "w", "--method", "pls", "-o", model)
    refused("times below 0", "0 or more", "fit", path, "--target", "x1", "--event", "event", "--method", "pls", "-o", model)
    refused("cox without events", "--event", "fit", path, "--target", "time", "--predictor", "cox", "--method", "pls", "-o", model)
    refused("two times", "one column", "fit", path, "--target", "time,x1", "--event", "event", "--method", "pls", "-o", model)
    refused("a stream", "--event", "fit", path, "--target", "time", "--event", "event", "--method", "pls", "--stream", "-o", model)
    with open(scores, "w") as file:
        file.write("x,alive,time\n1,TRUE,2\n2,FALSE,3\n3,TRUE,5\n")
    refused("an event in words", "an event 1 (it came) or 0", "fit", scores, "--target", "time", "--event", "alive", "--method", "pls", "-o", model)
    data = os.path.join(os.environ.get("ALD_SHARED_DATA", ""), "dlbcl.csv.gz")
    if os.path.exists(data):
        call("fit", data, "--target", "y", "--event", "death", "--method", "bair", "--components", "1", "--n-features", "100", "-q", "-o", model)
        got = json.loads(call("evaluate", model, data, "-q", "--json"))["concordance"]
        expect(f"DLBCL, concordance {got:.3f} of its own rows", max(0.65 - got, 0), 0)

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} checks hold")
