#!/usr/bin/env python3
"""Runs a command and sends it a signal once a file that it writes has so many lines.

    stop_at_line.py SIGNAL FILE LINES COMMAND...

The exit status is the command's, or 128 + the signal that ended it.
"""
import os
import signal
import subprocess
import sys
import time


def lines_of(path):
    if not os.path.exists(path):
        return 0
    with open(path, "rb") as file:
        return file.read().count(b"\n")


def main():
    number, path, lines = getattr(signal, sys.argv[1]), sys.argv[2], int(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    child = subprocess.Popen(sys.argv[4:])
    while child.poll() is None and lines_of(path) < lines:
        time.sleep(0.01)
    if child.poll() is None:
        child.send_signal(number)
    status = child.wait()
    sys.exit(status if status >= 0 else 128 - status)


main()
