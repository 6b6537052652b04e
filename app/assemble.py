#!/usr/bin/env python3
"""assemble.py BUILT DATA OUTPUT: the page as one file. BUILT is the folder of `make app` with alidade.js, alidade.wasm
and report.html, a report of that program, whose script and style the page allows to run in its frame; DATA that of the
examples. The policy of the page lists all scripts and styles by their hashes and forbids every connection."""
import base64
import gzip
import hashlib
import json
import os
import re
import sys

import examples as examples_made

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT, DATA, OUTPUT = sys.argv[1:4]
MOST = 2_500_000  # bytes
REPORT = os.path.join(HERE, "..", "src", "show", "report", "page")
# One script: what the report's page draws and writes numbers with, then the page's own files.
SHARED = ("numbers", "scale", "csv", "frame", "pen", "colour", "elements")
OWN = ("base", "program", "bring", "see", "words", "settings", "steps", "ask", "card", "answer", "take", "whatif", "begin")


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def source(name):
    return read(HERE, name).decode()


def page_script():
    shared = [read(REPORT, name + ".js").decode() for name in SHARED]
    own = {name: source(os.path.join("page", name + ".js")) for name in OWN}
    return "\n".join(['"use strict";', own.pop("base"), source("cells.js"), *shared, *own.values()])


def packed(files):
    """A line with names and sizes, then the files, as gzip in base64; the same files give the same bytes."""
    head = json.dumps([[name, len(data)] for name, data in files.items()]).encode() + b"\n"
    return base64.b64encode(gzip.compress(head + b"".join(files.values()), 9, mtime=0)).decode()


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def hashes_of_report(kind):
    """What the policy of the report itself allows."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', read(BUILT, "report.html").decode()).group(1)
    return " ".join(re.findall(r"'sha256-[^']*'", re.search(kind + r" ([^;]*)", policy).group(1)))


def main():
    script, style = page_script(), source("page/page.css")
    version = re.search(r'ALD_VERSION "(.*)"', read(HERE, "..", "include", "alidade", "version.h").decode()).group(1)
    policy = "; ".join([
        "default-src 'none'",
        f"script-src {digest(script)} {hashes_of_report('script-src')} 'wasm-unsafe-eval'",
        "worker-src blob:",
        "frame-src blob:",
        f"style-src {digest(style)} {hashes_of_report('style-src')}",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
    ])
    program = {"alidade.wasm": read(BUILT, "alidade.wasm"), "alidade.js": read(BUILT, "alidade.js"),
               **{name: source(name).encode() for name in ("worker.js", "cells.js", "profile.js")}}
    examples = {**{name: read(DATA, name) for name in ("wine.csv", "tecator.csv")}, **examples_made.all_of_them()}
    parts = {"POLICY": policy, "STYLE": style, "VERSION": version, "PROGRAM": packed(program),
             "EXAMPLES": packed(examples), "SCRIPT": script}
    page = re.sub("@([A-Z]+)@", lambda found: parts[found.group(1)], source("page/page.html"))
    with open(OUTPUT, "w", encoding="utf-8", newline="\n") as file:
        file.write(page)
    size = os.path.getsize(OUTPUT)
    if size > MOST:
        sys.exit(f"assemble.py: {OUTPUT} has {size} bytes; at most {MOST}")
    print(f"Wrote {OUTPUT} ({size / 1e6:.2f} MB).")


main()
