#!/usr/bin/env python3
"""check_page.py ROOT NATIVE [FOLDER]: the page of `make app` in real browsers, from a table to a saved model and back.

Each journey brings a table as a person does, gives columns their roles by clicks, computes, and saves the files. The
commands that the page shows, run by the native program, give the same predictions to 1e-9; so does the saved model, there
and in the page again. Stopping takes less than half a second and keeps the best so far. No request leaves the page, and a
script in it that tries to send is stopped. Hostile files break nothing (hostile.py). axe-core finds nothing to complain
of, where the tests of the report have it.

In `make check`: Chromium, one journey with a method, some hostile files, and the rest of the above. With ALD_LONG: five
journeys with the search and all hostile files, in Chromium and Firefox. With FOLDER screenshots are left there. Ends with 77 where there is no page or browser.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time

import openpyxl

import built
import driving
import hostile
import hurried
import keeping
import lacking
import narrow
import tables

ROOT, NATIVE = map(os.path.abspath, sys.argv[1:3])
KEEP = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
AXE = os.path.join(ROOT, "build", "tests", "axe", "node_modules", "axe-core", "axe.min.js")


def cells(path):
    with open(path, newline="") as file:
        return [cell for row in csv.reader(file) for cell in row]


def difference(one, other):
    """The largest difference of numbers, relative to the largest; texts are equal."""
    a, b = cells(one), cells(other)
    assert len(a) == len(b) > 0, (one, len(a), len(b))
    most, size = 0.0, 1e-300
    for x, y in zip(a, b):
        if x == y:
            continue
        most, size = max(most, abs(float(x) - float(y))), max(size, abs(float(x)))
    return most / size


def repeat(page, path, made="predictions.csv"):
    """The commands of the page, by the native program, in a folder with the table alone."""
    folder = tempfile.mkdtemp(dir=".")
    shutil.copy(path, folder)
    os.symlink(NATIVE, os.path.join(folder, "alidade"))
    done = subprocess.run(["sh", "-ec", driving.text(page, "commands")], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": os.path.abspath(folder) + os.pathsep + os.environ["PATH"]})
    assert done.returncode == 0, done.stderr
    return os.path.join(folder, made)


def repeat_in_python(page, path, downloads, *reading):
    """The script of the page, by the package of this build: the predictions of its model for a file and how it is read."""
    script, folder = driving.save(page, "repeat.py", downloads), tempfile.mkdtemp(dir=".")
    if not built.package(ROOT, folder):
        return None
    shutil.copy(path, folder)
    done = subprocess.run([sys.executable, script], cwd=folder, env={**os.environ, "PYTHONPATH": os.path.abspath(folder)},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    subprocess.run([NATIVE, "predict", os.path.join(folder, "model.ald"), path, *reading, "-o", "by-python.csv", "-q"],
                   check=True)
    return "by-python.csv"


def make_all(page):
    """All that the page makes when it is asked for: exports, formula, card and pictures. Each that it offers can be made."""
    made = []
    while page.run("document.querySelector('#saves button, #pictures button') !== null"):
        words = page.run("(() => { const one = document.querySelector('#saves button, #pictures button');"
                         " one.click(); return one.textContent; })()")
        page.wait(f"!document.getElementById('go').disabled && (!document.getElementById('failure').hidden ||"
                  f" [...document.querySelectorAll('#saves button, #pictures button')].every((one) => one.textContent !== {words!r}))")
        assert driving.text(page, "failure") == "", (words, driving.text(page, "failure"))
        made.append(words)
    return made


def check_exports(page, model, downloads):
    """Exports have the bytes of the native program's. Those of ONNX may stand in another order: compilers differ in which
    of two constants a call makes first."""
    offered = make_all(page)
    assert {"Export as C", "Export as ONNX", "Export as JSON"} <= set(offered), offered
    folder = tempfile.mkdtemp(dir=".")
    for name in [f"model.{words.split()[-1].lower()}" for words in offered if words.startswith("Export as ")]:
        own, native = driving.save(page, name, downloads), os.path.join(folder, name)
        subprocess.run([NATIVE, "export", model, "-o", native, "-q"], check=True)
        with open(own, "rb") as one, open(native, "rb") as other:
            order = sorted if name.endswith("onnx") else bytes
            assert order(one.read()) == order(other.read()), name


def check_journey(page, name, path, roles, downloads):
    driving.begin(page)
    driving.drop(page, path) if os.path.getsize(path) < 100000 else page.give_file("#file", path)
    assert driving.read(page) == "", driving.text(page, "failure")
    for column, wanted in roles.items():
        driving.role(page, column, wanted)
    if not built.LONG:
        driving.choose_method(page)
    driving.compute(page)
    own, model = (driving.save(page, file, downloads) for file in ("predictions.csv", "model.ald"))
    native = difference(repeat(page, path), own)
    subprocess.run([NATIVE, "predict", model, path, "-o", "by-model.csv", "-q"], check=True)
    again = difference("by-model.csv", own)
    check_exports(page, model, downloads)
    python = repeat_in_python(page, path, downloads) if built.LONG or name == "classes" else None
    assert not python or difference(python, own) < 1e-9, name
    assert driving.save(page, "report.html", downloads) and "<html" in open(os.path.join(downloads, "report.html")).read(2000)
    driving.begin(page)
    page.give_file("#file", model)
    page.wait("!document.getElementById('answer').hidden && document.querySelector('#found h4')")
    card = driving.text(page, "found")
    assert "What it is for" in card and "|" not in card and page.run("document.getElementById('report-part').hidden"), card
    page.give_file("#other", path)
    page.wait("document.querySelector('#others a')")
    saved = page.run("document.querySelector('#others a').download")
    back = difference(driving.save(page, saved, downloads), own)
    assert max(native, again, back) < 1e-9, (name, native, again, back)
    strange = page.strange()
    assert not strange, strange
    print(f"{type(page).__name__} {name}: differs by {native:.0e} from the native commands, {again:.0e} from the native "
          f"model, {back:.0e} from the model opened again", flush=True)


def check_stop(page):
    """The search ends at once, and what it has tried becomes a model."""
    driving.begin(page)
    page.click("#example-wine")
    driving.read(page)
    page.click("#go")
    page.wait("document.getElementById('tried').textContent.split(',').length > 1", 120)
    assert page.run("[...document.querySelectorAll('#method option')].every(({value}) =>"
                    " !document.getElementById('stage').textContent.startsWith(`Comparing ${value}: `))")
    page.run("""(() => { const stage = document.getElementById('stage');
        let began = 0;
        document.addEventListener('click', () => { began = performance.now(); }, {capture: true, once: true});
        new MutationObserver(() => {
            if (stage.textContent.startsWith('Stopped')) document.body.dataset.took = performance.now() - began;
        }).observe(stage, {childList: true, characterData: true, subtree: true}); return 0; })()""")
    page.click("#stop")
    page.wait("document.body.dataset.took")
    took = float(page.run("document.body.dataset.took")) / 1000
    page.wait("!document.getElementById('go').disabled", 300)
    assert driving.text(page, "failure") == "", driving.text(page, "failure")
    said = driving.text(page, "headline")
    assert "best so far" in said and ("only fold that" in said or " folds that" in said or "played no part" in said), said
    if isinstance(page, driving.Chromium):
        check_accessible(page)
    print(f"stopped within {took:.3f} s, the best so far is kept")


UNNAMED = "".join(f"{i % 7},{i * i % 11},{i % 3},{2 * (i % 7) - (i * i % 11) + 0.1 * (i % 5)}\n" for i in range(40))


def fit_now(page):
    driving.choose_method(page)
    driving.compute(page)
    page.wait("document.getElementById('what-said').textContent")


def check_pasted(page):
    """Cells without names, from the clipboard: columns are called by their place, and the row can be moved."""
    driving.begin(page)
    page.run("(() => { document.getElementById('pasted').value = %r; document.getElementById('take-pasted').click(); return 0; })()"
             % UNNAMED.replace(",", "\t"))
    assert driving.read(page) == "" and "have no names" in driving.text(page, "strange")
    assert page.run("document.querySelector('#preview th:nth-child(4)').className") == "number"  # also where one is negative
    fit_now(page)
    assert "--target=#4" in driving.text(page, "commands"), driving.text(page, "commands")
    before = driving.text(page, "what-said")
    page.run("(() => { const one = document.querySelector('#movers input[type=range], #movers select');"
             " one.value = one.max || one.options[one.options.length - 1].value; one.dispatchEvent(new Event(one.max ? 'input' : 'change'));"
             " return 0; })()")
    page.wait(f"document.getElementById('what-said').textContent !== {before!r}")


QUOTED = '"length, cm","width ""w""","kind, or\nsort"\n' + "".join(
    '%d,%d,"%s"\n' % (i % 7 + 20 * (i % 2), i * i % 11, ("red, dark", 'the ""blue"" one\n')[i % 2]) for i in range(40))
TIMES = "dose,age,status,time\n" + "".join(f"{i % 5 - 2},{i * i % 37},{int(i % 3 > 0)},{i * 7 % 41 + 0.5}\n" for i in range(40))


def check_quoted(page):
    """Names and classes with commas, quotes and ends of lines: the row that can be moved and the table of predictions have
    them whole. Times beside what may be events are spoken of."""
    for name, content in (("quoted.csv", QUOTED), ("times.csv", TIMES)):
        with open(name, "w", newline="") as file:
            file.write(content)
    driving.begin(page)
    page.give_file("#file", "quoted.csv")
    assert driving.read(page) == ""
    fit_now(page)
    said = driving.text(page, "what-said")
    assert said.startswith("kind, or\nsort: ") and "Probabilities: red, dark: " in said, said
    page.give_file("#other", "quoted.csv")
    page.wait("document.querySelector('#others td')")
    shown = page.run("[...document.querySelectorAll('#others th, #others td')].map((one) => one.textContent).slice(0, 3)")
    assert shown == ["kind, or\nsort", "red, dark", 'the "blue" one\n'], shown
    page.give_file("#file", "times.csv")
    page.wait("document.getElementById('strange').textContent.includes('--event')")
    assert "\u22122 to 2, mean 0" in driving.text(page, "columns"), driving.text(page, "columns")


def check_odd(page, downloads):
    """Samples in columns, a target that is called like a probability, a name like an option; roles that change when the
    model is made; a table that has the name of what is written: the row can be moved, and the commands repeat it."""
    driving.begin(page)
    lines = [["sample"] + [f"s{i}" for i in range(40)], ["a"] + [i % 7 for i in range(40)], ["b"] + [i * i % 11 for i in range(40)],
             ["p(CO2)"] + [2 * (i % 7) - i * i % 11 + 0.1 * (i % 5) for i in range(40)]]
    with open("-odd.csv", "w", newline="") as file:
        csv.writer(file).writerows(lines)
    page.give_file("#file", "-odd.csv")
    driving.read(page)
    driving.choose(page, "reading-transpose", "yes")
    page.wait("document.getElementById('read').textContent.includes('40 rows, 4 columns')")
    fit_now(page)
    before = driving.text(page, "what-said")
    assert before.startswith("p(CO2): ") and "interval" in before and "Probabilities" not in before, before
    assert difference(repeat(page, "./-odd.csv"), driving.save(page, "predictions.csv", downloads)) < 1e-9
    page.run("(() => { const list = document.querySelector('select[aria-label=\"b: another role\"]'); list.value = 'id';"
             " list.dispatchEvent(new Event('change')); return 0; })()")
    driving.choose(page, "what-row", "2")
    page.wait(f"document.getElementById('what-said').textContent !== {before!r}")
    assert driving.text(page, "what-said").startswith("p(CO2): "), driving.text(page, "what-said")
    shutil.copy(os.path.join(ROOT, "data", "wine.csv"), "predictions.csv")
    page.give_file("#file", "predictions.csv")
    page.wait("document.getElementById('read').textContent.includes('178 rows')")
    fit_now(page)
    made = repeat(page, "predictions.csv", "new-predictions.csv")
    assert difference(made, driving.save(page, "predictions.csv", downloads)) < 1e-9


def check_formats(page, downloads):
    """The same numbers in files of each kind: as many rows and columns, and the commands repeat the predictions."""
    with open("plain.csv", "w") as file:
        file.write("a,b,c,y\n" + UNNAMED)
    with open("sparse.mtx", "w") as file:
        cells = [line.split(",") for line in UNNAMED.splitlines()]
        file.write(f"%%MatrixMarket matrix coordinate real general\n{len(cells)} 4 {4 * len(cells)}\n")
        file.write("".join(f"{i + 1} {j + 1} {cell}\n" for i, row in enumerate(cells) for j, cell in enumerate(row)))
    with open("nominal.arff", "w") as file:
        file.write("@relation r\n" + "".join(f"@attribute {name} numeric\n" for name in "abcy") + "@data\n" + UNNAMED)
    for name in "tabs.tsv.gz", "array.npy", "labels.svm":
        target = ["--target", "y"] if name.endswith("svm") else []
        subprocess.run([NATIVE, "convert", "plain.csv", "-o", name, *target, "-q"], check=True)
    book = openpyxl.Workbook()
    for row in [list("abcy")] + [list(map(float, line.split(","))) for line in UNNAMED.splitlines()]:
        book.active.append(row)
    book.save("book.xlsx")
    for name in "tabs.tsv.gz", "book.xlsx", "array.npy", "nominal.arff", "sparse.mtx", "labels.svm":
        driving.begin(page)
        page.give_file("#file", name)
        assert driving.read(page) == "" and f"{name}: 40 rows, 4 columns" in driving.text(page, "read"), name
        fit_now(page)
        own = driving.save(page, "predictions.csv", downloads)
        assert difference(repeat(page, name), own) < 1e-9, name
        page.give_file("#other", name)
        page.wait("document.querySelector('#others a')")
        again = driving.save(page, page.run("document.querySelector('#others a').download"), downloads)
        assert difference(again, own) < 1e-9, name


def check_workbook(page, downloads):
    """A workbook whose first sheet is not the table, which has a merged title above it: the page says so, and takes the sheet
    and the line to pass over, as do the commands, the script and the next table."""
    lines = [list("abcy")] + [list(map(float, line.split(","))) for line in UNNAMED.splitlines()]
    book = openpyxl.Workbook()
    book.active.append(["nothing", "here"])
    sheet = book.create_sheet("2")
    for row in [["Measured in May"]] + lines:
        sheet.append(row)
    sheet.merge_cells("A1:D1")
    book.save("titled.xlsx")
    with open("titled.csv", "w", newline="") as file:
        csv.writer(file).writerows([["Measured in June"]] + lines)
    driving.begin(page)
    page.give_file("#file", "titled.xlsx")
    said = driving.read(page)
    assert said.startswith("titled.xlsx: no rows"), said
    assert "the first of 2; --sheet" in driving.text(page, "read-notes") and page.run("document.getElementById('reading-part').open")
    driving.choose(page, "reading-sheet", "2")
    page.wait("document.getElementById('failure').textContent.includes('--skip 1')")
    driving.choose(page, "reading-skip", "1")
    page.wait("!document.getElementById('ask').hidden")
    assert "40 rows, 4 columns" in driving.text(page, "read")
    fit_now(page)
    own = driving.save(page, "predictions.csv", downloads)
    assert difference(repeat(page, "titled.xlsx"), own) < 1e-9
    python = repeat_in_python(page, "titled.xlsx", downloads, "--sheet=2", "--skip=1")
    assert not python or difference(python, own) < 1e-9
    page.give_file("#other", "titled.csv")
    page.wait("document.querySelector('#others a')")
    assert difference(driving.save(page, "predictions-of-titled.csv", downloads), own) < 1e-9


def check_few(page, downloads):
    """Eight rows are fewer than the ten folds that are usual: a method fits them, and the search has an honest figure."""
    with open("eight.csv", "w") as file:
        file.write("a,b,y\n" + "".join(f"{i % 5},{i * i % 7},{i + 0.3 * (i % 3)}\n" for i in range(8)))
    driving.begin(page)
    page.give_file("#file", "eight.csv")
    assert driving.read(page) == ""
    driving.compute(page)
    assert "played no part" in driving.text(page, "headline"), driving.text(page, "headline")
    fit_now(page)
    assert difference(repeat(page, "eight.csv"), driving.save(page, "predictions.csv", downloads)) < 1e-9
    print("pasted, unnamed, quoted and few rows, files of each kind: as they should be")


def check_without_target(page, downloads):
    """Components alone: scores in place of predictions, also of another table; methods that need a target are not offered."""
    driving.begin(page)
    page.click("#example-wine")
    driving.read(page)
    driving.choose(page, "target", "")
    page.wait("document.getElementById('question').textContent.startsWith('No target')")
    assert page.run("document.querySelector('#method option[value=pls]').disabled && document.getElementById('method').value") == "pca"
    assert page.run("document.getElementById('task-part').hidden")
    driving.compute(page)
    path = os.path.join(ROOT, "data", "wine.csv")
    native, own = repeat(page, path, "scores.csv"), driving.save(page, "scores.csv", downloads)
    assert difference(native, own) < 1e-9
    page.give_file("#other", path)
    page.wait("document.querySelector('#others a')")
    assert difference(driving.save(page, "scores-of-wine.csv", downloads), own) < 1e-9
    assert driving.text(page, "predict-what") == "Scores of another table"
    assert {"eigenvalues", "unusual rows"} <= set(make_all(page))


def press(page, key, code, number, text=""):
    words = {"key": key, "code": code, "windowsVirtualKeyCode": number}
    page.call("Input.dispatchKeyEvent", type="keyDown", **words, **({"text": text} if text else {}))
    page.call("Input.dispatchKeyEvent", type="keyUp", **words)


def tab_to(page, condition):
    for _ in range(200):
        press(page, "Tab", "Tab", 9)
        if page.run(f"((one) => {condition})(document.activeElement)"):
            return
    raise AssertionError(f"not reached by the keyboard: {condition}")


def check_keyboard(page, downloads):
    """From an example to a saved model by Tab, Enter, the space bar and an arrow."""
    driving.begin(page)
    tab_to(page, "one.id === 'example-wine'")
    press(page, "Enter", "Enter", 13, "\r")
    assert driving.read(page) == ""
    page.wait("document.querySelector('button[aria-label=\"ash: left out\"]')")
    tab_to(page, "one.getAttribute('aria-label') === 'ash: left out'")
    press(page, " ", "Space", 32, " ")
    tab_to(page, "one.id === 'way-search'")
    press(page, "ArrowDown", "ArrowDown", 40)
    tab_to(page, "one.id === 'go'")
    press(page, "Enter", "Enter", 13, "\r")
    page.wait("document.getElementById('what-said').textContent", 120)
    assert "--ignore=ash --method=pls" in driving.text(page, "commands")
    tab_to(page, "one.getAttribute('href') === '#taking'")
    press(page, "Enter", "Enter", 13, "\r")
    tab_to(page, "one.download === 'model.ald'")
    path = os.path.join(downloads, "model.ald")
    if os.path.exists(path):
        os.unlink(path)
    press(page, "Enter", "Enter", 13, "\r")
    deadline = time.monotonic() + driving.browser.PATIENCE
    while not os.path.exists(path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert os.path.exists(path)
    print("from an example to a saved model by the keyboard alone")


def check_silence(page):
    """The policy stops whatever would send, also in a worker, and scripts that are not the page's own."""
    for attempt in ("fetch('https://example.invalid/')", "fetch('data:text/plain,x')",
                    "new Promise((yes, no) => { const i = new Image(); i.onload = yes; i.onerror = no; i.src = 'https://example.invalid/x.png'; })",
                    "new Promise((yes, no) => { const s = new WebSocket('wss://example.invalid/'); s.onopen = yes; s.onerror = no; })",
                    "new Promise((yes, no) => { const s = document.createElement('script'); s.onload = yes; s.onerror = no;"
                    " s.src = URL.createObjectURL(new Blob(['0'])); document.head.append(s); })",
                    "new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob([\"fetch('https://example.invalid/')"
                    ".then(() => postMessage(1), () => postMessage(0))\"]))); w.onmessage = (e) => e.data ? yes() : no(); })"):
        assert page.run(f"(async () => {{ try {{ await {attempt}; return 'sent'; }} catch (e) {{ return 'stopped'; }} }})()") == "stopped", attempt
    strange = page.strange() if isinstance(page, driving.Firefox) else []
    assert not strange, strange


def check_accessible(page):
    if not os.path.exists(AXE):
        print("skipped: axe-core: the test report/accessible brings it, where there is npm")
        return
    with open(AXE, encoding="utf-8") as file:
        page.run(file.read() + "; 0")
    found = page.run("axe.run(document, {resultTypes: ['violations'], iframes: false}).then(({violations}) => "
                     "violations.map(({id, nodes: [{html, failureSummary}]}) => `${id}: ${html.slice(0, 120)} ${failureSummary}`))")
    assert not found, found
    print("axe-core: no violations")


def pictures(page):
    for name, look in (("wide", {}), ("narrow", {"width": 400}), ("dark", {"dark": True})):
        driving.begin(page, **look)
        page.click("#example-tecator")
        driving.read(page)
        time.sleep(1.0)
        page.picture(os.path.join(KEEP, f"{name}-asked.png"))
        driving.choose_method(page)
        page.picture(os.path.join(KEEP, f"{name}-method.png"))
        driving.compute(page)
        time.sleep(2.0)
        page.picture(os.path.join(KEEP, f"{name}-answered.png"))


def check_in(page, journeys, downloads):
    try:
        for name, (path, roles) in journeys.items():
            check_journey(page, name, path, roles, downloads)
        check_stop(page)
        check_pasted(page)
        check_quoted(page)
        check_odd(page, downloads)
        check_formats(page, downloads)
        check_workbook(page, downloads)
        check_few(page, downloads)
        keeping.check(page, fit_now)
        check_without_target(page, downloads)
        hurried.check(page)
        hostile.check(page, downloads, 1 if built.LONG else 12, built.LONG)
        check_silence(page)
        if isinstance(page, driving.Chromium):
            check_keyboard(page, downloads)
            narrow.check(page)
            lacking.check(page, downloads, built.LONG)
        if KEEP and isinstance(page, driving.Chromium):
            os.makedirs(KEEP, exist_ok=True)
            pictures(page)
    finally:
        page.close()


def main():
    built.need(ROOT, "build/alidade.html")
    if not driving.browser.find():
        built.skip("no browser on this machine")
    downloads = os.path.abspath("downloads")
    os.makedirs(downloads)
    journeys = tables.write(".")
    check_in(driving.Chromium(downloads), journeys if built.LONG else {"classes": journeys["classes"]}, downloads)
    if built.LONG and driving.firefox.find():
        check_in(driving.Firefox(downloads), journeys, downloads)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
