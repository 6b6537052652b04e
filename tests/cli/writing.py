"""The commands that write, for the tests that disturb them: kill.py and inject.py."""
import json
import os
import shutil
import subprocess

# What writes, and the files that belong together, the one that is written first in front. SEED,
# SCALE, MODEL, PART and METHOD make old and new files differ.
COMMANDS = [
    ("split data.csv --seed SEED -o train.csv test.csv", ["train.csv", "test.csv"]),
    ("fit data.csv --target y --method pls --dims 2 --row-scale SCALE -o m.ald", ["m.ald"]),
    ("tune data.csv --target y --method pls --dims 1:2 --folds 3 --no-nested --seed SEED --csv t.csv --report t.html "
     "-o m.ald", ["m.ald", "t.csv", "t.html"]),
    ("compare data.csv --target y --methods pls --dims 1 --splits 2 --no-times --seed SEED --csv c.csv --json=c.json "
     "--report c.html", ["c.html", "c.csv", "c.json"]),
    ("convert data.csv out.npy", ["out.npy"]),
    ("generate plane --n 20000 --seed SEED -o g.csv", ["g.csv"]),
    ("transform MODEL data.csv -o z.csv", ["z.csv"]),
    ("predict MODEL data.csv -o p.csv", ["p.csv"]),
    ("evaluate MODEL data.csv --json=e.json", ["e.json"]),
    ("dimension data.csv --target y --method sir --permutations 20 --seed SEED --json=d.json", ["d.json"]),
    ("update MODEL data.csv -o u.ald", ["u.ald"]),
    ("calibrate MODEL data.csv -o k.ald", ["k.ald"]),
    ("merge MODEL PART -o both.ald", ["both.ald"]),
    ("plot MODEL data.csv -o p.svg", ["p.svg"]),
    ("plot MODEL data.csv --kind s-plot -o s.svg", ["s.svg"]),
    ("fit small.csv --target time --event died --ignore y,c,l1,l2 --method bair --dims 1 --row-scale SCALE -o t.ald",
     ["t.ald"]),
    ("fit small.csv --target y --ignore time,died,c,l1,l2 --method kcca --response-kernel rbf --dims 1 --row-scale SCALE "
     "-o k.ald", ["k.ald"]),
    ("fit small.csv --target y --ignore time,died,c,l1,l2 --method kcca --response-kernel given --response-kernel-file "
     "kernel.csv --dims 1 --row-scale SCALE -o k.ald", ["k.ald"]),
    ("fit small.csv --target y --ignore time,died,c,l1,l2 --method mlkr --start-file start.csv --max-iter 3 --dims 1 "
     "--row-scale SCALE -o k.ald", ["k.ald"]),
    ("fit small.csv --target y --ignore time,died,c,l1,l2 --method spls --n-features 3,2 --dims 2 --row-scale SCALE -o k.ald",
     ["k.ald"]),
    ("compare small.csv --target time --event died --ignore y,c,l1,l2 --methods bair,pls --dims 1 --splits 2 --no-times "
     "--seed SEED --csv c.csv --json=c.json", ["c.csv", "c.json"]),
    ("dimension small.csv --target y --ignore time,died,c,l1,l2 --method sir --rule ladle --permutations 20 --seed SEED "
     "--json=d.json", ["d.json"]),
    ("report MODEL data.csv --quick --folds 2 -o r.html", ["r.html"]),
    ("inspect MODEL --json=i.json", ["i.json"]),
    ("export MODEL -o x.c", ["x.c"]),
    ("export MODEL -o x.onnx", ["x.onnx"]),
    ("export MODEL -o x.sql", ["x.sql"]),
    ("export MODEL -o x.json", ["x.json"]),
    ("methods METHOD --json=l.json", ["l.json"]),
]
PREPARED = ["data.csv", "small.csv", "kernel.csv", "start.csv", "old.ald", "new.ald", "old-part.ald", "new-part.ald"]
TARGETS = {"real": "y", "classes": "c", "multi-label": "l1,l2"}  # columns of small.csv, by what a method takes


def verbs_without_command(alidade):
    """What is wrong: verbs that can write a file, by the tables of options, and have no command above."""
    verbs = json.loads(subprocess.run([alidade, "options"], check=True, capture_output=True).stdout)
    writes = {verb["name"] for verb in verbs
              if any("written" in (one.get("file") or "") for one in verb["options"] + verb["operands"])}
    return [f"{verb} writes, and none of its commands is tried"
            for verb in sorted(writes - {command.split()[0] for command, _ in COMMANDS})]


def fits(alidade):
    """A fit by every method, with few iterations where it has them."""
    methods = json.loads(subprocess.run([alidade, "methods", "--json"], check=True, capture_output=True).stdout)
    for method in methods:
        target = next((f"--target {TARGETS[kind]} " for kind in TARGETS if kind in method["capabilities"]), "")
        others = ",".join(sorted({"y", "c", "l1", "l2", "time", "died"} - set(target.replace(",", " ").split())))
        few = " --max-iter 3" if any(one["name"] == "max_iter" for one in method["parameters"]) else ""
        yield (f"fit small.csv {target}--ignore {others} --method {method['name']} --dims 1{few} --row-scale SCALE "
               "-o m.ald", ["m.ald"])


def words_of(command, new):
    kinds = {"SEED": ("1", "2"), "SCALE": ("none", "standard"), "MODEL": ("old.ald", "new.ald"),
             "PART": ("old-part.ald", "new-part.ald"), "METHOD": ("pls", "lda")}
    for word, both in kinds.items():
        command = command.replace(word, both[new])
    return command.split()


def run(alidade, folder, words):
    subprocess.run([alidade] + words + ["-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120)


def write_small(path):
    """Sixty rows of four columns, a number, three classes, two labels, and a time with its event."""
    with open(path, "w", encoding="ascii") as file:
        file.write("a,b,d,e,y,c,l1,l2,time,died\n")
        for i in range(60):
            x = [i % 7 - 3, i * i % 11 - 5, i ** 3 % 13 - 6, i % 3]
            targets = [x[0] + 2 * x[1] + i % 5, "uvw"[i % 3], int(x[0] > 0), int(x[1] > x[2])]
            file.write(",".join(map(str, x + targets + [20 - x[0] - x[1] + i % 5, int(i % 4 > 0)])) + "\n")


def write_beside(folder):
    """A kernel of the response of small.csv, equal or not modulo 5, and a direction to start from."""
    with open(os.path.join(folder, "kernel.csv"), "w", encoding="ascii") as file:
        file.writelines(",".join(str(int((i - j) % 5 == 0)) for j in range(60)) + "\n" for i in range(60))
    with open(os.path.join(folder, "start.csv"), "w", encoding="ascii") as file:
        file.write("1,2,0,-1\n")


def prepare(alidade, folder):
    run(alidade, folder, "generate plane --n 4000 --seed 3 -o data.csv".split())
    write_small(os.path.join(folder, "small.csv"))
    write_beside(folder)
    for name, dims in (("old.ald", "1"), ("new.ald", "2")):
        run(alidade, folder, f"fit data.csv --target y --method pls --dims {dims} --keep-statistics --predictor linear "
                             f"-o {name}".split())
        shutil.copy(os.path.join(folder, name), os.path.join(folder, name.replace(".", "-part.")))


def contents(folder, names):
    """The bytes of each, None where there is no file."""
    found = []
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                found.append(file.read())
        except FileNotFoundError:
            found.append(None)
    return found


def remove(folder, names):
    for name in names:
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))


def is_one_kind(now, old, new):
    """Whether the files are whole and all old or all new. Of several some may be missing, the first never is."""
    return now[0] is not None and any(all(a in (None, b) for a, b in zip(now, kind)) for kind in (old, new))


def kinds_of(now, old, new):
    """What each file is, for messages."""
    return ", ".join("missing" if a is None else "old" if a == b else "new" if a == c else "damaged"
                     for a, b, c in zip(now, old, new))


def put_back(folder, names, old):
    for name, bytes_ in zip(names, old):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(bytes_)


def both_kinds(alidade, folder, command, names):
    """What the command writes undisturbed: the old files and the new ones. The old ones stay there."""
    run(alidade, folder, words_of(command, True))
    new = contents(folder, names)
    run(alidade, folder, words_of(command, False))
    return contents(folder, names), new
