"""The progress parameter: None, a function of a text and a part done (0 to 1, negative if unknown), or True
for a bar on standard error."""
import sys
import time

WIDTH = 30


class Bar:
    """Appears after half a second and disappears at the end."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.began = time.monotonic()
        self.drawn = 0

    def __call__(self, stage, done):
        if time.monotonic() - self.began < 0.5:
            return
        bar = "#" * round(WIDTH * done) + "." * (WIDTH - round(WIDTH * done)) if done >= 0 else ""
        line = f"{stage} {bar}"
        self.stream.write("\r" + line.ljust(self.drawn))
        self.stream.flush()
        self.drawn = len(line)

    def close(self):
        if self.drawn:
            self.stream.write("\r" + " " * self.drawn + "\r")
            self.stream.flush()


def listener(progress):
    """What the library calls, or None."""
    if progress is None or progress is False:
        return None
    return Bar() if progress is True else progress


def finish(heard):
    if isinstance(heard, Bar):
        heard.close()
