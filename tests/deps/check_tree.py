#!/usr/bin/env python3
"""check_tree.py ROOT [CHECK...]: promises about the files of the tree, each a check that can be run by its name; all of
them if none is named.

    pages         prose in Markdown is wrapped at 120 columns (tables, code and HTML are not prose)
    folders       no folder of src has more than 30 files, none of cli, tests, python/src and r/alidade/src more than 34
    names         no two C files of src, cli, python/src and r/alidade/src have the same name, nor two of tests, and no two types of include,
                  src and cli
    files         no C file has more than 450 lines; one of tests 480
    functions     no function has more than 50 lines, one of tests 60; prints the median and the 90th percentile of all
    arguments     at most 20 functions of src have eight parameters or more
    headers       at most 60 headers of src serve one other file only
    ranks         at most 12 files of src outside cluster know of several processes: they include a header of cluster, call
                  one of its functions, or speak of ranks in that sense
    headings      a C file of src with more than 60 lines opens with a comment: what it is for
    columns       no line of a C file has more than 110 columns
    conditionals  no conditional operator inside another
    declarations  no declaration has pointers and scalars: double *a, b;
    commas        an initialiser or enum that spans lines ends with a comma; those inside another may do without
    parameters    nobody compares the name of a method or parameter with a literal, or asks for a setting by one
    state         no variable of src outlives a call, at file scope or static in a function, but those of STATE
    options       no text of src names an option of the command line (--name), and what a message marks with
                  backquotes is a name of the interface: a parameter, a field of a public struct or a function
"""
import functools
import os
import re
import statistics
import sys

PAGE_WIDTH = 120

COUNTED = ("src", "cli", "tests", "python/src", "r/alidade/src")
NOT_COUNTED = ("tests/cli/cases", "tests/fuzz/corpus")  # a folder per case, a file per input
MOST_FILES = {"src": 30}  # in a folder, by the top folder
USUALLY_MOST_FILES = 34

C_FOLDERS = ("include", "src", "cli", "tests", "bench", "examples", "python", "r")
MOST_LINES = {"tests": 480}  # of a file, by its top folder
USUALLY_MOST_LINES = 450
MOST_FUNCTION_LINES = {"tests": 60}  # by the top folder
USUALLY_MOST_FUNCTION_LINES = 50
MANY_ARGUMENTS, MOST_WITH_MANY = 8, 20
MOST_SERVING_ONE = 60
MOST_NAMING_RANKS = 12
HEADING_FROM = 60  # lines of a file
MOST_COLUMNS = 110

NOT_OURS = re.compile(r"^(\.git|build(-.*)?|demo|__pycache__)$")

errors = []


def error(path, line, message):
    place = path if line is None else f"{path}:{line}"
    errors.append(f"{place}: {message}")


@functools.cache
def files(root, top, *endings):
    """Paths from the root of the files in a folder and those below it, in order."""
    found = []
    for folder, folders, names in os.walk(os.path.join(root, top)):
        folders[:] = [name for name in folders if not NOT_OURS.match(name)]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(endings)]
    return sorted(found)


def c_files(root):
    return [path for top in C_FOLDERS for path in files(root, top, ".c", ".h")]


@functools.cache
def text_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def lines_of(root, path):
    return list(enumerate(text_of(root, path).split("\n"), 1))


# Comments, string literals and character constants of C, whichever begins first.
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


@functools.cache
def without(text, comments=True, literals=False):
    """C with comments, or literals too, as blanks; lines and columns stay where they are. Quotes are kept."""
    def blank(found):
        token = found.group()
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token) if comments else token
        return token[0] + " " * (len(token) - 2) + token[-1] if literals else token
    return TOKEN.sub(blank, text)


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


def check_pages(root):
    for path in files(root, "", ".md"):
        in_code = False
        for number, text in lines_of(root, path):
            in_code ^= text.lstrip().startswith("```")
            prose = not in_code and not re.match(r"\s*[|<]|    ", text) and " " in text.strip()
            if prose and len(text) > PAGE_WIDTH:
                error(path, number, f"{len(text)} columns; prose is wrapped at {PAGE_WIDTH}")


def check_folders(root):
    for top in COUNTED:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            path = os.path.relpath(folder, root)
            folders[:] = [n for n in folders if not NOT_OURS.match(n) and f"{path}/{n}" not in NOT_COUNTED]
            most = MOST_FILES.get(top, USUALLY_MOST_FILES)
            if len(names) > most:
                error(path, None, f"{len(names)} files; at most {most}")


# Folders within which a debugger, a profiler or a reader knows a file by its name alone.
NAMED_ALONE = (("src", "cli", "python/src", "r/alidade/src"), ("tests",))


def check_file_names(root):
    for tops in NAMED_ALONE:
        first = {}
        for path in (path for top in tops for path in files(root, top, ".c")):
            other = first.setdefault(os.path.basename(path), path)
            if other != path:
                error(path, None, f"has the name of {other}")


def check_names(root):
    check_file_names(root)
    first = {}
    for path in (path for top in ("include", "src", "cli") for path in files(root, top, ".h")):
        text = without(text_of(root, path), literals=True)
        for found in re.finditer(r"^\} (\w+);|^typedef [^;{]*\(\*(\w+)\)\(", text, re.M):
            name = found.group(1) or found.group(2)
            other = first.setdefault(name, path)
            if other != path:
                error(path, line_at(text, found.start()), f"{name} is a type of {other} too")


def check_files(root):
    for path in c_files(root):
        count = text_of(root, path).count("\n")
        most = MOST_LINES.get(path.split(os.sep)[0], USUALLY_MOST_LINES)
        if count > most:
            error(path, None, f"{count} lines; at most {most}")


def functions(root, path):
    """(name, line of its opening brace, lines from brace to brace). By the formatting of this project: a body begins with
    { and ends with } in the first column, and nothing else does."""
    found, opened = [], None
    lines = without(text_of(root, path), literals=True).split("\n")
    for number, text in enumerate(lines, 1):
        if text.rstrip() == "{":
            opened = number
        elif text.startswith("}") and opened:
            head = next((lines[i] for i in range(opened - 2, -1, -1) if re.match(r"\w", lines[i])), "")
            names = re.findall(r"(\w+)\s*\(", head)
            found.append((names[0] if names else "?", opened, number - opened + 1))
            opened = None
    return found


def check_functions(root):
    lengths = []
    for path in c_files(root):
        for name, line, length in functions(root, path):
            if not path.startswith(("tests/", "bench/", "examples/")):
                lengths.append(length)
            most = MOST_FUNCTION_LINES.get(path.split(os.sep)[0], USUALLY_MOST_FUNCTION_LINES)
            if length > most:
                error(path, line, f"{name} has {length} lines; at most {most}")
    ninth = statistics.quantiles(lengths, n=10, method="inclusive")[-1]
    print(f"functions: {len(lengths)} in include, src, cli and python; lines from brace to brace: median "
          f"{statistics.median(lengths):g}, 90th percentile {ninth:g}, longest {max(lengths)}")


# A definition at the left margin, with its parameters; one level of brackets for arrays and pointers to functions.
DEFINITION = re.compile(r"^(?!typedef)[A-Za-z_][\w *]*?\b(\w+)\(((?:[^(){};]|\([^(){};]*\))*)\)\s*\n\{", re.M)


def check_arguments(root):
    found = []
    for path in files(root, "src", ".c"):
        for name, parameters in DEFINITION.findall(without(text_of(root, path), literals=True)):
            count = len(split_list(parameters))
            if count >= MANY_ARGUMENTS:
                found.append(f"{path}: {name} has {count} parameters")
    if len(found) > MOST_WITH_MANY:
        error("src", None, f"{len(found)} functions have {MANY_ARGUMENTS} parameters or more; at most {MOST_WITH_MANY}\n    "
              + "\n    ".join(found))


def check_headers(root):
    """A header that serves one other file belongs into it, or into a header that serves several."""
    users = {path: set() for path in files(root, "src", ".h")}
    for path in files(root, "src", ".c", ".h", ".cpp"):
        for header in re.findall(r'^\s*#\s*include "([^"]+)"', text_of(root, path), re.M):
            if path.rsplit(".", 1)[0] != f"src/{header}".rsplit(".", 1)[0]:
                users.setdefault(f"src/{header}", set()).add(path)
    single = [f"{header}: for {next(iter(by))}" for header, by in users.items() if len(by) == 1]
    if len(single) > MOST_SERVING_ONE:
        error("src", None, f"{len(single)} headers serve one other file; at most {MOST_SERVING_ONE}\n    " + "\n    ".join(single))


# Ranks as processes: those of a matrix and of a sorted list are spoken of differently.
RANKS = re.compile(r"""\bald_communicator\b|(?:\bcall\.|\bcontext->|(?<=\s)\.)ranks\b|\bMPI\b|\b[Rr]ank\ 0\b
    |\b(?:this|each|every|one|other|another|single)\ ranks?\b|\b(?:several|other|among|those|these)\ ranks\b
    |(?<!over\ )\ball\ ranks\b|\bnumber\ of\ ranks\b|\branks\ (?:of\ the\ machine|share|divide)\b
    |\b(?:several|other|between|among)\ processes\b""", re.X)


def check_ranks(root):
    """The functions of cluster are those that its headers declare."""
    headers = [text_of(root, path) for path in files(root, "src/cluster", ".h")]
    declared = {name for text in headers for name in re.findall(r"^[a-z][\w *]*?\b(ald_\w+)\(", without(text), re.M)}
    known = []
    for path in files(root, "src", ".c", ".h"):
        text = text_of(root, path)
        called = declared & set(re.findall(r"\b(ald_\w+)\s*\(", without(text, literals=True)))
        if path.startswith("src/cluster/"):
            continue
        if '#include "cluster/' in text or called or RANKS.search(text):
            known.append(path)
    print(f"ranks: known to {len(known)} files outside cluster")
    if len(known) > MOST_NAMING_RANKS:
        error("src", None, f"{len(known)} files know of ranks; at most {MOST_NAMING_RANKS}: " + ", ".join(known))


def check_headings(root):
    for path in files(root, "src", ".c"):
        text = text_of(root, path)
        if text.count("\n") > HEADING_FROM and not text.startswith("/*"):
            error(path, None, "does not open with a comment that says what it is for")


def check_columns(root):
    for path in c_files(root):
        for number, text in lines_of(root, path):
            if len(text) > MOST_COLUMNS:
                error(path, number, f"{len(text)} columns; at most {MOST_COLUMNS}")


def nested_conditionals(text):
    """Offsets of each ? inside the condition or a branch of another. The text has no comments and empty literals. A level
    is a pair of brackets; `open`: a conditional goes on in it; `had`: one ended in brackets of it."""
    levels = [{"open": False, "had": False}]
    for found in re.finditer(r"[][(){},;=?]", text):
        offset, sign = found.start(), found.group()
        here = levels[-1]
        if sign in "([{":
            levels.append({"open": False, "had": False})
        elif sign in ")]}" and len(levels) > 1:
            levels.pop()
            levels[-1]["had"] |= here["open"] or here["had"]
        if sign in ",;=}":
            levels[-1]["open"] = levels[-1]["had"] = False
        elif sign == "?":
            if here["had"] or any(level["open"] for level in levels):
                yield offset
            here["open"] = True


def check_conditionals(root):
    for path in c_files(root):
        # == and the like are no assignments, which end what stands before them
        text = re.sub(r"[=!<>]=", "  ", without(text_of(root, path), literals=True))
        for offset in nested_conditionals(text):
            error(path, line_at(text, offset), "a conditional operator inside another")


# A type and what it declares, up to the semicolon; behind the first name is no bracket, as of a function.
DECLARATION = re.compile(r"(?<=[;{}])\s*((?:(?:static|const|extern|volatile|unsigned|signed|long|short|struct|enum)\s+)*"
                         r"(?!(?:return|else|goto|case|typedef)\b)[A-Za-z_]\w*)((?:\s+const)?\s+\**|\s*\*+\s*)(?=[A-Za-z_]\w*\s*[][,=;])"
                         r"([^;]*);")
DECLARATOR = re.compile(r"(\**)\s*(?:const\s+|restrict\s+)?[A-Za-z_]\w*\s*(?:\[[^\]]*\]\s*)*(?:=.*)?", re.S)


def split_list(text):
    """At the commas that are in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        parts = parts + [""] if sign == "," and depth == 0 else parts[:-1] + [parts[-1] + sign]
    return [part.strip() for part in parts]


def check_declarations(root):
    for path in c_files(root):
        text = without(text_of(root, path), literals=True)
        for found in DECLARATION.finditer(text):
            if "," not in found.group(3):
                continue
            declared = split_list(found.group(2).replace("const", "").strip() + found.group(3))
            matched = [DECLARATOR.fullmatch(one) for one in declared]
            if all(matched) and len({bool(one.group(1)) for one in matched}) == 2:
                error(path, line_at(text, found.start(1)), "pointers and scalars in one declaration")


def opens_list(text, at, levels):
    """Whether the { here begins an initialiser, a compound literal or an enum; else it begins a body or a struct."""
    before = text[max(0, at - 2000):at].rstrip()
    if before.endswith((",", "{", "(")):
        return bool(levels) and (levels[-1][2] or levels[-1][0] == "(")
    if not before.endswith(")"):
        return before.endswith("=") or bool(re.search(r"\benum(\s+\w+)?$", before[-100:]))
    start, depth = len(before) - 1, 1
    while depth and start:
        start -= 1
        depth += (before[start] == ")") - (before[start] == "(")
    return bool(re.search(r"([=(,&?:{|<>*+!-]|\breturn)$", before[:start].rstrip()[-10:]))


def outer_lists(text):
    """(first, last) offsets of what stands between the braces of each list that is in no other. The text has no comments
    and empty literals. A level is a bracket: what it is, where it opened, whether it is a list."""
    levels = []
    for found in re.finditer(r"[][(){}]", text):
        offset, sign = found.start(), found.group()
        if sign in "([{":
            levels.append((sign, offset, sign == "{" and opens_list(text, offset, levels)))
        elif sign in ")]}" and levels:
            _, start, is_list = levels.pop()
            if is_list and not any(level[2] for level in levels):
                yield start + 1, offset


def check_commas(root):
    for path in c_files(root):
        text = re.sub(r"^#.*", "", without(text_of(root, path), literals=True), flags=re.M)
        for first, last in outer_lists(text):
            inside = text[first:last].strip()
            if "\n" in text[first:last] and inside and not inside.endswith(","):
                error(path, line_at(text, first), "a list that spans lines ends without a comma")


def known_names(root):
    """Names of the methods and of the parameters, from methods.def and the tables."""
    methods, parameters = set(), set()
    for path in files(root, "src", ".c", ".h", ".def"):
        text = without(text_of(root, path))
        methods |= {name.replace("_", "-") for name in re.findall(r"^ALD_METHOD\((\w+)\)", text, re.M)}
        parameters |= set(re.findall(r'"(\w+)"\s*,[\s\\]*(?:\.type\s*=\s*)?ALD_PARAM_', text))
        parameters |= set(re.findall(r'\bALD_\w+_PARAM\(\s*"(\w+)",', text))
    return methods, parameters


COMPARISON = re.compile(r"\bstrn?(?:case)?cmp\s*\(")
SETTING = re.compile(r"\b(?:ald_settings?_\w+|ald_method_find|cli_param_find|cli_method_has)\s*\(")


def literals_in_calls(text, call):
    """(offset, literal) for the literals that are an argument, a word each, of the calls that a pattern finds the
    beginning of. The text has no comments."""
    bare = without(text, literals=True)
    for found in call.finditer(bare):
        depth, at = 1, found.end()
        while depth and at < len(bare):
            depth += {"(": 1, ")": -1}.get(bare[at], 0)
            at += 1
        for literal in re.finditer(r'[(,]\s*"(\w+)"\s*[,)]', text[found.end() - 1:at]):
            yield found.end() - 1 + literal.start(1), literal.group(1)


# Words of the command line that happen to be the name of a method or a parameter too: options of its own.
OWN_WORDS = {"graph", "landmarks", "features", "rank", "version"}


def check_parameters(root):
    methods, parameters = known_names(root)
    if len(methods) < 20 or len(parameters) < 40:
        error("src", None, f"only {len(methods)} methods and {len(parameters)} parameters found: the tables are read wrongly")
    for path in files(root, "src", ".c", ".h") + files(root, "cli", ".c", ".h"):
        text = without(text_of(root, path))
        words = OWN_WORDS if path.startswith("cli/") else set()
        for call, what in ((COMPARISON, "compares with the name"), (SETTING, "asks the settings for the name")):
            for offset, name in literals_in_calls(text, call):
                if name in (methods | parameters) - words:
                    kind = "method" if name in methods else "parameter"
                    error(path, line_at(text, offset), f'{what} of a {kind}, "{name}"')


def check_options(root):
    for path in files(root, "src", ".c", ".h", ".cpp", ".def"):
        text = text_of(root, path)
        for found in TOKEN.finditer(text):
            if found.group()[0] == '"' and "--" in found.group():
                error(path, line_at(text, found.start()), f"names an option of the command line: {found.group()[:60]}")
    check_marks(root)


def check_marks(root):
    public = {word for path in files(root, "include", ".h") for word in re.findall(r"\w+", text_of(root, path))}
    known = known_names(root)[1] | public
    for path in files(root, "src", ".c", ".h"):
        text = text_of(root, path)
        for found in TOKEN.finditer(text):
            marked = re.findall(r"`(\w+)[^`]*`", found.group()) if found.group()[0] == '"' else []
            for name in set(marked) - known:
                error(path, line_at(text, found.start()), f"marks `{name}`, which is no name of the interface")


# What belongs to the process, and not to a call or a context: file -> its variables. CONTRIBUTING.md has the reasons.
STATE = {
    "src/base/core/budget.c": {"container"},
    "src/base/core/run.c": {"is_helping"},
    "src/base/threads/aside.c": {"left"},
    "src/base/threads/crew.c": {"crew", "watched"},
    "src/base/threads/processors.c": {"found", "quota"},
    "src/base/threads/threads.c": {"blas", "watched"},
    "src/math/backend/blas_room.c": {"ready", "a", "c"},
    "src/math/backend/kernels.c": {"name", "**kept"},
}


def outer_text(text):
    """The text outside of all braces, which stay as {}; a body of a function as nothing."""
    depth, out = 0, []
    for character in re.sub(r"^#.*(?:\\\n.*)*", "", text, flags=re.M):
        depth -= character == "}"
        if depth == 0:
            out.append(character)
        depth += character == "{"
    return re.sub(r"\)\s*\{\}", ");", "".join(out))


def is_variable(declaration):
    """Whether a declaration is of something that can change."""
    before = re.sub(r"\{\}", "", declaration.split("=")[0]).strip()
    if not before or re.match(r"(__extension__ )?typedef\b|extern\b", before) or re.fullmatch(r"(struct|union|enum)\s*\w*", before):
        return False
    pointed = before.rsplit("*", 1)[-1]
    is_function = before.endswith(")") and "=" not in declaration
    return not is_function and not re.search(r"\bconst\b", pointed) and " " in before


def check_state(root):
    for path in files(root, "src", ".c"):
        text = without(text_of(root, path), literals=True)
        inner = re.findall(r"^[ \t]+static (?!inline)([^;={}()]*)[;=]", text, re.M)
        plain = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)  # macros may hold statements
        outer = [part for part in outer_text(plain).split(";") if is_variable(part)]
        names = {re.sub(r"\[.*|=.*", "", part, flags=re.S).split()[-1].strip("*") for part in outer}
        names |= {re.sub(r"\[.*", "", part).split()[-1] for part in inner if is_variable("static " + part)}
        for name in sorted(names ^ STATE.get(path, set())):
            why = "outlives a call; see STATE" if name in names else "is in STATE, but not in the file"
            error(path, None, f"`{name}` {why}")


CHECKS = {
    "pages": check_pages,
    "folders": check_folders,
    "names": check_names,
    "files": check_files,
    "functions": check_functions,
    "arguments": check_arguments,
    "headers": check_headers,
    "ranks": check_ranks,
    "headings": check_headings,
    "columns": check_columns,
    "conditionals": check_conditionals,
    "declarations": check_declarations,
    "commas": check_commas,
    "parameters": check_parameters,
    "options": check_options,
    "state": check_state,
}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root, names = sys.argv[1], sys.argv[2:] or list(CHECKS)
    for name in names:
        if name not in CHECKS:
            sys.exit(f"check_tree.py: there is no check '{name}'; there are {', '.join(CHECKS)}")
        before = len(errors)
        CHECKS[name](root)
        print(f"{name}: {len(errors) - before} failures" if len(errors) > before else f"{name}: holds")
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
