"""The progress parameter: None, a function of a text and a part done (0 to 1, negative if unknown), or True for a bar: on
standard error, or in the cell of a notebook."""
import html
import sys
import time
from contextlib import contextmanager

from alidade._spelling import of_arrays

WIDTH = 30
WAIT = 0.5  # seconds before a bar appears
BETWEEN = 0.1  # seconds between two pictures of it in a notebook


class Bar:
    """Appears after half a second and disappears at the end."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.began = time.monotonic()
        self.drawn = 0

    def __call__(self, stage, done):
        if time.monotonic() - self.began < WAIT:
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


class NotebookBar:
    """The same in a notebook: one display that is written anew, and is empty at the end."""

    def __init__(self, display):
        self.display, self.handle = display, None
        self.began = time.monotonic()
        self.next = self.began + WAIT

    def __call__(self, stage, done):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + BETWEEN
        value = f' value="{done:.3f}"' if done >= 0 else ""
        self.show(f'<progress max="1"{value}></progress> {html.escape(stage)}, {now - self.began:.0f} s')

    def show(self, text):
        if self.handle is None:
            self.handle = self.display.display(self.display.HTML(text), display_id=True)
        else:
            self.handle.update(self.display.HTML(text))

    def close(self):
        if self.handle is not None:
            self.show("")


def _bar():
    """For the notebook that runs this, which has imported IPython, else for standard error."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    if shell is not None and getattr(shell, "kernel", None) is not None:
        from IPython import display
        return NotebookBar(display)
    return Bar()


def listener(progress):
    """What the library calls, or None."""
    if progress is None or progress is False:
        return None
    return _bar() if progress is True else progress


@contextmanager
def hearing(progress, table=None):
    """What the library calls during one call. Its refusals of a table made of arrays name none of the options of tables."""
    heard = listener(progress)
    try:
        yield heard
    except ValueError as error:
        if table is None or table._named:
            raise
        raise ValueError(of_arrays(str(error))) from None
    finally:
        finish(heard)


def finish(heard):
    if isinstance(heard, (Bar, NotebookBar)):
        heard.close()
