"""Experiments over several data sets: [[sets]], each like [data] of an experiment over one."""
import copy


def of_set(job, data):
    """The same job, seen as if `data` were its [data]."""
    one = copy.copy(job)
    one.spec = job.spec | {"data": data}
    return one


def check(job):
    """All files of all sets are there, else the experiment is skipped before anything is measured."""
    for data in job.spec["sets"]:
        for file in data.get("files", [data["file"]] if "file" in data else []):
            job.data(file)


def whole(job, data, show=True):
    """The file of a set: `file`, `files` (csv with the same columns, one under the other) or `generate` with n, d, seed."""
    if "generate" in data:
        name = f"{data['generate']}.{data.get('format', 'csv')}"
        size = [word for key in ("n", "d") if key in data for word in ("--" + key, data[key])]
        job.alidade("generate", data["generate"], *size, "--seed", data.get("seed", 1), "-o", name, show=show)
        return name
    if "file" in data:
        return job.data(data["file"])
    header, rows = None, []
    for file in data["files"]:
        header, *more = job.lines(job.data(file))
        rows += more
    return job.write(data["name"] + ".csv", [header, *rows])
