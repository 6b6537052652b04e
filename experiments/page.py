"""docs/results.md: a section an experiment, ours beside the paper's."""
import os

SETTINGS = {"quick": "the quick setting (`make experiments`): fewer splits, draws and starts than the papers'",
            "full": "the full setting (`make experiments-full`): the counts of the papers"}


def table(header, rows):
    """Markdown; the first column to the left, numbers to the right."""
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join([" --- "] + [" ---: "] * (len(header) - 1)) + "|"]
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


def section(job, kind):
    spec = job.spec
    lines = [f"## {job.name}: {spec['title']}", "", f"{spec['source']}."]
    if spec.get("note"):
        lines += ["", spec["note"].strip()]
    if job.result is None:
        return "\n".join(lines + ["", f"*No result: {job.state}.*"])
    folder = os.path.join(job.out, "results")
    files = sorted(f for f in os.listdir(folder) if f.startswith(job.name + ".")) if os.path.isdir(folder) else []
    lines += ["", kind.report(spec, job.result, {f.split(".")[-2]: f for f in files}).strip()]
    if spec.get("why"):
        lines += ["", spec["why"].strip()]
    shown = job.commands[:12] + [f"... and {len(job.commands) - 12} more of these"] * (len(job.commands) > 12)
    lines += ["", f"<details><summary>{job.setting} setting, {job.seconds:.1f} s; the commands</summary>", "", "```console", *shown, "```",
              "</details>"]
    return "\n".join(lines)


def write(path, sections, setting, version):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    head = ["# Results of the papers' experiments", "",
            "Written by `experiments/run`; nothing here is typed in but the papers' numbers and the sentences on the differences.",
            f"Measured with {version} on {os.cpu_count()} cores, in {SETTINGS[setting]}.",
            "How to run and add experiments: [experiments/README.md](../experiments/README.md).", ""]
    text = "\n".join(head) + "\n" + "\n\n".join(sections) + "\n"
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(path + ".new", path)
