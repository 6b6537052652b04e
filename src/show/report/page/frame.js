// Axes: a light grid with round values and a name for each side. An axis is {low, high, label}, or {names, label} for a
// list of things; whole: only whole numbers are marked; powers: low and high are logarithms; turn: the names stand
// upright; room: signs for a name.

function frame(pen, width, height, { x, y, edge, bare }, ink) {
  const at = { right: 14, top: 12, bottom: 46, ...edge };
  at.right = width - at.right;
  at.bottom = height - at.bottom;
  at.y = y.names ? axisScale(y, at.top, at.bottom) : axisScale(y, at.bottom, at.top);
  const up = marksAlong(y, at.y, (at.bottom - at.top) / 45);
  at.left ??= max(58, 32 + 6.4 * max(...up.map(([, words]) => words.length)));
  at.x = axisScale(x, at.left, at.right);
  for (const [place, words] of marksAlong(x, at.x, min(9, (at.right - at.left) / 70))) {
    if (!bare) pen.line([place, at.top, place, at.bottom], ink.grid);
    pen.write(place + (x.turn ? 4 : 0), at.bottom + (x.turn ? 8 : 16), words, {
      align: x.turn ? "end" : "middle",
      turn: x.turn,
    });
  }
  for (const [place, words] of up) {
    if (!bare) pen.line([at.left, place, at.right, place], ink.grid);
    pen.write(at.left - 7, place + 4, words, { align: "end" });
  }
  pen.line([at.left, at.top, at.left, at.bottom, at.right, at.bottom], ink.axis);
  const title = (px, py, label, room, turn) =>
    pen.write(px, py, cut(label || "", room / 6), { fill: ink.text, size: 12, align: "middle", turn });
  title((at.left + at.right) / 2, height - 10, x.label, at.right - at.left);
  title(14, (at.top + at.bottom) / 2, y.label, at.bottom - at.top, -90);
  return at;
}

function axisScale({ names, low, high }, from, to) {
  return names ? linearScale(-0.5, names.length - 0.5, from, to) : linearScale(low, high, from, to);
}

function marksAlong({ names, low, high, whole, room, powers }, scale, count) {
  const every = names && ceil((8 * names.length) / (scale.to - scale.from));
  if (names) return names.map((name, i) => [scale(i), i % every ? "" : cut(name, room || 14)]);
  if (powers) return powersBetween(low, high, count).map((value) => [scale(log10(value)), briefText(value)]);
  const { values, decimals } = roundTicks(low, high, max(2, count)),
    wide = max(-low, high) >= 1e6 || decimals > 5;
  return values
    .filter((value) => !whole || Number.isInteger(value))
    .map((value) => [scale(value), wide ? briefText(value, 3) : fixedText(value, whole ? 0 : decimals)]);
}

// Powers of ten between 10^low and 10^high, twice and five times them where there is room.
function powersBetween(low, high, count) {
  const all = (factors) => {
    const found = [];
    for (let p = floor(low); p <= high; p++) for (const one of factors) found.push(Number(`${one}e${p}`));
    return found.filter((value) => value >= 10 ** low && value <= 10 ** high);
  };
  return [[1, 2, 5], [1, 3], [1]].map(all).find((list) => list.length <= max(3, count)) || [];
}

// A text on one line, with an ellipsis in its middle where it is too long: beginnings and ends tell names apart.
function cut(text, length) {
  const signs = [...String(text).replace(/\s+/g, " ")];
  if (signs.length > length) signs.splice(ceil(length / 2), signs.length - max(1, length - 1), "\u2026");
  return signs.join("");
}

// Signs of the longest of some names, each cut to `most`.
const longestOf = (names, most) => max(...names.map((name) => cut(name, most).length));
