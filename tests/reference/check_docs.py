"""Runs every snippet of README.md, docs/ and examples/. Usage: check_docs.py ALIDADE

In a page, fenced blocks marked `sh` run one after the other in one fresh folder that has the repository's data/ in it; a block
marked `output` that follows must equal their standard output (numbers to 1e-4); blocks marked `c` are compiled and run there.
A page that begins with `<!-- needs NAME -->` has that file of ALD_SHARED_DATA there too, and is left out where there is none."""
import os
import re
import subprocess
import sys
import tempfile

executable = os.path.abspath(sys.argv[1])
build = os.path.dirname(executable)
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
environment = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"], NO_COLOR="1")
failures, runs = [], 0


def blocks(text):
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)


def same_words(want, got):
    """Word by word; numbers to 1e-4 relative."""
    if len(want) != len(got):
        return False
    for a, b in zip(want, got):
        try:
            if abs(float(a) - float(b)) > 1e-4 * max(abs(float(a)), abs(float(b))):
                return False
        except ValueError:
            if a != b:
                return False
    return True


def run(command, folder, where):
    global runs
    runs += 1
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        failures.append(f"{where}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def sanitizer_flags():
    """A program must be built with the sanitizers that its library was built with."""
    with open(os.path.join(build, "libalidade.so"), "rb") as file:
        return ["-fsanitize=address,undefined"] if b"__asan_init" in file.read() else []


def compile_c(source, folder, where):
    with open(os.path.join(folder, "snippet.c"), "w") as file:
        file.write(source)
    return run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(root, "include"), "snippet.c", "-o",
                "snippet", "-L", build, "-lalidade", "-Wl,-rpath," + build, *sanitizer_flags()], folder, where)


def check_page(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name, output = os.path.relpath(path, root), ""
    needed = re.findall(r"\A<!-- needs (\S+) -->", text)
    sources = {file: os.path.join(os.environ.get("ALD_SHARED_DATA", ""), file) for file in needed}
    if not all(map(os.path.exists, sources.values())):
        print(f"{name} is left out: ALD_SHARED_DATA has no {', '.join(needed)}")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(root, "data"), os.path.join(folder, "data"))
        for file, source in sources.items():
            os.symlink(os.path.abspath(source), os.path.join(folder, file))
        for kind, body in blocks(text):
            if kind == "sh" and not re.match(r"\s*make\b", body):
                output = run(["sh", "-e", "-c", body], folder, f"{name}: {body.splitlines()[0]}")
            elif kind == "c":
                compile_c(body, folder, f"{name}: C")
                output = run(["./snippet"], folder, f"{name}: C program")
            elif kind == "output" and not same_words(body.split(), output.split()):
                failures.append(f"{name}: expected\n{body}got\n{output}")


def check_examples():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(root, "examples", "fit.c")) as file:
            compile_c(file.read(), folder, "examples/fit.c")
        run(["./snippet", os.path.join(root, "data", "wine.csv"), "y", "wine.ald"], folder, "examples/fit.c")
        if not os.path.exists(os.path.join(folder, "wine.ald")):
            failures.append("examples/fit.c wrote no model")
        with open(os.path.join(root, "examples", "arrays.c")) as file:
            compile_c(file.read(), folder, "examples/arrays.c")
        run(["./snippet"], folder, "examples/arrays.c")
        run(["sh", os.path.join(root, "examples", "spectra.sh"), os.path.join(root, "data")], folder, "examples/spectra.sh")
        run(["sh", os.path.join(root, "examples", "labels.sh")], folder, "examples/labels.sh")


pages = [os.path.join(root, "README.md")]
for folder, _, files in os.walk(os.path.join(root, "docs")):
    pages += [os.path.join(folder, file) for file in sorted(files) if file.endswith(".md")]
for page in pages:
    check_page(page)
check_examples()
if failures:
    sys.exit("\n".join(failures))
print(f"{len(pages)} pages, {runs} commands run")
