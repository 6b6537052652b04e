#!/usr/bin/env python3
"""check_page.py ROOT NATIVE [FOLDER]: the page of `make app` in a real browser, from a table to a saved model.

Each journey brings a table as a person does, chooses the target and lets the page find the best; the model that the page
saves predicts, by the native program, what the page's own predictions say, and the native search finds the same to 1e-9.
The report runs in its frame. Stopping takes less than half a second; a table that cannot be read, and names that are
markup, give messages and nothing else. No request leaves the page, and a script in it that tries to send is stopped.
axe-core, where the tests of the report have it, finds nothing to complain of. With FOLDER screenshots are left there.
Ends with 77 where the page was not built (built.py) or there is no browser.
"""
import base64
import csv
import os
import subprocess
import sys
import tempfile
import time

ROOT, NATIVE = map(os.path.abspath, sys.argv[1:3])
KEEP = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
sys.path.insert(0, os.path.join(ROOT, "tests", "report"))
import browser  # noqa: E402
import built  # noqa: E402

PAGE = os.path.join(ROOT, "build", "alidade.html")
DATA = os.path.join(ROOT, "data")
AXE = os.path.join(ROOT, "build", "tests", "axe", "node_modules", "axe-core", "axe.min.js")
HOSTILE = "<img src=x onerror=window.ran=1>"


def native(*words):
    subprocess.run([NATIVE, *words, "-q"], check=True, capture_output=True)


def numbers(path):
    found = []
    with open(path, newline="") as file:
        for row in csv.reader(file):
            for cell in row:
                try:
                    found.append(float(cell))
                except ValueError:
                    pass
    return found


def difference(a, b):
    a, b = numbers(a), numbers(b)
    assert len(a) == len(b) > 0, (len(a), len(b))
    return max(abs(x - y) for x, y in zip(a, b)) / max(map(abs, a))


def bring(page, path):
    node = page.call("Runtime.evaluate", expression="document.getElementById('file')")["result"]["objectId"]
    page.call("DOM.setFileInputFiles", files=[os.path.abspath(path)], objectId=node)


def text(page, name):
    return page.run(f"document.getElementById('{name}').textContent")


def asked(page):
    page.wait("!document.getElementById('ask').hidden || document.getElementById('failure').textContent")


def choose(page, column):
    page.run("(() => { const list = document.getElementById('target');"
             f" list.value = [...list.options].find((option) => option.text === {column!r}).value; }})()")


def find(page):
    page.run("document.getElementById('find').click()")
    page.wait("document.getElementById('find').disabled")
    deadline = time.monotonic() + 900  # a busy machine
    while page.run("document.getElementById('find').disabled") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert text(page, "failure") == "", text(page, "failure")
    assert not page.run("document.getElementById('find').disabled"), "the search did not end"


def keep_blobs(page):
    """Blobs are remembered as they are made, since nothing can be fetched from the page."""
    page.call("Page.addScriptToEvaluateOnNewDocument", source="""
        window.blobs = {};
        const original = URL.createObjectURL;
        URL.createObjectURL = (blob) => { const url = original(blob); window.blobs[url] = blob; return url; };""")


def saved(page, name):
    code = f"""(async () => {{
        const link = [...document.querySelectorAll('#saves a')].find((a) => a.download === '{name}');
        const bytes = new Uint8Array(await window.blobs[link.href].arrayBuffer());
        let text = ''; for (const byte of bytes) text += String.fromCharCode(byte);
        return btoa(text); }})()"""
    with open(name, "wb") as file:
        file.write(base64.b64decode(page.run(code)))
    return name


def check_journey(page, name, target, ignored):
    path = os.path.join(DATA, name)
    page.open(PAGE)
    page.wait("document.documentElement.dataset.ready === 'yes'")
    bring(page, path)
    asked(page)
    choose(page, target)
    page.run(f"document.getElementById('ignore').value = {ignored!r}")
    find(page)
    saved(page, "model.ald")
    native("predict", "model.ald", path, "-o", "native.csv")
    own = difference("native.csv", saved(page, "predictions.csv"))
    words = ["--ignore", ignored] if ignored else []
    native("tune", path, "--target", target, *words, "-o", "searched.ald", "--time-limit", "300")
    native("predict", "searched.ald", path, "-o", "searched.csv")
    same = difference("searched.csv", "predictions.csv")
    assert own < 1e-9 and same < 1e-9, (name, own, same)
    saved(page, "report.html")
    assert "<html" in open("report.html", encoding="utf-8").read(2000)
    check_report(page)
    print(f"{name}: predictions differ by {own:.0e} from the saved model's, by {same:.0e} from those of the native search")


def in_frame(page, expression):
    """Evaluated in the frame of the report, which has an origin of its own and may have a process of its own."""
    frames = page.call("Page.getFrameTree")["frameTree"].get("childFrames", [])
    if frames:
        world = page.call("Page.createIsolatedWorld", frameId=frames[0]["frame"]["id"])["executionContextId"]
        return page.call("Runtime.evaluate", expression=expression, contextId=world, returnByValue=True)["result"].get("value")
    targets = page.browser.call("Target.getTargets")["targetInfos"]
    frame = next(target["targetId"] for target in targets if target["type"] == "iframe")
    session = page.browser.call("Target.attachToTarget", targetId=frame, flatten=True)["sessionId"]
    return page.browser.call("Runtime.evaluate", session, expression=expression, returnByValue=True)["result"].get("value")


def check_report(page):
    """The script of the report has drawn."""
    deadline = time.monotonic() + browser.PATIENCE
    while not in_frame(page, "document.querySelectorAll('canvas, svg').length > 2"):
        assert time.monotonic() < deadline, "the report does not draw in its frame"
        time.sleep(0.1)


def check_accessible(page):
    if not os.path.exists(AXE):
        return
    with open(AXE, encoding="utf-8") as file:
        page.run(file.read() + "; 0")
    found = page.run("axe.run(document, {resultTypes: ['violations'], iframes: false}).then(({violations}) => "
                     "violations.map(({id, nodes: [{html, failureSummary}]}) => `${id}: ${html.slice(0, 120)} ${failureSummary}`))")
    assert not found, found


def check_stop(page):
    page.open(PAGE)
    page.wait("document.documentElement.dataset.ready === 'yes'")
    page.run("document.getElementById('tecator').click()")
    asked(page)
    choose(page, "fat")
    page.run("document.getElementById('find').click()")
    page.wait("document.getElementById('stage').textContent")
    began = time.monotonic()
    page.run("document.getElementById('stop').click()")
    page.wait("!document.getElementById('find').disabled")
    took = time.monotonic() - began
    assert page.run("document.getElementById('answer').hidden")
    print(f"stopped within {took:.2f} s")


def check_refusals(page):
    with open("bad.csv", "w") as file:
        file.write(f"a,b\n1,2\n3,{HOSTILE},5\n")
    with open("named.csv", "w") as file:
        file.write(f'"{HOSTILE}",y\n' + "".join(f"{i},{HOSTILE}{i % 2}\n" for i in range(20)))
    page.open(PAGE)
    page.wait("document.documentElement.dataset.ready === 'yes'")
    bring(page, "bad.csv")
    asked(page)
    assert "table.csv" in text(page, "failure"), text(page, "failure")
    bring(page, "named.csv")
    page.wait("!document.getElementById('ask').hidden")
    assert HOSTILE in text(page, "preview") and text(page, "failure") == ""
    find(page)
    assert page.run("window.ran === undefined && document.images.length === 0")


def check_silence(page):
    """The policy stops whatever would send."""
    for attempt in ("fetch('https://example.invalid/')", "fetch('data:text/plain,x')",
                    "new Promise((yes, no) => { const i = new Image(); i.onload = yes; i.onerror = no; i.src = 'https://example.invalid/x.png'; })"):
        assert page.run(f"{attempt}.then(() => 'sent', () => 'stopped')") == "stopped", attempt


def pictures(page):
    if not KEEP:
        return
    os.makedirs(KEEP, exist_ok=True)
    for name, width, dark in (("wide", 1280, False), ("narrow", 400, False), ("dark", 1280, True)):
        page.open(PAGE, width=width, dark=dark)
        page.wait("document.documentElement.dataset.ready === 'yes'")
        page.run("document.getElementById('wine').click()")
        asked(page)
        page.picture(os.path.join(KEEP, name + "-asked.png"))
        find(page)
        time.sleep(2.0)
        page.picture(os.path.join(KEEP, name + "-answered.png"))


def main():
    built.need(ROOT, "build/alidade.html")
    if not browser.find():
        built.skip("no browser on this machine")
    chromium = browser.Browser()
    try:
        page = browser.Page(chromium)
        keep_blobs(page)
        for journey in (("wine.csv", "y", ""), ("tecator.csv", "fat", "water,protein")):
            check_journey(page, *journey)
            complaints = [one for one in page.complaints() if not one.startswith("request: blob:")]  # its own workers
            assert not complaints, complaints
        check_accessible(page)
        check_stop(page)
        check_refusals(page)
        check_silence(page)
        pictures(page)
    finally:
        chromium.close()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
