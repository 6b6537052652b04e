"""A small picture of lines in SVG, for results that the library has no picture of."""
import html
import math

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
MARGIN = (70, 140, 44, 60)  # left, right (for the names of the lines), top, bottom


def _steps(low, high, count=5):
    """Round numbers around low to high."""
    raw = (high - low) / count or 1.0
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(m * size for m in (1, 2, 5, 10) if m * size >= raw)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [k * step for k in range(first, last + 1)]


def _scale(low, high, start, end):
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def lines(x, series, x_title, y_title, title, marks, width=640, height=420):
    """Lines over whole numbers; `marks` are names of places on x, or None."""
    left, right, top, bottom = MARGIN
    known = [v for values in series.values() for v in values if not math.isnan(v)] or [0.0]
    ticks = _steps(min(0.0, *known), max(known) or 1.0)
    at_x = _scale(min(x), max(x), left + 10, width - right - 10)
    at_y = _scale(ticks[0], ticks[-1], height - bottom, top)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="13"><rect width="100%" height="100%" fill="white"/>'
             f'<text x="{width / 2:.0f}" y="24" text-anchor="middle" font-size="15">{html.escape(title)}</text>']
    for tick in ticks:
        parts.append(f'<path d="M{left} {at_y(tick):.1f}H{width - right}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{at_y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    every = max(1, len(x) // 12)
    for k in x[::every]:
        parts.append(f'<text x="{at_x(k):.1f}" y="{height - bottom + 20}" text-anchor="middle">{k}</text>')
    for name, place in marks.items():
        if place is not None and min(x) <= place <= max(x):
            parts.append(f'<path d="M{at_x(place):.1f} {top}V{height - bottom}" stroke="#888" stroke-dasharray="4 4"/>'
                         f'<text x="{at_x(place) + 4:.1f}" y="{height - bottom - 8}" fill="#555">{html.escape(name)}</text>')
    for number, (name, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [(at_x(k), at_y(v)) for k, v in zip(x, values) if not math.isnan(v)]
        path = "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points)
        parts.append(f'<text x="{width - right + 10}" y="{top + 12 + 18 * number}" fill="{colour}">'
                     f'{html.escape(name)}</text>')
    parts.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 16}" text-anchor="middle">{html.escape(x_title)}</text>'
                 f'<text transform="translate(18 {height / 2:.0f}) rotate(-90)" text-anchor="middle">'
                 f'{html.escape(y_title)}</text></svg>')
    return "\n".join(parts)
