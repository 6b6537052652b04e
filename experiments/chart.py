"""Lines over a number axis, as SVG: for what no verb of the program draws."""
import math

COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000"]
DASHES = ["", "6 3", "2 2", "8 3 2 3"]


def ticks(low, high, log):
    if log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        marks = [10.0 ** k for k in decades if low <= 10.0 ** k * 1.0001 and 10.0 ** k <= high * 1.0001]
        if len(marks) < 3:
            marks = [m * 10.0 ** k for k in decades for m in (1, 2, 5) if low <= m * 10.0 ** k * 1.0001 and m * 10.0 ** k <= high * 1.0001]
        return marks[:: max(1, math.ceil(len(marks) / 7))]  # labels of many decades would run into each other
    if high <= low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next((m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= 6), 10)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def escaped(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def scale(low, high, start, end, log):
    """The function from values to pixels."""
    if log:
        low, high = math.log10(low), math.log10(high)
    span = (high - low) or 1.0
    return lambda v: start + ((math.log10(v) if log else v) - low) / span * (end - start)


def bounds(values, log):
    low, high = min(values), max(values)
    if log:
        return low, high if high > low else low * 10
    pad = 0.04 * ((high - low) or abs(high) or 1.0)
    return low - pad, high + pad


def lines(path, series, title, x_label, y_label, x_log=False, y_log=False, width=560, height=400):
    """series: [(name, [(x, y) or (x, y, deviation)])]; a y of None leaves a gap. A name that ends in (paper) is dashed."""
    left, right, top, bottom = 64, width - 50 - 7 * max(len(name) for name, _ in series), 36, height - 48
    points = [p for _, ps in series for p in ps if p[1] is not None]
    x_low, x_high = bounds([p[0] for p in points], x_log)
    ends = [v for p in points for v in (p[1], *((p[1] - p[2], p[1] + p[2]) if len(p) > 2 and p[2] and not y_log else ()))]
    y_low, y_high = bounds(ends, y_log)
    px, py = scale(x_low, x_high, left, right, x_log), scale(y_low, y_high, bottom, top, y_log)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="20" font-size="14">{escaped(title)}</text>',
           f'<text x="{(left + right) / 2:.0f}" y="{height - 10}" text-anchor="middle">{escaped(x_label)}</text>',
           f'<text transform="translate(16 {(top + bottom) / 2:.0f}) rotate(-90)" text-anchor="middle">{escaped(y_label)}</text>']
    for v in ticks(x_low, x_high, x_log):
        out += [f'<path d="M{px(v):.1f} {top}V{bottom}" stroke="#dddddd"/>',
                f'<text x="{px(v):.1f}" y="{bottom + 16}" text-anchor="middle">{v:g}</text>']
    for v in ticks(y_low, y_high, y_log):
        out += [f'<path d="M{left} {py(v):.1f}H{right}" stroke="#dddddd"/>',
                f'<text x="{left - 6}" y="{py(v) + 4:.1f}" text-anchor="end">{v:g}</text>']
    out.append(f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#666666"/>')
    for i, (name, ps) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        dash = "4 4" if name.endswith("(paper)") else DASHES[i // len(COLOURS) % len(DASHES)]
        style = f'stroke="{colour}" fill="none" stroke-width="1.8"' + (f' stroke-dasharray="{dash}"' if dash else "")
        path_text, pen = "", "M"
        for p in ps:
            if p[1] is None:
                pen = "M"
                continue
            path_text += f"{pen}{px(p[0]):.1f} {py(p[1]):.1f}"
            pen = "L"
            out.append(f'<circle cx="{px(p[0]):.1f}" cy="{py(p[1]):.1f}" r="2.6" fill="{colour}"/>')
            if len(p) > 2 and p[2] and not y_log:
                out.append(f'<path d="M{px(p[0]):.1f} {py(p[1] - p[2]):.1f}V{py(p[1] + p[2]):.1f}" stroke="{colour}"/>')
        out.append(f'<path d="{path_text}" {style}/>')
        y = top + 8 + 18 * i
        out += [f'<path d="M{right + 10} {y}h22" {style}/>', f'<text x="{right + 38}" y="{y + 4}">{escaped(name)}</text>']
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(out + ["</svg>"]) + "\n")
