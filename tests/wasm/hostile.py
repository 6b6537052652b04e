"""Files that mean no good: what the fuzzers keep, damaged copies of them, names and cells that are markup, bombs. The
page shows each as a table or says what is wrong with it, runs no script of theirs and takes the next."""
import gzip
import os
import random
import time
import zipfile

import driving

CORPUS = os.path.join(driving.ROOT, "tests", "fuzz", "corpus")
ENDINGS = {"csv": ".csv", "tsv": ".tsv", "arff": ".arff", "mtx": ".mtx", "npy": ".npy", "svmlight": ".svm", "xlsx": ".xlsx",
           "gzip": ".csv.gz", "mat": ".mat", "model": ".ald"}
MARKUP = "<img src=x onerror=window.ran=1>"
SHEET = "xl/worksheets/sheet1.xml"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def kept():
    """[(name, bytes)] of the corpus, and of it with a few bytes changed or its end cut off."""
    draw, found = random.Random(3), []
    for folder, ending in ENDINGS.items():
        for name in sorted(os.listdir(os.path.join(CORPUS, folder))):
            with open(os.path.join(CORPUS, folder, name), "rb") as file:
                data = file.read()
            found.append((f"{folder}-{name}{ending}", data))
            damaged = bytearray(data)
            for _ in range(3 if damaged else 0):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            found.append((f"damaged-{folder}-{name}{ending}", bytes(damaged[:draw.randrange(len(damaged) + 1)]
                                                                    if draw.random() < 0.5 else damaged)))
    return found


def markup():
    rows = "".join(f"{i},{MARKUP}{i % 2},</script><script>window.ran=1</script>\n" for i in range(20))
    return [(f"{MARKUP}.csv".replace("/", ""), (f'"{MARKUP}","<b>y","`${{window.ran=1}}`"\n' + rows).encode()),
            ("--help.csv", b"a,b\n1,2\n3,4\n5,6\n"), ("model.ald.csv", b"a,b\n1,2\n3,4\n5,7\n"), ("journal", b"a,b\n1,2\n3,4\n5,7\n"),
            ("all.csv", b"a,b\n1,2\n3,4\n5,7\n"), (".csv", b"a,b\n1,2\n3,4\n5,7\n"), ("x" * 240 + ".csv", b"a,b\n1,2\n3,4\n5,7\n"),
            ("unnamed.csv", b"1,2,3\n4,5,6\n7,8,10\n2,2,1\n"), ("wide.csv", b",".join(b"c%d" % i for i in range(20000)) + b"\n")]


def bombs(folder):
    """Paths of files that unpack to far more than they have, and of one that is too large."""
    made = [os.path.join(folder, name) for name in ("bomb.xlsx", "line.csv.gz", "rows.csv.gz", "large.csv")]
    with zipfile.ZipFile(made[0], "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("_rels/.rels", '<Relationships><Relationship Id="rId1" Type="%s/officeDocument" Target="xl/workbook.xml"/></Relationships>' % OFFICE)
        book.writestr("xl/workbook.xml", '<workbook xmlns:r="r"><sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", '<Relationships><Relationship Id="rId1" Type="%s/worksheet" Target="worksheets/sheet1.xml"/></Relationships>' % OFFICE)
        with book.open(SHEET, "w") as sheet:
            sheet.write(b"<worksheet><sheetData>")
            for _ in range(600):
                sheet.write(b"<row><c><v>1</v></c></row>" * 40000)
    with gzip.open(made[1], "wb", 1) as file:
        for _ in range(500):
            file.write(b"0" * (1 << 20))
    with gzip.open(made[2], "wb", 1) as file:
        for _ in range(1500):
            file.write(b"1,2\n" * (1 << 18))
    with open(made[3], "wb") as file:
        file.truncate(1_100_000_000)
    return made


def check_file(page, path):
    page.run("(() => { for (const id of ['ask', 'answer']) document.getElementById(id).hidden = true;"
             " document.getElementById('failure').hidden = true; document.getElementById('file').value = ''; return 0; })()")
    began = time.monotonic()
    page.give_file("#file", path)
    page.wait("!document.getElementById('ask').hidden || !document.getElementById('answer').hidden"
              " || !document.getElementById('failure').hidden", 120)
    assert page.run("window.ran === undefined && document.images.length === 0"), path
    return time.monotonic() - began, driving.text(page, "failure")


def check(page, folder, every, with_bombs):
    driving.begin(page)
    paths = []
    for name, data in kept()[::every] + markup():
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "wb") as file:
            file.write(data)
    refused, slowest = 0, (0.0, "")
    explosive = bombs(folder) if with_bombs else []
    for path in paths + explosive:
        took, said = check_file(page, path)
        assert said or path not in explosive, path
        refused += bool(said)
        slowest = max(slowest, (took, os.path.basename(path)))
        if with_bombs and took > 3:
            print(f"  {os.path.basename(path)}: {took:.1f} s: {said[:200]}")
    strange = page.strange()
    assert not strange, strange
    page.click("#example-wine")
    assert driving.read(page) == ""
    count = len(paths + explosive)
    print(f"{type(page).__name__}: {count} hostile files, {refused} refused, the others shown; the slowest took {slowest[0]:.1f} s "
          f"({slowest[1][:40]})", flush=True)
