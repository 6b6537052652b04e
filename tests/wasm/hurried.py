"""A person who does not wait, and goes from table to table, also from what is none: takes one table after another, and stops what comes after a fit. What was computed then ends
without a word of its own, the last table is open, and a model that was finished is kept."""
import driving
import lacking

READY = "!document.getElementById('go').disabled"
# Stops when a command has been given to the program.
STOP_AT = """(() => { const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
        post.call(this, message);
        if (message.command?.[0] !== "%s") return;
        Worker.prototype.postMessage = post;
        setTimeout(() => document.getElementById('stop').click()); };
    return 0; })()"""
STOP_IN_ANSWER = """(() => { new MutationObserver((_, watch) => { watch.disconnect(); document.getElementById('stop').click(); })
    .observe(document.getElementById('answer'), {attributeFilter: ['hidden']}); return 0; })()"""
IMPATIENT = """const clicks = setInterval(() => { document.getElementById('example-wine')?.click();
    if (document.documentElement.dataset.ready === 'yes') clearInterval(clicks); }, 2)"""


def check_tables(page):
    driving.begin(page)
    page.click("#example-wine")
    driving.read(page)
    page.run("(() => { for (const name of ['recordings', 'tecator', 'deliveries', 'deliveries'])"
             " document.getElementById('example-' + name).click(); return 0; })()")
    page.wait("document.getElementById('read').textContent.startsWith('deliveries.csv: 400')")
    page.wait("!document.getElementById('ask').hidden")
    driving.compute(page)
    assert driving.text(page, "question").startswith("Predict days") and "--groups=customer" in driving.text(page, "commands")


def check_stops(page):
    """At the report, and while the row that can be moved is made: the model is there."""
    for stop in [STOP_IN_ANSWER] + [STOP_AT % "report"] * isinstance(page, driving.Chromium):
        driving.begin(page)
        page.click("#example-wine")
        driving.read(page)
        driving.choose_method(page)
        page.run(stop)
        driving.click_until(page, "#go", "!document.getElementById('answer').hidden")
        page.wait(READY)
        said = driving.text(page, "failure")
        assert said == "" if stop == STOP_IN_ANSWER else said.startswith("Stopped: the model is here"), said
        assert page.run("document.querySelector('a[download=\"model.ald\"]') !== null")
        assert page.run("document.getElementById('what-part').hidden && document.getElementById('stop').textContent === 'Stop'")


def check_steps(page):
    """Steps for the rows of one table are not done to the next; those that are done are shown, however few columns are left."""
    driving.begin(page)
    page.click("#example-tecator")
    driving.read(page)
    page.run("(() => { const list = document.querySelector('#add-step select'); list.value = 'snv';"
             " list.dispatchEvent(new Event('change')); return 0; })()")
    driving.choose(page, "task", "regression")
    driving.role(page, "f1", "left out")
    page.wait("document.querySelectorAll('#steps li').length === 1")
    page.click("#example-recordings")
    page.wait("document.getElementById('read').textContent.startsWith('recordings.csv: 300')")
    page.wait("document.getElementById('question').textContent.includes('calm, happy')")
    driving.choose_method(page)
    driving.choose(page, "method", "bair")
    assert "Settings of Bair's supervised" in driving.text(page, "settings")
    driving.choose(page, "method", "pls")
    driving.compute(page)
    said = driving.text(page, "commands")
    assert "--rows" not in said and "--task" not in said and page.run("document.getElementById('steps-part').hidden"), said


def check_nothing(page):
    """A text that is no table opens as one cell, of which nothing can be made."""
    with open("words.txt", "w") as file:
        file.write("to whom it may concern\nthis is no table\n")
    driving.begin(page)
    page.give_file("#file", "words.txt")
    assert driving.read(page) == ""
    assert driving.text(page, "question").startswith("No column is a feature"), driving.text(page, "question")


def check(page):
    check_nothing(page)
    check_tables(page)
    check_steps(page)
    check_stops(page)
    if isinstance(page, driving.Chromium):
        lacking.with_script(page, IMPATIENT, lambda: (driving.begin(page), driving.read(page)))
    strange = page.strange()
    assert not strange, strange
    print("tables in a hurry and work that is stopped: as they should be")
