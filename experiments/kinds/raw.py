"""Generated rows as they are: the first two columns, a mark a class.

[[sets]] name, generate, n, seed."""
import chart
import page
import sets

MARKS = ('<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{c}"/>', '<rect x="{l:.1f}" y="{t:.1f}" width="6" height="6" fill="none" stroke="{c}"/>')


def scatter(path, title, groups, names, width=420, height=380):
    """groups: {class: [(x, y)]}"""
    left, right, top, bottom = 52, width - 14, 36, height - 44
    points = [p for group in groups.values() for p in group]
    (x_low, x_high), (y_low, y_high) = chart.bounds([p[0] for p in points], False), chart.bounds([p[1] for p in points], False)
    px, py = chart.scale(x_low, x_high, left, right, False), chart.scale(y_low, y_high, bottom, top, False)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="{left}" y="20" font-size="14">{chart.escaped(title)}</text>',
           f'<text x="{(left + right) / 2:.0f}" y="{height - 8}" text-anchor="middle">{names[0]}</text>',
           f'<text transform="translate(14 {(top + bottom) / 2:.0f}) rotate(-90)" text-anchor="middle">{names[1]}</text>']
    for v in chart.ticks(x_low, x_high, False):
        out += [f'<path d="M{px(v):.1f} {top}V{bottom}" stroke="#dddddd"/>', f'<text x="{px(v):.1f}" y="{bottom + 16}" text-anchor="middle">{v:g}</text>']
    for v in chart.ticks(y_low, y_high, False):
        out += [f'<path d="M{left} {py(v):.1f}H{right}" stroke="#dddddd"/>', f'<text x="{left - 6}" y="{py(v) + 4:.1f}" text-anchor="end">{v:g}</text>']
    out.append(f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#666666"/>')
    for i, (_, group) in enumerate(sorted(groups.items())):
        for a, b in group:
            out.append(MARKS[i % len(MARKS)].format(x=px(a), y=py(b), l=px(a) - 3, t=py(b) - 3, c=chart.COLOURS[i]))
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(out + ["</svg>"]) + "\n")


def measure(job):
    counts = {}
    for data in job.spec["sets"]:
        header, *rows = job.lines(sets.whole(job, data))
        groups = {}
        for row in rows:
            a, b, *_, y = row.split(",")
            groups.setdefault(y, []).append((float(a), float(b)))
        scatter(job.picture(data["name"].replace(" ", "-")), data["name"], groups, header.split(","))
        counts[data["name"]] = {y: len(group) for y, group in sorted(groups.items())}
    return counts


def report(spec, result, pictures):
    rows = [[data["name"], sum(result[data["name"]].values()), ", ".join(f"{n} of class {y}" for y, n in result[data["name"]].items())] for data in spec["sets"]]
    return page.table(["", "rows", "classes"], rows) + "\n\n" + page.images([(d["name"], pictures[d["name"].replace(" ", "-")]) for d in spec["sets"]])
