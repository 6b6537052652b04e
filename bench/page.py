#!/usr/bin/env python3
"""page.py: the page of `make app` in Chromium with large tables, from reading to the answer of pls: the longest tasks of
the page's own thread, in milliseconds of processor time, and the most memory of its process, in which the program
computes too. The report computes in a process of its own, and is named apart."""
import os
import random
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "wasm"))
import driving  # noqa: E402

TABLES = ((100000, 20), (200, 5000))
CATEGORIES = ["toplevel", "devtools.timeline"]


def write(rows, columns):
    draw = random.Random(1).gauss
    with open("table.csv", "w") as file:
        file.write(",".join(f"x{j}" for j in range(columns)) + ",y\n")
        for _ in range(rows):
            cells = [draw(0, 1) for _ in range(columns)]
            file.write(",".join(f"{cell:.5g}" for cell in cells) + f",{cells[0] + 0.5 * cells[1] + draw(0, 0.3):.5g}\n")


def traced(browser):
    """All events since Tracing.start."""
    browser.events.clear()
    browser.call("Tracing.end")
    waiting, found, deadline = list(browser.events), [], time.monotonic() + 60
    while True:
        event = waiting.pop(0) if waiting else browser.message(deadline)
        if event.get("method") == "Tracing.dataCollected":
            found += event["params"]["value"]
        elif event.get("method") == "Tracing.tracingComplete":
            return found


def tasks(events):
    """{process: [milliseconds of each task of its main thread]}, and the process of the page: the one that has a worker."""
    name = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one.get("name") == "thread_name"}
    found, own = {}, None
    for one in events:
        if one.get("args", {}).get("data", {}).get("functionName") == "worker.onmessage":
            own = one["pid"]
        if "RunTask" in one.get("name", "") and "RendererMain" in name.get((one["pid"], one["tid"]), ""):
            found.setdefault(one["pid"], []).append(one.get("tdur", 0) / 1000)
    return found, own


def peak(process):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) / 1e6 for line in file if line.startswith("VmHWM"))


def measure(rows, columns):
    write(rows, columns)
    page = driving.Chromium(os.getcwd())
    try:
        driving.begin(page)
        page.browser.call("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": CATEGORIES})
        page.give_file("#file", "table.csv")
        assert driving.read(page) == ""
        driving.choose_method(page)
        driving.compute(page)
        page.wait("document.getElementById('what-said').textContent")
        time.sleep(4)
        found, own = tasks(traced(page.browser))
        longest = ", ".join(f"{one:.0f}" for one in sorted(found[own], reverse=True)[:3])
        report = max((max(list_) for process, list_ in found.items() if process != own), default=0)
        print(f"{rows} x {columns}: longest tasks {longest} ms (in the process of the report {report:.0f} ms), "
              f"{peak(own):.2f} GB", flush=True)
    finally:
        page.close()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for table in TABLES:
        measure(*table)
