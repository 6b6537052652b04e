"""One experiment while it runs: its data, the commands it calls, and what it keeps.

A kind is a module of kinds/ with two functions. `measure(job)` calls job.alidade and gives back what is to be kept, as JSON;
`report(spec, result, pictures)` makes Markdown of that and of the declaration (the paper's numbers), and must compute nothing
that takes time. A long measure wraps its pieces in job.part(key, function), so that it goes on where it stopped."""
import contextlib
import gzip
import hashlib
import json
import os
import subprocess
import tempfile
import time

# What a reader may change after the measurement without it being measured again.
WORDS = ("title", "source", "why", "paper", "quick", "full", "note")


class Missing(Exception):
    """A data file is not there: the experiment is skipped and says so."""


class Failed(Exception):
    """A command failed."""


def merged(declared, setting):
    """The declaration with its [quick] or [full] part laid over it; settings.LABEL is laid over that one of [[methods]]."""
    def lay(below, above):
        return {k: lay(below[k], above[k]) if isinstance(below.get(k), dict) and isinstance(above.get(k), dict)
                else above.get(k, below.get(k)) for k in below | above}
    spec = lay({k: v for k, v in declared.items() if k not in ("quick", "full")}, declared.get(setting, {}))
    laid = spec.pop("settings", {})
    if laid:
        spec["methods"] = [m | laid.get(m.get("label", m["name"]), {}) for m in spec["methods"]]
    return spec


def program_version(program):
    try:
        return subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"experiments: {program} does not run ({error}); `make` builds it, --alidade PROGRAM names another") from None


class Job:
    def __init__(self, name, spec, setting, options, version, root):
        self.name, self.spec, self.setting, self.version = name, spec, setting, version
        self.program = os.path.abspath(options.alidade)
        self.folders = [options.data, os.path.join(root, "data")]
        self.out = options.out
        self.file = os.path.join(options.results, f"{name}.{setting}.json")
        self.state, self.result, self.commands, self.seconds, self.parts = "", None, [], 0.0, {}
        self.folder, self.cores = None, len(os.sched_getaffinity(0))

    # What is kept -----------------------------------------------------------------------------------------------------------
    def key(self):
        """Of all that determines the numbers: the declaration without its words, the program, the setting."""
        settings = {k: v for k, v in self.spec.items() if k not in WORDS}
        text = json.dumps([settings, self.version, self.setting], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def load(self):
        """True if it is finished. Parts of an unfinished one are taken over."""
        try:
            with open(self.file, encoding="utf-8") as stream:
                kept = json.load(stream)
        except (OSError, ValueError):
            return False
        if kept.get("key") != self.key():
            return False
        self.parts, self.result = kept.get("parts", {}), kept.get("result")
        self.commands, self.seconds = kept.get("commands", []), kept.get("seconds", 0.0)
        self.cores = kept.get("cores", self.cores)
        return self.result is not None and all(os.path.exists(self.picture_path(p)) for p in kept.get("pictures", []))

    def forget(self):
        self.parts, self.result, self.commands, self.seconds = {}, None, [], 0.0

    def keep(self, **more):
        os.makedirs(os.path.dirname(self.file), exist_ok=True)
        self.seconds = round(self.seconds, 3)  # as it will be read again
        text = json.dumps({"key": self.key(), "version": self.version, "setting": self.setting, "seconds": self.seconds, "cores": self.cores}
                          | more, indent=1)
        with open(self.file + ".new", "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
        os.replace(self.file + ".new", self.file)

    def part(self, key, measure):
        """measure() once; its value, commands and seconds are kept under `key` until the experiment is finished. It may
        have parts itself."""
        if key not in self.parts:
            before, seconds, begun = len(self.commands), self.seconds, time.monotonic()
            value = measure()
            took = time.monotonic() - begun
            self.parts[key] = {"value": value, "commands": self.commands[before:], "seconds": took}
            self.seconds = seconds + took
            self.keep(commands=self.commands, parts=self.parts)
        return self.parts[key]["value"]

    def finish(self, result):
        self.result = result
        if not self.parts:
            self.seconds = time.monotonic() - self.begun
        self.keep(commands=self.commands, pictures=self.pictures(), result=result)

    # What it works with ------------------------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def working_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder, self.begun = folder, time.monotonic()
            yield
        self.folder = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def pictures(self):
        """Files of the pictures of this experiment."""
        folder = os.path.join(self.out, "results")
        return sorted(f for f in os.listdir(folder) if f.startswith(self.name + ".")) if os.path.isdir(folder) else []

    def drop_pictures(self):
        for file in self.pictures():
            os.remove(self.picture_path(file))

    def picture_path(self, file):
        return os.path.join(self.out, "results", file)

    def picture(self, label, suffix="svg"):
        """Path of a picture of this experiment; `report` finds it by its label."""
        os.makedirs(os.path.join(self.out, "results"), exist_ok=True)
        return self.picture_path(f"{self.name}.{label}.{suffix}")

    def alidade(self, *words, show=True, fails=False):
        """Runs the program in the working folder; JSON of its standard output, or the text. `show`: stands on the page.
        With fails=True a failure is given back as {"error": message}."""
        words = [str(w) for w in words]
        if show:
            shown = " ".join("'" + w + "'" if any(c in w for c in " *#'") else w for w in words)
            shown = "alidade " + shown.replace(self.picture_path(""), "")
            if shown not in self.commands:
                self.commands.append(shown)
        done = subprocess.run([self.program, *words, "--quiet"], cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            message = done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"exit {done.returncode}"
            if fails:
                return {"error": message}
            raise Failed(f"alidade {' '.join(words)}: {message}")
        try:
            return json.loads(done.stdout)
        except ValueError:
            return done.stdout

    def data(self, file):
        """Name in the working folder of a file of the data folder (or of the repository's data/)."""
        for folder in self.folders:
            source = os.path.abspath(os.path.join(folder, file))
            if os.path.exists(source):
                if not os.path.lexists(self.path(file)):
                    os.symlink(source, self.path(file))
                return file
        raise Missing(f"{file} is not in the folder of data sets (--data DIR or ALD_SHARED_DATA)")

    # Tables of text: rows and units, nothing more ------------------------------------------------------------------------------
    def lines(self, file):
        opener = gzip.open if file.endswith(".gz") else open
        with opener(self.path(file), "rt", encoding="utf-8") as stream:
            return stream.read().splitlines()

    def write(self, name, lines):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
        return name

    def divided(self, file, units, name):
        """A copy of a csv with columns divided by numbers: {"price": 1000, "*": 255} (* = all that are not named)."""
        header, *rows = self.lines(file)
        by = [units.get(column, units.get("*", 1)) for column in header.split(",")]
        cells = (",".join(c if u == 1 else repr(float(c) / u) for c, u in zip(row.split(","), by)) for row in rows)
        return self.write(name, [header, *cells])

    def taken(self, file, first, stem):
        """Two csv of one: rows for which first(i), i from 0, and the others."""
        header, *rows = self.lines(file)
        parts = [row for i, row in enumerate(rows) if first(i)], [row for i, row in enumerate(rows) if not first(i)]
        return tuple(self.write(f"{stem}-{which}.csv", [header, *part]) for which, part in zip(("train", "test"), parts))

    def tell(self, words):
        """A line among the commands on the page: what was done between them."""
        if "# " + words not in self.commands:
            self.commands.append("# " + words)

    def principal(self, file, dims, name):
        """A csv of the first principal components of all rows of another, with its target; as a paper's preparation step."""
        target = self.spec["data"]["target"]
        if not os.path.exists(self.path(name)):
            self.alidade("fit", file, *self.reading(), "--method", "pca", "--components", dims, "-o", "pca.ald")
            self.alidade("transform", "pca.ald", file, "-o", "pca.csv")
            self.tell(f"{name}: pca.csv with the column {target} of {file}")
            header, *rows = self.lines(file)
            at = header.split(",").index(target)
            z_header, *z_rows = self.lines("pca.csv")
            self.write(name, [f"{z_header},{target}", *(f"{z},{row.split(',')[at]}" for z, row in zip(z_rows, rows))])
        return name

    def table(self, draw=0):
        """(training file, test file or None) of [data]; `draw` is added to the seed.

        file = NAME or generate = NAME with n, seed, options = {..}; units = {column = divisor}; pca = R (the first R
        principal components instead of the columns); then one of
        train = N (the first N rows, the rest is the test part), test_every = N (every N-th row is the test part, from row `test_from`
        on, 1 by default, `test_rows` at the most), split = 0.667 (at random by `alidade split`, with stratify = true)."""
        data = self.spec["data"]
        stem = data.get("generate") or data["file"].split(".")[0]
        show = draw == 0
        if "generate" in data:
            file = stem + ".csv"
            extra = [word for k, v in data.get("options", {}).items() for word in ("--" + k, v)]
            self.alidade("generate", stem, "--n", data["n"], "--seed", data.get("seed", 1) + draw, *extra, "-o", file, show=show)
        else:
            file = self.data(data["file"])
        if "units" in data:
            units = ", ".join(f"{'all other columns' if k == '*' else k} by {v}" for k, v in data["units"].items() if v != 1)
            self.tell(f"{stem}-units.csv: {file} with {units} divided")
            file = self.divided(file, data["units"], stem + "-units.csv")
        if "pca" in data:
            file = self.principal(file, data["pca"], stem + "-pca.csv")
        if "train" in data:
            self.tell(f"{stem}-train.csv: rows 1 to {data['train']} of {file}; {stem}-test.csv: the others")
            return self.taken(file, lambda i: i < data["train"], stem)
        if "test_every" in data:
            every, from_, most = data["test_every"], data.get("test_from", 1), data.get("test_rows", 1 << 30)
            test = {from_ - 1 + every * k for k in range(min(most, 1 << 20))}
            self.tell(f"{stem}-test.csv: rows {from_}, {from_ + every}, {from_ + 2 * every}, ... of {file}; {stem}-train.csv: the others")
            return self.taken(file, lambda i: i not in test, stem)
        if "split" in data:
            files = stem + "-train.csv", stem + "-test.csv"
            stratify = ["--stratify", "--target", data["target"]] if data.get("stratify") else []
            self.alidade("split", file, "--train", data["split"], *stratify, "--seed", data.get("seed", 0) + draw, "-o", *files, show=show)
            return files
        return file, None

    def reading(self):
        """Options by which `fit` reads the data: --target and what [data] says of --ignore, --task, --scale, --row-scale."""
        data = self.spec["data"]
        return [word for key in ("target", "ignore", "task", "scale", "row_scale") if key in data
                for word in ("--" + key.replace("_", "-"), data[key])]


def options_of(settings):
    """{"n_neighbors": 6} -> --n-neighbors 6"""
    return [str(word) for name, value in settings.items() for word in ("--" + name.replace("_", "-"), value)]


def mean_and_deviation(values):
    """Divisor n - 1; the standard deviation of one value is None."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, (sum((v - mean) ** 2 for v in values) / (len(values) - 1)) ** 0.5
