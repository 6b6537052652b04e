"""Firefox without a window, driven by its Marionette: messages "length:JSON" over a local socket. The same calls as
tests/report/browser.py's Page, as far as the tests of the page need them."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

NAMES = ("firefox-esr", "firefox")
PATIENCE = 60.0
# Nothing of its own on the network, downloads without a question; what it asks for nevertheless goes to the proxy.
SETTINGS = {
    "app.normandy.enabled": False, "app.update.auto": False, "app.update.enabled": False,
    "browser.download.folderList": 2, "browser.download.useDownloadDir": True,
    "browser.download.always_ask_before_handling_new_types": False,
    "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream,text/csv,text/html,text/x-python,text/plain,image/svg+xml",
    "browser.safebrowsing.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore", "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "extensions.update.enabled": False,
    "marionette.port": 0, "media.gmp-manager.updateEnabled": False, "media.gmp-provider.enabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True, "network.proxy.type": 1, "network.proxy.allow_hijacking_localhost": True,
    "services.settings.server": "http://127.0.0.1:9/", "toolkit.telemetry.server": "", "ui.prefersReducedMotion": 1,
}


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    def __init__(self, downloads, dark=False):
        self.folder = tempfile.mkdtemp(prefix="page-firefox-")
        self.proxy = socket.create_server(("127.0.0.1", 0))
        self.proxy.settimeout(0)
        port = self.proxy.getsockname()[1]
        settings = {**SETTINGS, "browser.download.dir": downloads, "layout.css.prefers-color-scheme.content-override": int(not dark)}
        for kind in ("http", "ssl"):
            settings.update({f"network.proxy.{kind}": "127.0.0.1", f"network.proxy.{kind}_port": port})
        with open(os.path.join(self.folder, "user.js"), "w") as file:
            for name, value in settings.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen([find(), "--headless", "--marionette", "--no-remote", "--profile", self.folder],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.folder, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "900"})
        self.number, self.buffer = 0, b""
        self.socket = self.connect()
        self.message()
        self.call("WebDriver:NewSession", capabilities={})
        self.call("WebDriver:SetTimeouts", script=600000)

    def connect(self):
        """Firefox writes the port that it has chosen into its profile."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with open(os.path.join(self.folder, "MarionetteActivePort")) as file:
                    return socket.create_connection(("127.0.0.1", int(file.read())), timeout=PATIENCE)
            except (OSError, ValueError):
                time.sleep(0.1)
        raise TimeoutError("firefox does not listen")

    def message(self):
        while b":" not in self.buffer or len(self.buffer) < int(self.buffer.split(b":", 1)[0]) + self.buffer.index(b":") + 1:
            more = self.socket.recv(1 << 20)
            if not more:
                raise EOFError("firefox has ended")
            self.buffer += more
        length, rest = self.buffer.split(b":", 1)
        self.buffer = rest[int(length):]
        return json.loads(rest[:int(length)])

    def call(self, command, **parameters):
        self.number += 1
        data = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.settimeout(PATIENCE * 15)
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        while True:
            kind, number, error, result = self.message()
            if kind == 1 and number == self.number:
                if error:
                    raise RuntimeError(f"{command}: {error['message']}")
                return result.get("value") if isinstance(result, dict) and set(result) == {"value"} else result

    def open(self, path, width=1280, height=900):
        self.call("WebDriver:SetWindowRect", width=width, height=height)
        self.call("WebDriver:Navigate", url="file://" + os.path.abspath(path))

    def run(self, expression):
        """The value of an expression; a promise is waited for."""
        script = "const done = arguments[0]; Promise.resolve(" + expression + ").then(done, (e) => done('failed: ' + e));"
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[])

    def wait(self, expression, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not self.run(f"Boolean({expression})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never came true: {expression}")
            time.sleep(0.05)

    def element(self, selector):
        found = self.call("WebDriver:FindElement", using="css selector", value=selector)
        return next(iter(found.values()))

    def click(self, selector):
        self.call("WebDriver:ElementClick", id=self.element(selector))

    def give_file(self, selector, path):
        self.call("WebDriver:ElementSendKeys", id=self.element(selector), text=os.path.abspath(path))

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("WebDriver:TakeScreenshot", full=True)))

    def requests(self):
        """The first lines of what was asked of the proxy."""
        found = []
        while True:
            try:
                connection, _ = self.proxy.accept()
            except BlockingIOError:
                return found
            connection.settimeout(1)
            try:
                found.append(connection.recv(300).split(b"\r\n")[0].decode(errors="replace"))
            except OSError:
                found.append("")
            connection.close()

    def close(self):
        try:
            self.call("Marionette:Quit", flags=["eForceQuit"])
            self.process.wait(20)
        except (OSError, EOFError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.proxy.close()
        shutil.rmtree(self.folder, ignore_errors=True)
