#!/usr/bin/env python3
"""report.py [ALIDADE] [--rows 5000,100000]: what a page of a report costs in a browser.

For each number of rows: the size of the page beyond its data, the time from opening the file to the first frame that has
all pictures, the time of a brush move from the event to the end of its frame (the median and the largest of 40), and
whether the same input gives the same bytes. With ALIDADE the pages are written by the program, from a synthetic table
of so many rows; else from made-up data. Needs chromium. A busy machine makes all times longer: the last line has the
load, and the limits are those of an idle one.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "report"))
import assemble  # noqa: E402
import browser  # noqa: E402
import made_data  # noqa: E402

LIMITS = {5000: (0.3, 50), 100000: (1.0, 250)}  # seconds to the first frame, milliseconds of a move
MOVES = 40

# A drag across the scores, one move per frame; each waits for its frame and for the work in it.
DRAG = """(async () => {
  const canvas = document.querySelector('#scores canvas'), times = [];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  canvas.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const send = (type, part) => canvas.dispatchEvent(new PointerEvent(type,
    { clientX: left + width * part, clientY: top + height * part, pointerId: 1, bubbles: true }));
  canvas.setPointerCapture = () => {};
  send('pointerdown', 0.2);
  for (let k = 1; k <= MOVES; k++) {
    await frame();
    const start = performance.now();
    send('pointermove', 0.2 + 0.6 * k / MOVES);
    await frame();
    times.push(performance.now() - start);
  }
  send('pointerup', 0.8);
  return [times, chosenRows.count];
})()""".replace("MOVES", str(MOVES))

# Only the work: the move and the drawing that it asks for, without waiting for a frame.
WORK = assemble.shortened(DRAG.replace("await frame();\n    times", "drawAll();\n    times"))

# Pointing: what a move of the mouse over the scores costs until the words beside it are there.
HOVER = """(() => {
  const canvas = document.querySelector('#scores canvas'), times = [];
  const { left, top, width, height } = canvas.getBoundingClientRect();
  for (let k = 0; k < MOVES; k++) {
    const start = performance.now();
    canvas.dispatchEvent(new PointerEvent('pointermove',
      { clientX: left + width * (0.2 + 0.6 * k / MOVES), clientY: top + height * 0.5, bubbles: true }));
    document.getElementById('tip').offsetWidth;
    times.push(performance.now() - start);
  }
  return times;
})()""".replace("MOVES", str(MOVES))


def made_page(rows, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(assemble.assemble(made_data.regression(n=rows, columns=20, numeric=False)))


def program_page(alidade, rows, folder, path):
    table, model = os.path.join(folder, f"{rows}.csv"), os.path.join(folder, f"{rows}.ald")
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    if not os.path.exists(model):
        with open(table, "w", encoding="utf-8") as file:
            rng = random.Random(1)
            file.write("a,b,c,d,e,f,y\n")
            for _ in range(rows):
                x = [rng.gauss(0, 1) for _ in range(6)]
                y = 2 * x[0] - x[1] + 0.3 * rng.gauss(0, 1)
                file.write(",".join(f"{value:.4f}" for value in (*x, y)) + "\n")
        words = "--target y --method pls --components 3 --predictor linear --outlier-limits 1 -q -o"
        subprocess.run([alidade, "fit", table, *words.split(), model], **quiet)
    subprocess.run([alidade, "report", model, table, "--quick", "-q", "-o", path], **quiet)


def opening(page, path):
    """Seconds from the start of the navigation until all pictures are drawn and their first frame has come."""
    page.open(path)
    page.settle()
    return page.run("""(() => { const { domContentLoadedEventEnd } = performance.getEntriesByType('navigation')[0];
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        return Math.max(domContentLoadedEventEnd, paint ? paint.startTime : 0) / 1000; })()""")


def measure(page, rows, alidade, folder):
    path, again = os.path.join(folder, f"{rows}.html"), os.path.join(folder, f"{rows}-again.html")
    make = (lambda to: program_page(alidade, rows, folder, to)) if alidade else (lambda to: made_page(rows, to))
    make(path)
    make(again)
    with open(path, "rb") as first, open(again, "rb") as second:
        text = first.read()
        same = text == second.read()
    first_paint = min(opening(page, path) for _ in range(3))
    times, count = page.run(assemble.shortened(DRAG))
    work, _ = page.run(WORK)
    hover = page.run(HOVER)
    begin = text.index(b'id="alidade-data">')
    size = len(text) - (text.index(b"</script>", begin) - begin - len(b'id="alidade-data">'))
    size -= text.index(b"</title>") - text.index(b"<title>") - len(b"<title>")
    limits = LIMITS.get(rows, (None, None))
    print(f"{rows} rows: {len(text) / 1e6:.2f} MB, {size} bytes without data; same bytes: {'yes' if same else 'NO'}\n"
          f"  first paint {first_paint:.2f} s (at most {limits[0]})\n"
          f"  brush move median {statistics.median(times):.0f} ms, largest {max(times):.0f} ms (at most {limits[1]}), "
          f"work alone {statistics.median(work):.0f} ms; {count} rows chosen\n"
          f"  pointing at a row median {statistics.median(hover):.1f} ms, largest {max(hover):.1f} ms (at most 16)", flush=True)
    return same and size <= 58000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("alidade", nargs="?")
    parser.add_argument("--rows", default="5000,100000")
    arguments = parser.parse_args()
    if not browser.find():
        print("skipped: no chromium on this machine")
        return 77
    chrome = browser.Browser()
    try:
        page = browser.Page(chrome)
        with tempfile.TemporaryDirectory(prefix="report-bench-") as folder:
            fine = [measure(page, int(rows), arguments.alidade, folder) for rows in arguments.rows.split(",")]
    finally:
        chrome.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
