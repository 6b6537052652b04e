#!/usr/bin/env python3
"""The page put together as the program does it (cmake/report_page.cmake and src/report/page.c): the scripts and styles in
the order of their names without comments and spare blanks, their hashes in the policy, the data as JSON.

    assemble.py DATA.json > PAGE.html      a page of these data
    assemble.py --size                     the size of the page without data
    assemble.py --script                   the script of the page
"""
import base64
import hashlib
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "..", "src", "report", "page")

LITERALS = re.compile(r'("[^"\n]*"|`[^`]*`)')
OPERATORS = {".js": r"[ \n]*([\]\[=*/%<>?:,;{}()&|!+-]+)[ \n]*", ".css": r"[ \n]*([:;{},>]+)[ \n]*"}


def squeeze(text, ending):
    """Without comments, and outside strings and templates without blanks and line ends beside operators, and without
    last commas, last semicolons and parentheses about a single parameter."""
    text = re.sub(r"\n *//[^\n]*", "", "\n" + text)
    text = re.sub(r"\n[ \n]+", "\n", text)
    parts = LITERALS.split(text)
    parts[::2] = [re.sub(OPERATORS[ending], r"\1", part) for part in parts[::2]]
    text = re.sub(r",([\])])", r"\1", re.sub("[,;]}", "}", "".join(parts)))
    return re.sub(r"([^A-Za-z0-9_])\(([a-z]+)\)=>", r"\1\2=>", text)


def sources(ending):
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(ending))
    texts = []
    for name in names:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            texts.append(file.read())
    return squeeze("".join(texts), ending)


def data_text(data):
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def sha256(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def assemble(data):
    script, style = sources(".js"), sources(".css")
    title = data["title"]
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        title = title.replace(sign, entity)
    with open(os.path.join(FOLDER, "page.html"), encoding="utf-8") as file:
        page = file.read()
    parts = {"TITLE": title, "CSS": style, "SCRIPT": script, "STYLE_HASH": sha256(style), "SCRIPT_HASH": sha256(script),
             "DATA": data_text(data)}
    return re.sub("@(" + "|".join(parts) + ")@", lambda found: parts[found.group(1)], page)


if __name__ == "__main__":
    if sys.argv[1:] == ["--script"]:
        sys.stdout.write(sources(".js"))
    elif sys.argv[1:] == ["--size"]:
        print(len(assemble({"title": ""}).encode()) - len(data_text({"title": ""})))
    else:
        with open(sys.argv[1], encoding="utf-8") as source:
            sys.stdout.write(assemble(json.load(source)))
