#!/usr/bin/env python3
"""Runs a command and sends it signals.

    interrupt.py SIGNAL SECONDS COMMAND...

The exit status is the command's, or 128 + the signal that ended it.
"""
import signal
import subprocess
import sys
import time


def main():
    number = getattr(signal, sys.argv[1])
    # Shells start background jobs with SIGINT ignored; the command must not inherit that.
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    child = subprocess.Popen(sys.argv[3:])
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(float(sys.argv[2]))
    child.send_signal(number)
    status = child.wait()
    sys.exit(status if status >= 0 else 128 - status)


main()
