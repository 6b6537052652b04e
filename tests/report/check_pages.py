#!/usr/bin/env python3
"""check_pages.py [--keep FOLDER] [PAGE...]: pages of every kind in a real browser.

On each: nothing on the console, no request; every picture is drawn; rows chosen in one picture are the same in the
others and in the table, by mouse and by keyboard; what is saved is what was given. Names are shown as they are and
nothing in them runs.
Some of the checks are made on some of the pages, all on all with ALD_LONG. --keep: the pages and their screenshots, 1280
and 390 wide, light and dark.
Ends with 77 where there is no browser.
"""
import argparse
import base64
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import assemble  # noqa: E402
import browser  # noqa: E402
import made_data  # noqa: E402

MOST_BYTES = 64000
failures = []


class Page(browser.Page):
    """Expressions have the names of the sources; in the page they are short."""

    def run(self, expression):
        return super().run(assemble.shortened(expression))


def check(fine, page, what):
    if not fine:
        failures.append(f"{page}: {what}")
        print(f"FAILED {page}: {what}", flush=True)


def box_of(page, key):
    """The drawing of a picture as it lies in the window, scrolled to its middle."""
    return page.run(f"""(() => {{ const canvas = document.querySelector('#{key} canvas');
        canvas.scrollIntoView({{ block: 'center' }}); const box = canvas.getBoundingClientRect();
        return [box.left, box.top, box.width, box.height]; }})()""")


def chosen(page):
    return page.run("[...chosenRows.mask.keys()].filter((i) => chosenRows.mask[i])")


def rows_inside(page, key, box):
    """The rows whose marks lie in the rectangle, by the picture itself."""
    x0, y0, x1, y1 = box
    return page.run(f"""(() => {{ const picture = allPictures.find(({{ view }}) => view.key === '{key}'), rows = [];
        picture.view.choose(picture.at, {{ x0: {x0}, y0: {y0}, x1: {x1}, y1: {y1} }}, (row) => rows.push(row));
        return rows.sort((a, b) => a - b); }})()""")


def table_rows(page):
    """The rows that the table shows when it lists the chosen ones only, whatever their number."""
    return page.run("""(async () => { const only = document.querySelector('.check input'), rows = new Set();
        only.click();
        const scroll = document.querySelector('.rows');
        for (let top = 0; ; top += 300) { scroll.scrollTop = top; scroll.dispatchEvent(new Event('scroll'));
          document.querySelectorAll('.rows tr[data-row]').forEach((row) => rows.add(Number(row.dataset.row)));
          if (top > scroll.scrollHeight) break; }
        const wrong = document.querySelectorAll('.rows tr[data-row]:not(.chosen)').length; only.click();
        return wrong ? null : [...rows].sort((a, b) => a - b); })()""")


THOROUGH = ("regression", "classes-3", "iris")  # brushed in every picture, the others in one
LONG = bool(os.environ.get("ALD_LONG"))
LINKED = "allPictures.filter(({ view }) => view.choose)"


def check_brushing(page, name):
    keys = page.run(LINKED + ".map(({ view }) => view.key)")
    total = page.run("pageReport.shown")
    page.run(f"window.plain = {LINKED}.map(svgOf); 0")
    for key in keys if LONG or name in THOROUGH else keys[:1]:
        left, top, width, height = box_of(page, key)
        inner = (width * 0.3, height * 0.25, width * 0.7, height * 0.7)
        page.drag(left + inner[0], top + inner[1], left + inner[2], top + inner[3], 2)
        rows = chosen(page)
        check(rows == rows_inside(page, key, inner), name, f"{key}: other rows than those in the rectangle")
        check(table_rows(page) == rows, name, f"{key}: the table lists other rows than those chosen")
        count = page.run("document.getElementById('count').textContent.replace(/\\D/g, '')")
        check(count == (str(len(rows)) if rows else ""), name, f"{key}: the count is {count}")
        same = page.run(f"{LINKED}.filter((picture, i) => svgOf(picture) === plain[i]).map(({{ view }}) => view.key)")
        check(not same or len(rows) in (0, total), name, f"rows chosen in {key} are not told apart in {same}")
    page.run("chosenRows.clear()")


def check_keyboard(page, name):
    page.run("document.querySelector('canvas.brushable').focus()")
    for key, shift in (("ArrowLeft", 0), ("ArrowUp", 0), ("ArrowRight", 8), ("ArrowDown", 8)):
        page.key(key, shift)  # once as a person presses it, then many times
        pressed = json.dumps({"key": key, "shiftKey": bool(shift)})
        page.run(f"for (let i = 0; i < 22; i++) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {pressed}))")
    page.settle()
    check(len(chosen(page)) > 0, name, "the keyboard draws no rectangle")
    page.key("Escape")
    page.settle()
    check(chosen(page) == [], name, "Escape does not clear")
    page.run("document.activeElement.blur()")


def check_touch(page, name):
    """A finger across draws a rectangle, one that scrolls chooses nothing, and a tap tells the row."""
    left, top, width, height = box_of(page, "scores")
    page.swipe(left + width * 0.1, top + height * 0.1, width * 0.8, height * 0.4)
    check(len(chosen(page)) > 0, name, "a finger draws no rectangle")
    page.run("chosenRows.clear()")
    page.swipe(left + width * 0.5, top + height * 0.5, 1, -120)
    check(chosen(page) == [], name, "scrolling with a finger chooses rows")
    page.run("""new Promise((rests) => { let last = -1; (function look() { if (scrollY === last) return rests();
        last = scrollY; setTimeout(look, 100); })(); })""")
    left, top, width, height = box_of(page, "scores")
    x, y = page.run("""(() => { const { view, at } = allPictures.find(({ view }) => view.key === 'scores');
        for (let x = at.left; x < at.right; x += 4) for (let y = at.top; y < at.bottom; y += 4) if (view.find(at, x, y)) return [x, y]; })()""")
    page.swipe(left + x, top + y, 0, 0)
    page.wait("!document.getElementById('tip').hidden")
    check(len(chosen(page)) == 1, name, "a tap does not choose a row")
    page.run("chosenRows.clear()")


def decoded(data, columns):
    import array
    return [array.array("d", base64.b64decode(column["f64"])).tolist() for column in columns]


def check_scores(page, name, data):
    """The scores as saved, number by number, and under the names that transform gives them."""
    lines = page.run("csvText(...allPictures.find(({ view }) => view.key === 'scores').view.table())").split("\n")
    lead = 1 if data["rows"]["names"] else 0
    if "hostile" in name:  # names with line ends
        return
    check(lines[0].split(",")[lead:] == [one["name"] for one in data["components"]], name, "the header of the scores")
    cells = [line.split(",")[lead:] for line in lines[1:-1]]
    scores = decoded(data, data["scores"])
    saved = [[float(row[c]) for row in cells] for c in range(len(scores))]
    check(saved == scores, name, "the scores that are saved are not those given")


def check_texts(page, name, data):
    title, sentence = page.run("['h1', '.sentence'].map((place) => document.querySelector(place)?.textContent ?? null)")
    check(title == data["title"], name, "the title is not shown as it is")
    check(sentence == (data["headline"] and data["headline"]["sentence"]), name, "the sentence is not shown as it is")
    check(page.run("typeof window.ran") == "undefined", name, "a name has run as a script")
    made = page.run("document.querySelectorAll('img, b, i, iframe, main script').length")
    check(made == 0, name, "a name has become markup")


def check_drawn(page, name):
    """No picture is empty, and none is wider than its frame."""
    empty = page.run("""allPictures.filter(({ canvas }) => { const { width, height } = canvas;
        const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
        return new Set(new Uint32Array(data.buffer)).size < 3; }).map(({ view }) => view.key)""")
    check(not empty, name, f"nothing is drawn in {empty}")
    check(page.run("document.documentElement.scrollWidth <= innerWidth"), name, "the page is wider than the window")


def check_saving(page, name):
    """The buttons give a file: its name and text are caught on the way."""
    saved = page.run("""(async () => { const texts = [], make = URL.createObjectURL;
        const click = HTMLAnchorElement.prototype.click;
        let blob; URL.createObjectURL = (one) => { blob = one; return make(one); };
        HTMLAnchorElement.prototype.click = function () { texts.push([this.download, blob]); };
        document.querySelectorAll('figure .top button').forEach((button) => button.click());
        URL.createObjectURL = make; HTMLAnchorElement.prototype.click = click;
        return Promise.all(texts.map(async ([file, one]) => [file, (await one.text())])); })()""")
    pictures = page.run("allPictures.length")
    check(len(saved) == 2 * pictures, name, f"{len(saved)} files of {pictures} pictures")
    for file, text in saved:
        if file.endswith(".svg"):
            read = f"new DOMParser().parseFromString({json.dumps(text)}, 'image/svg+xml')"
            check(page.run(f"!{read}.querySelector('parsererror')"), name, f"{file} is no XML")
        else:
            fine = text.endswith("\n") and "undefined" not in text and "[object" not in text
            check(fine, name, f"{file}: {text[:80]!r}")


def check_table(page, name, data):
    """Sorting and searching."""
    first = "document.querySelector('.rows tr[data-row] .number')?.textContent"
    page.run("document.querySelector('.rows th.number button').click()")
    low = page.run(first)
    page.run("document.querySelector('.rows th.number button').click()")
    check(low != page.run(first), name, "sorting the other way changes nothing")
    found = [page.run(f"""(() => {{ const field = document.querySelector('input[type=search]'); field.value = '{words}';
        field.dispatchEvent(new Event('input')); return document.querySelectorAll('.rows tr[data-row]').length; }})()""")
             for words in ("no such row", "")]
    check(found[0] == 0 and found[1] > 0, name, f"searching finds {found} rows")


PRINTED = 500  # rows at most


def check_printing(page, name):
    """On paper the table has its rows, pictures keep their shape, and the screen is afterwards as it was."""
    look = """(() => { drawAll(); return [document.querySelectorAll('.rows tr[data-row]').length, document.body.clientWidth,
        allPictures.filter(({ canvas: one }) => Math.abs(one.width / one.height - one.clientWidth / one.clientHeight) > 0.05)
          .map(({ view }) => view.key), document.documentElement.dataset.theme, document.querySelector('.rows + p').textContent]; })()"""
    before = page.run(look)
    page.run("dispatchEvent(new Event('beforeprint'))")
    rows, width, distorted, theme, words = page.run(look)
    total = page.run("pageReport.shown")
    check(rows == min(total, PRINTED), name, f"{rows} of {total} rows are printed")
    check((str(PRINTED) in words) == (total > PRINTED), name, f"the paper says of its rows: {words}")
    check(width == 720 and not distorted and theme == "light", name, f"on paper: {width}, {distorted}, {theme}")
    buttons = page.run("[...document.querySelectorAll('.rows th button')].map((one) => getComputedStyle(one).display)")
    check(set(buttons) <= {"contents"}, name, f"a header with buttons ({buttons}) is on the first sheet only")
    page.run("dispatchEvent(new Event('afterprint'))")
    check(page.run(look) == before, name, "printing changes the screen")


def check_choices(page, name):
    """Every choice of every list can be made."""
    page.run("""document.querySelectorAll('.controls select').forEach((list) => {
        for (const { value } of [...list.options].slice(0, 3)) { list.value = value; list.dispatchEvent(new Event('change')); drawAll(); }
        list.value = list.options[0].value; list.dispatchEvent(new Event('change')); })""")
    page.run("drawAll()")


def check_judged(page, name, data):
    """Confusion and residuals are of the rows of the figure at the top; test rows look different."""
    part = base64.b64decode(data["rows"]["part"]["u8"])
    mine = [int(one == (data["headline"]["source"] == "test")) for one in part]
    if data["task"] == "classification":
        got = page.run("confusionOf(targetChosen, pageReport.judged).reduce((sum, one) => sum + one)")
        check(got == sum(mine), name, f"the confusion has {got} rows, the figure {sum(mine)}")
    else:
        got = page.run("""(() => { const [names, n, cell] = allPictures.find(({ view }) => view.key === 'residuals').view.table();
            return Array.from({ length: n }, (_, i) => Number(!isNaN(cell(i, names.length - 1)))); })()""")
        check(got == mine, name, "the residuals are not those of the rows of the figure")
    words = page.run("[...document.querySelectorAll('figcaption')].filter((one) => /Only test rows/.test(one.textContent)).length")
    check(words >= 1, name, "no picture says that it is of test rows only")
    hollow = page.run("(svgOf(allPictures.find(({ view }) => view.key === 'scores')).match(/stroke-width=.1.4./g) || []).length")
    check(hollow >= 1, name, "test rows look like training rows")


def check_steps(page, name):
    """A step has the same number in the picture and in the table."""
    wrong = page.run("""(() => { const { view, at } = allPictures.find(({ view }) => view.key === 'path'),
        steps = pageReport.tune.path.map(({ step }) => step);
        return view.places(at).filter((place, i) => Math.abs(at.x.invert(place) - steps[i]) > 1e-6).length; })()""")
    check(wrong == 0, name, f"{wrong} steps have another number in the picture")


def check_page(page, name, data, path, dark):
    page.open(path, dark=dark)
    page.settle()
    check_drawn(page, name)
    check_texts(page, name, data)
    if data["rows"]:
        check_scores(page, name, data)
        check_brushing(page, name)
    if data["rows"] and data["rows"]["n_test"] and data["predicted"]:
        check_judged(page, name, data)
    if data["tune"]:
        check_steps(page, name)
    if data["rows"] and (LONG or name in THOROUGH):
        check_keyboard(page, name)
        check_table(page, name, data)
        check_choices(page, name)
        check_printing(page, name)
        check_touch(page, name)
    if LONG or name in ("regression", "hostile", "compare", "tune"):
        check_saving(page, name)
    found = page.complaints()
    check(not found, name, f"the browser complains: {found[:3]}")


def keep_pictures(page, name, path, folder):
    for width in (1280, 390):
        for dark in (False, True):
            page.open(path, width, 900, dark)
            page.settle()
            page.picture(os.path.join(folder, f"{name}-{width}-{'dark' if dark else 'light'}.png"))


def check_all(names, keep):
    folder = keep or tempfile.mkdtemp(prefix="report-pages-")
    os.makedirs(folder, exist_ok=True)
    chrome = browser.Browser()
    page = Page(chrome)
    try:
        for place, name in enumerate(names):
            data = made_data.PAGES[name]()
            path = os.path.join(folder, f"{name}.html")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(assemble.assemble(data))
            check_page(page, name, data, path, place % 2 == 1)
            if keep:
                keep_pictures(page, name, path, folder)
    finally:
        chrome.close()
        if not keep:
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    size = len(assemble.assemble({"title": ""}).encode())
    check(size <= MOST_BYTES, "page", f"{size} bytes without data; at most {MOST_BYTES}")
    if not browser.find():
        print("skipped: no chromium on this machine")
        return 1 if failures else 77
    names = arguments.pages or list(made_data.PAGES)
    check_all(names, arguments.keep)
    print(f"{len(names)} pages, {size} bytes without data, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
