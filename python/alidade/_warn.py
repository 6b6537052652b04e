"""Warnings of the library, attributed to the line that called the package."""
import os
import sys
import warnings

from alidade._spelling import spelled

HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def give(category, text):
    """The warning is attributed to the first frame outside this folder."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(spelled(text), category, stacklevel=level)
