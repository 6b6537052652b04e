"""Chromium without a window, driven over a pipe: JSON messages that end with a NUL byte, on descriptors 3 and 4."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless=new --remote-debugging-pipe --disable-gpu --hide-scrollbars --no-first-run --mute-audio "
           "--disable-background-networking --disable-component-update --disable-default-apps --disable-extensions "
           "--disable-sync --disable-dev-shm-usage --disable-features=Translate,OptimizationHints").split()
PATIENCE = 60.0  # seconds for an answer, on a busy machine


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, *more):
        self.folder = tempfile.mkdtemp(prefix="report-browser-")
        to_child, self.out = os.pipe()
        self.back, from_child = os.pipe()
        sandbox = ["--no-sandbox"] if os.getuid() == 0 else []

        def take_descriptors():
            high = [os.dup(to_child), os.dup(from_child)]
            for target, source in zip((3, 4), high):
                os.dup2(source, target)
                os.set_inheritable(target, True)
        self.process = subprocess.Popen([find(), *OPTIONS, *more, *sandbox, f"--user-data-dir={self.folder}", "about:blank"],
                                        preexec_fn=take_descriptors, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number, self.buffer, self.events = 0, b"", []

    def message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.back], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("no answer from the browser")
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(20)
        except (OSError, EOFError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """A tab that shows one file after the other."""

    def __init__(self, browser):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, path, width=1280, height=900, dark=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        self.browser.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("document.readyState === 'complete' && document.querySelector('h1')")

    def run(self, expression):
        """The value of an expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, expression):
        deadline = time.monotonic() + PATIENCE
        while not self.run(f"Boolean({expression})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never came true: {expression}")
            time.sleep(0.02)

    def settle(self):
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def mouse(self, kind, x, y, pressed=0, modifiers=0):
        button = "left" if pressed or kind == "mouseReleased" else "none"
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=pressed,
                  clickCount=int(kind != "mouseMoved"), modifiers=modifiers)

    def drag(self, x0, y0, x1, y1, steps=4, modifiers=0):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0, 1, modifiers)
        for step in range(1, steps + 1):
            self.mouse("mouseMoved", x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps, 1, modifiers)
        self.mouse("mouseReleased", x1, y1, 0, modifiers)
        self.settle()

    def swipe(self, x, y, dx, dy, steps=6):
        """A finger; no way at all is a tap."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for step in range(1, steps + 1) if dx or dy else ():
            at = {"x": x + dx * step / steps, "y": y + dy * step / steps}
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[at])
            self.settle()
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()
        self.call("Emulation.setTouchEmulationEnabled", enabled=False)

    def key(self, key, modifiers=0):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def picture(self, path, whole=True):
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def complaints(self):
        """What the console said, exceptions, and every request but the one of the page itself."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, what = event["method"], event["params"]
            if method == "Runtime.consoleAPICalled":
                words = [str(one.get("value", one.get("description"))) for one in what["args"]]
                found.append("console: " + " ".join(words))
            elif method == "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                found.append("exception: " + details.get("exception", {}).get("description", details["text"]))
            elif method == "Log.entryAdded":
                found.append("log: " + what["entry"]["text"])
            elif method == "Network.requestWillBeSent" and what["type"] != "Document":
                found.append("request: " + what["request"]["url"][:200])
        return found
