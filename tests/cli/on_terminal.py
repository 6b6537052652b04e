#!/usr/bin/env python3
"""Runs a command with a terminal as its standard error and prints what came there.

    on_terminal.py [--stdout] [--after SECONDS KEYS]... -- COMMAND...

With --stdout its standard output is the terminal as well. KEYS are typed SECONDS after the start; ^C is the interrupt
key. The exit status is the command's, or 128 + its signal.
"""
import os
import pty
import select
import sys
import time


def schedule(arguments):
    keys = []
    while arguments[0] == "--after":
        keys.append((float(arguments[1]), arguments[2].replace("^C", "\x03")))
        arguments = arguments[3:]
    return keys, arguments[1:]


def main():
    both = sys.argv[1] == "--stdout"
    keys, command = schedule(sys.argv[2 if both else 1:])
    output = os.dup(1)
    child, terminal = pty.fork()
    if child == 0:
        if not both:  # the child keeps our standard output
            os.dup2(output, 1)
        os.execvp(command[0], command)
    began = time.monotonic()
    seen = b""
    while True:
        while keys and time.monotonic() - began >= keys[0][0]:
            os.write(terminal, keys.pop(0)[1].encode())
        if not select.select([terminal], [], [], 0.05)[0]:
            continue
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        seen += block
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.stdout.flush()
    text = seen.decode("utf-8", "replace").replace("\r\n", "\n")
    sys.stdout.write(text.replace("\x1b", "<ESC>").replace("\r", "<CR>"))
    sys.exit(status if status >= 0 else 128 - status)


main()
