"""What a browser may lack: each is provoked, and the page says it in a sentence. Memory that does not suffice ends no
page: what is too much is refused by name, and the next table works."""
import os
import random

import driving

# Before the page's own script runs: what it lacks, and the sentence.
SCRIPTS = (
    ("delete window.WebAssembly", "does not run WebAssembly"),
    ("delete window.DecompressionStream", "cannot unpack the program"),
    ("WebAssembly.compile = async () => { throw new Error('refused'); }", "did not start: refused"),
)
# Browsers that lack it indeed.
OPTIONS = (
    ("--js-flags=--no-enable-sse4-1", "vector instructions"),
    ("--js-flags=--wasm-max-mem-pages=100", "16 MB of memory"),
)
SMALL = "Mozilla/5.0 (X11; Linux i686; rv:128.0) Gecko/20100101 Firefox/128.0"


def opened(page):
    """What the page says when it is opened."""
    page.open(driving.PAGE)
    page.wait("document.documentElement.dataset.ready === 'yes' || !document.getElementById('failure').hidden")
    return driving.text(page, "failure")


def with_script(page, source, check):
    made = page.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
    try:
        check()
    finally:
        page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=made)


def check_scripts(page):
    def says(part):
        said = opened(page)
        assert part in said, (part, said)
    for source, part in SCRIPTS:
        with_script(page, source, lambda: says(part))
    agent = page.run("navigator.userAgent")
    page.call("Emulation.setUserAgentOverride", userAgent=SMALL)
    assert opened(page) == "" and "32 bits" in driving.text(page, "small"), driving.text(page, "small")
    page.call("Emulation.setUserAgentOverride", userAgent=agent)
    assert opened(page) == "" and driving.text(page, "small") == ""


def write_table(folder, rows=1500, columns=900):
    draw = random.Random(2)
    path = os.path.join(folder, "wide.csv")
    with open(path, "w") as file:
        file.write(",".join(f"c{j}" for j in range(columns)) + "\n")
        for _ in range(rows):
            file.write(",".join(str(draw.randrange(100000)) for _ in range(columns)) + "\n")
    return path


def check_warning(page, folder):
    """A page that gets 28 MB warns of a table of 8; what needs more than there is is refused, what needs less is done."""
    def warns():
        assert opened(page) == ""
        page.give_file("#file", write_table(folder))
        said = driving.read(page)
        assert "may need more memory" in said and "leave columns out" in said, said
        driving.choose_method(page)
        driving.choose(page, "method", "kpca")
        page.click("#go")
        page.wait("document.getElementById('go').disabled")
        page.wait("!document.getElementById('go').disabled")
        said = driving.text(page, "failure")
        assert "did not suffice" in said and "MB" in said, said
        page.click("#example-wine")
        page.wait("document.getElementById('read').textContent.startsWith('wine.csv: 178')")
        driving.compute(page)
    with_script(page, "Object.defineProperty(navigator, 'deviceMemory', {value: 0.04})", warns)


def check_options(downloads):
    for option, part in OPTIONS:
        page = driving.Chromium(downloads, option)
        try:
            said = opened(page)
            assert part in said, (option, said)
        finally:
            page.close()


def check(page, downloads, browsers):
    check_scripts(page)
    check_warning(page, downloads)
    if browsers:
        check_options(downloads)
    print("what a browser may lack is said in a sentence; a warning comes before memory runs out")
