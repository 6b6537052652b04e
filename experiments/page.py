"""docs/results.md: a section per experiment, ours beside the paper's."""
import os
import re
import textwrap

WIDTH = 120  # of prose and of commands; a row of a table cannot be broken
SETTINGS = {"quick": "quick setting (fewer draws and starts than the paper's)", "full": "full setting"}


def table(header, rows):
    """Markdown; columns of numbers to the right."""
    def mark(column):
        return " ---: " if all(re.match(r"[-*~<\d.]*(\d|$|- )", str(row[column])) for row in rows) else " --- "
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(mark(i) for i in range(len(header))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def number(value, digits=4):
    if value is None:
        return "-"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def spread(mean, deviation, places=2):
    """1.23 ± 0.04"""
    if mean is None:
        return "-"
    return f"{mean:.{places}f}" + ("" if deviation is None else f" ± {deviation:.{places}f}")


def images(pictures):
    """[(label, file)] side by side, two in a row."""
    return "\n".join(f'<img src="results/{file}" width="49%" alt="{label}">' for label, file in pictures)


def filled(paragraph):
    """Lines of at most WIDTH columns. What would begin a list or a table does not begin a line, and code stays whole."""
    paragraph = re.sub(r"`[^`]*`", lambda code: code.group().replace(" ", "\0"), paragraph)
    paragraph = re.sub(r" (?=([-+*=#>]+|\d+[.)]) |\\?\|)", "\0", paragraph)
    lines = textwrap.wrap(paragraph, WIDTH, subsequent_indent="  " if paragraph.startswith("- ") else "",
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def broken(command):
    """A command as lines that a shell takes as one."""
    if command.startswith("#"):
        return textwrap.wrap(command, WIDTH, subsequent_indent="# ", break_long_words=False, break_on_hyphens=False)
    words = re.sub(r"'[^']*'|(?<=\s)--?[a-z][\w-]* (?!-)", lambda together: together.group().replace(" ", "\0"), command)
    lines = textwrap.wrap(words, WIDTH - 2, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return " \\\n".join(lines).replace("\0", " ").split("\n")


def wrapped(text):
    """The same Markdown with paragraphs, points of lists and commands in lines of at most WIDTH columns."""
    lines, paragraph, in_code = [], [], False

    def flush():
        if paragraph:
            lines.extend(filled(" ".join(paragraph)) if any(len(line) > WIDTH for line in paragraph) else paragraph)
            paragraph.clear()

    for line in text.split("\n"):
        prose = not in_code and re.match(r"[^|<#`\s]|`(?!``)", line)
        if line.startswith("- ") or not prose:
            flush()
        if prose and line.endswith("  "):
            lines.append(line)
        elif prose:
            paragraph.append(line)
        elif in_code and len(line) > WIDTH:
            lines.extend(broken(line))
        else:
            lines.append(line)
        in_code ^= line.startswith("```")
    flush()
    return "\n".join(lines)


def section(job, kind):
    spec = job.spec
    lines = [f'<a id="{job.name}"></a>', "", f"## {job.name}: {spec['title']}", "", f"{spec['source']}."]
    if spec.get("note"):
        lines += ["", spec["note"].strip()]
    if job.result is None:
        return "\n".join(lines + ["", f"*No result: {job.state}.*"])
    lines += ["", kind.report(spec, job.result, {f.split(".")[-2]: f for f in job.pictures()}).strip()]
    if spec.get("why"):
        lines += ["", spec["why"].strip()]
    shown = job.commands[:12] + [f"... and {len(job.commands) - 12} more of these"] * (len(job.commands) > 12)
    lines += ["", f"<details><summary>{SETTINGS[job.setting]}, {job.seconds:.1f} s; the commands</summary>", "", "```console", *shown, "```",
              "</details>"]
    return "\n".join(lines)


def contents(jobs):
    """A line per experiment: where it is from, the first sentence on how it came out, the seconds it took."""
    rows = []
    for job in jobs:
        words = " ".join(job.spec.get("why", "").split())
        first = re.split(r"(?<=[.:]) ", words)[0].rstrip(".:")
        rows.append([f"[{job.name}](#{job.name})", job.spec["source"], f"{job.seconds:.0f}" if job.result is not None else "-",
                     first if job.result is not None else f"no result: {job.state}"])
    total = sum(job.seconds for job in jobs if job.result is not None)
    return table(["experiment", "from", "s", "how it came out"], rows) + f"\n\nAll together took {total:.0f} s."


def write(path, jobs, sections, version):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    head = ["# Results of the papers' experiments", "",
            "Written by `experiments/run`; nothing here is typed in but the papers' numbers and the sentences on the differences. "
            f"Measured with {version}; the seconds are of {' or '.join(map(str, sorted({job.cores for job in jobs})))} cores. The quick setting is "
            "`make experiments`, with fewer draws, splits and starts than the papers' where that takes long; the full one, with the "
            "papers' counts, `make experiments-full`. How to run and add experiments: "
            "[experiments/README.md](../experiments/README.md).", "", contents(jobs), ""]
    text = wrapped("\n".join(head) + "\n" + "\n\n".join(sections) + "\n")
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(path + ".new", path)
