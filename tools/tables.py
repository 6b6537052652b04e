"""What the packages for Python and R are made from, and how: the tables of the program and the pages of the methods give
texts, which are written to files, or compared with them (--check)."""
import json
import os
import re
import subprocess
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def number(value):
    return f"{value:g}"


def range_of(parameter):
    """What it may be, in words, or nothing."""
    if parameter["type"] == "choice":
        return "One of " + ", ".join(parameter["choices"]) + "."
    if parameter["type"] in ("integer", "integers", "real"):
        if parameter["max"] is None or parameter["max"] >= 1e9:
            return f"At least {number(parameter['min'])}."
        return f"From {number(parameter['min'])} to {number(parameter['max'])}."
    return ""


def sentence(text, names=()):
    """With a capital, unless it begins with one of these names."""
    if text.split()[0].rstrip(":,") not in names:
        text = text[0].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def ordered(method):
    """Its parameters, n_components first."""
    return sorted(method["parameters"], key=lambda p: p["name"] != "n_components")


def meaning(method, parameter):
    """What it does and may be, in sentences."""
    choices = {choice for p in method["parameters"] for choice in p["choices"]}
    return " ".join(filter(None, (sentence(parameter["help"], choices), range_of(parameter))))


def prose(text):
    """What a page says, for a package: no links, no options of the command line."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"--method [a-z]+ ?", "", text)
    text = re.sub(r"--([a-z][a-z-]*)(?: |=)([\w.:+-]+)", lambda m: f"{m[1].replace('-', '_')}={m[2]}", text)
    return re.sub(r"--([a-z][a-z-]*)", lambda m: m[1].replace("-", "_"), text)


def told(method):
    """The paragraphs 'What it finds' and 'When to use it' of its page."""
    with open(os.path.join(root, "docs", "methods", method["name"] + ".md"), encoding="utf-8") as file:
        page = file.read()
    found = re.findall(r"\*\*(What it finds|When to use it)\.?\*\*(.*?)(?=\n\n)", page, re.S)
    return [(title, prose(" ".join(text.split()))) for title, text in found]


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(usage, written, left_over):
    """PROGRAM ALIDADE [--check]; written(methods): path -> text of all files; left_over(texts): paths to remove."""
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(usage)
    done = subprocess.run([sys.argv[1], "methods", "--json"], check=True, capture_output=True, text=True)
    texts = written(json.loads(done.stdout))
    stale = [path for path, text in texts.items() if read(path) != text] + left_over(texts)
    if len(sys.argv) == 3:
        sys.exit("\n".join(f"{os.path.relpath(path, root)} is stale: run 'make docs'" for path in stale) if stale else 0)
    for path in stale:
        if path not in texts:
            os.remove(path)
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(texts[path])
