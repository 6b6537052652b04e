#!/usr/bin/env python3
"""check_accessible.py FOLDER [PAGE...]: axe-core finds nothing to complain of: every control has a name, texts have contrast,
tables have headers. Some of the pages, light or dark; all of them, light and dark, with ALD_LONG.

axe-core is what the environment's AXE names (axe.min.js), else what npm has put, or puts, into FOLDER. Ends with 77 where
there is neither, or no browser.
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import assemble  # noqa: E402
import browser  # noqa: E402
import made_data  # noqa: E402

USUAL = ("regression", "hostile", "compare", "tune")
LONG = bool(os.environ.get("ALD_LONG"))
LOOK = """axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes: [{ html, failureSummary }] }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`))"""


def install(folder):
    """By name from wherever npm has its packages from; nothing of them is run."""
    words = "install --ignore-scripts --no-audit --no-fund --no-save --fetch-retries 0 --fetch-timeout 20000 axe-core@4"
    try:
        subprocess.run(["npm", *words.split(), "--prefix", folder], timeout=90, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        pass


def find_axe(folder):
    given = os.environ.get("AXE", "")
    if os.path.exists(given):
        return given
    path = os.path.join(folder, "node_modules", "axe-core", "axe.min.js")
    if not os.path.exists(path) and shutil.which("npm"):
        os.makedirs(folder, exist_ok=True)
        install(folder)
    return path if os.path.exists(path) else None


def check_all(names, axe, folder):
    found = 0
    chrome = browser.Browser()
    page = browser.Page(chrome)
    try:
        for place, name in enumerate(names):
            path = os.path.join(folder, "page.html")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(assemble.assemble(made_data.PAGES[name]()))
            for dark in (False, True) if LONG else (place % 2 == 1,):
                page.open(path, dark=dark)
                page.run(axe + "; 0")
                for words in page.run(LOOK):
                    found += 1
                    print(f"FAILED {name}, {'dark' if dark else 'light'}: {words}", flush=True)
    finally:
        chrome.close()
    return found


def main():
    folder = os.path.abspath(sys.argv[1])
    if not browser.find():
        print("skipped: no chromium on this machine")
        return 77
    path = find_axe(folder)
    if not path:
        print("skipped: there is no axe-core, and no npm that brings it")
        return 77
    os.makedirs(folder, exist_ok=True)
    names = sys.argv[2:] or [name for name in made_data.PAGES if LONG or name in USUAL]
    with open(path, encoding="utf-8") as file:
        found = check_all(names, file.read(), folder)
    print(f"{len(names)} pages, {found} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
