"""The page of `make app` in Chromium or Firefox, used as a person does: files are chosen or dropped, things are clicked,
what is saved lies in a folder. Both have run, wait, click, give_file, picture and strange (what must not happen)."""
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "report"))
import browser  # noqa: E402
import firefox  # noqa: E402

PAGE = os.path.join(ROOT, "build", "alidade.html")


class Chromium(browser.Page):
    def __init__(self, downloads, *options):
        super().__init__(browser.Browser(*options))
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=downloads)

    def wait(self, expression, patience=browser.PATIENCE):
        deadline = time.monotonic() + patience
        while not self.run(f"Boolean({expression})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never came true: {expression}")
            time.sleep(0.03)

    def click(self, selector):
        x, y = self.run(f"(() => {{ const one = document.querySelector({selector!r}); one.scrollIntoView({{block: 'center'}});"
                        " const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def give_file(self, selector, path):
        node = self.call("Runtime.evaluate", expression=f"document.querySelector({selector!r})")["result"]["objectId"]
        self.call("DOM.setFileInputFiles", files=[os.path.abspath(path)], objectId=node)

    def strange(self):
        return [one for one in self.complaints() if not one.startswith("request: blob:")]  # its own workers

    def close(self):
        self.browser.close()


class Firefox(firefox.Page):
    def strange(self):
        """Requests that are not the browser's own: settings and updates; of some it said nothing before it let go."""
        own = ("mozilla.", "firefox.com", "update.googleapis.com")
        return [one for one in self.requests() if one and not any(host in one for host in own)]


def text(page, name):
    return page.run(f"document.getElementById({name!r}).textContent")


def begin(page, **look):
    page.open(PAGE, **look)
    page.wait("document.documentElement.dataset.ready === 'yes' || !document.getElementById('failure').hidden")
    assert text(page, "failure") == "", text(page, "failure")


def drop(page, path, onto="drop"):
    """A file that is let go over an element."""
    with open(path, "rb") as file:
        data = list(file.read())
    page.run(f"""(() => {{ const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array({data})], {os.path.basename(path)!r}));
        document.getElementById({onto!r}).dispatchEvent(new DragEvent('drop', {{dataTransfer: transfer, bubbles: true, cancelable: true}}));
        return 0; }})()""")


def read(page, patience=browser.PATIENCE):
    """Waits until the table is shown, or a message is."""
    page.wait("!document.getElementById('ask').hidden || !document.getElementById('failure').hidden", patience)
    return text(page, "failure")


def role(page, column, wanted):
    """One click; where there are many columns it is searched for first."""
    page.run(f"(() => {{ const find = document.getElementById('column-words'); find.value = {column!r};"
             " find.dispatchEvent(new Event('input')); return 0; })()")
    button = f'button[aria-label="{column}: {wanted}"]'
    click_until(page, button, f"document.querySelector({button!r}).getAttribute('aria-pressed') === 'true'")


def choose(page, name, value):
    """A value of a list or a field."""
    page.run("(() => { const one = document.getElementById(%r); one.value = %r; one.dispatchEvent(new Event('change'));"
             " return 0; })()" % (name, value))


def click_until(page, selector, condition):
    """A click is made again where the element moved under the pointer, because something above it was shown."""
    deadline = time.monotonic() + browser.PATIENCE
    while True:
        page.click(selector)
        try:
            return page.wait(condition, 2)
        except TimeoutError:
            if time.monotonic() > deadline:
                raise


def choose_method(page):
    click_until(page, "#way-method", "document.getElementById('way-method').checked")


def compute(page, patience=900):
    """The main button, until it can be pressed again. That it was busy is noted by the page: a small fit may have ended
    before a driver that waits after its click looks."""
    page.run("""(() => { const go = document.getElementById('go');
        delete document.body.dataset.computed;
        new MutationObserver((_, watch) => { document.body.dataset.computed = 'yes'; watch.disconnect(); })
            .observe(go, {attributeFilter: ['disabled']}); return 0; })()""")
    click_until(page, "#go", "document.body.dataset.computed || !document.getElementById('failure').hidden")
    page.wait("!document.getElementById('go').disabled", patience)
    assert text(page, "failure") == "", text(page, "failure")


def save(page, name, folder):
    """A click on what saves a file, when nothing moves any more; waits for the file."""
    page.wait("!document.getElementById('go').disabled")
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.unlink(path)
    page.click(f'a[download="{name}"]')
    deadline, again, size = time.monotonic() + browser.PATIENCE, time.monotonic() + 5, -1
    while time.monotonic() < deadline:
        if size < 0 and time.monotonic() > again:  # it moved under the pointer
            page.click(f'a[download="{name}"]')
            again = time.monotonic() + 5
        now = os.path.getsize(path) if os.path.exists(path) else -1
        if now > 0 and now == size and not os.path.exists(path + ".part"):
            return path
        size = now
        time.sleep(0.1)
    raise TimeoutError(f"{name} was not saved")
