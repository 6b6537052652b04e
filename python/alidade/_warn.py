"""Warnings of the library, told of the line that called the package."""
import os
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def give(category, text):
    """The frame that is told is the first outside of this folder."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
