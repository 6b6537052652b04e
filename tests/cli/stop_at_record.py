#!/usr/bin/env python3
"""Runs a command and sends it a signal once a file that it writes has so many records (length, kind, bytes, hash).

    stop_at_record.py SIGNAL FILE RECORDS COMMAND...

The exit status is the command's, or 128 + the signal that ended it.
"""
import os
import signal
import struct
import subprocess
import sys
import time


def records_of(path):
    if not os.path.exists(path):
        return 0
    with open(path, "rb") as file:
        content = file.read()
    records, at = 0, 0
    while at + 24 <= len(content):
        at += 24 + struct.unpack_from("<q", content, at)[0]
        records += at <= len(content)
    return records


def main():
    number, path, records = getattr(signal, sys.argv[1]), sys.argv[2], int(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    child = subprocess.Popen(sys.argv[4:])
    while child.poll() is None and records_of(path) < records:
        time.sleep(0.01)
    if child.poll() is None:
        child.send_signal(number)
    status = child.wait()
    sys.exit(status if status >= 0 else 128 - status)


main()
