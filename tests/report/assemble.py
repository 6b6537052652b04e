#!/usr/bin/env python3
"""The page put together as the program does it (cmake/report_page.cmake and src/show/report/page.c): the scripts and styles in
the order of their names without comments and spare blanks, their hashes in the policy, the data as JSON.

    assemble.py DATA.json > PAGE.html      a page of these data
    assemble.py --size                     the size of the page without data
    assemble.py --script                   the script of the page
    assemble.py --names                    what its names are in the sources, as JSON
"""
import base64
import functools
import hashlib
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "..", "src", "show", "report", "page")

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
LITERALS = re.compile(r'("[^"\n]*"|`[^`]*`)')
OPERATORS = {".js": r"[ \n]*([\]\[=*/%<>?:,;{}()&|!+-]+)[ \n]*", ".css": r"[ \n]*([:;{},>]+)[ \n]*"}


def squeeze_code(text, ending):
    """What is outside strings and templates."""
    text = re.sub(OPERATORS[ending], r"\1", text)
    if ending == ".js":
        text = re.sub(r"const([ \[{])", r"let\1", text)
    return re.sub(r"([^A-Za-z0-9_.$])0\.([0-9])", r"\1.\2", text)


def squeeze(text, ending):
    """Without comments, and outside strings and templates without blanks and line ends beside operators, without zeros
    before a point, last commas, last semicolons and parentheses about a single parameter; `let` for every `const`, and
    one for several simple ones."""
    text = re.sub(r"\n *//[^\n]*", "", "\n" + text)
    text = re.sub(r"\n[ \n]+", "\n", text)
    parts = LITERALS.split(text)
    parts[::2] = [squeeze_code(part, ending) for part in parts[::2]]
    text = re.sub(r",([\])])", r"\1", re.sub("[,;]}", "}", "".join(parts)))
    text = re.sub(r"([^A-Za-z0-9_])\(([a-z]+)\)=>", r"\1\2=>", text)
    for _ in range(3):
        text = re.sub(r"(let [A-Za-z0-9_]+=[^;{}]*);let ([A-Za-z])", r"\1,\2", text)
    return text


def whole(ending):
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(ending))
    texts = []
    for name in names:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            texts.append(file.read())
    return "".join(texts)


@functools.cache
def short_names():
    """Names with a capital letter that belong to the whole script, and what they become: $a, $b, ..."""
    names = re.findall(r"\n(?:function|const|let) ([A-Za-z0-9_]*[A-Z][A-Za-z0-9_]*)", whole(".js"))
    signs = [mark + letter for mark in "$_" for letter in LETTERS]
    signs += ["$" + letter + sign for letter in LETTERS for sign in LETTERS]
    return dict(zip(names, signs))


def shortened(text):
    names = short_names()
    return re.sub(r"[A-Za-z0-9_$]+", lambda word: names.get(word.group(), word.group()), text)


def sources(ending):
    text = squeeze(whole(ending), ending)
    return shortened(text) if ending == ".js" else text


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
    elif sys.argv[1:] == ["--names"]:
        json.dump(short_names(), sys.stdout)
    elif sys.argv[1:] == ["--size"]:
        print(len(assemble({"title": ""}).encode()) - len(data_text({"title": ""})))
    else:
        with open(sys.argv[1], encoding="utf-8") as source:
            sys.stdout.write(assemble(json.load(source)))
