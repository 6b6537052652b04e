// Marks for rows: once any are chosen these in their colours, the others faint, or not at all where `faint` is null. Those
// of test rows are hollow.

const MANY_POINTS = 3000;

function drawPoints(pen, xs, ys, faint, at) {
  if (pen.context && xs.length > MANY_POINTS) return drawPixels(pen, xs, ys, faint, at);
  const { key, groups } = rowColours,
    looks = [...groups],
    size = xs.length > 400 ? 2.4 : 3.4,
    lists = {};
  if (faint) looks[256] = { colour: faint, shape: "circle" };
  for (let i = 0; i < xs.length; i++) {
    if (isNaN(xs[i] + ys[i])) continue;
    const k = chosenRows.count && !chosenRows.mask[i] ? 256 : key[i];
    (lists[[256 - k, pageReport.isTest(i), k]] ||= []).push(i);
  }
  for (const name of Object.keys(lists).sort()) {
    const [, hollow, k] = name.split(",").map(Number);
    if (looks[k]) pen.marks(lists[name], xs, ys, { ...looks[k], hollow }, size);
  }
}

// For many rows: squares of a few pixels, written straight into an image; hollow ones are a little larger.
function drawPixels({ context, ratio }, xs, ys, faint, at) {
  const left = floor(at.left),
    top = floor(at.top - 4),
    some = chosenRows.count > 0;
  const width = ceil((at.right - left + 4) * ratio),
    height = ceil((at.bottom - top + 4) * ratio);
  const image = context.createImageData(width, height),
    pixels = new Uint32Array(image.data.buffer);
  const side = max(2, round((xs.length > 30000 ? 1.6 : 2.6) * ratio));
  const paint = (i, colour) => {
    const hollow = pageReport.isTest(i),
      last = side + 2 * hollow - 1,
      x = round((xs[i] - left) * ratio - last / 2),
      y = round((ys[i] - top) * ratio - last / 2);
    if (!(x >= 0 && y >= 0 && x + last < width && y + last < height)) return;
    for (let k = y * width + x, row = 0; row <= last; row++, k += width)
      for (let c = 0; c <= last; c += hollow && row % last ? last : 1) pixels[k + c] = colour;
  };
  if (some && faint) for (let i = 0; i < xs.length; i++) if (!chosenRows.mask[i]) paint(i, pixelOf(faint));
  const looks = rowColours.groups.map((group) => pixelOf(group.colour));
  for (let i = 0; i < xs.length; i++) if (!some || chosenRows.mask[i]) paint(i, looks[rowColours.key[i]]);
  const layer = Object.assign(document.createElement("canvas"), { width, height });
  layer.getContext("2d").putImageData(image, 0, 0);
  context.drawImage(layer, left, top, width / ratio, height / ratio);
}

// #rrggbb as a pixel of an image: bytes red, green, blue, alpha.
function pixelOf(colour) {
  const value = parseInt(colour.slice(1), 16);
  return (0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

// How many of all rows fall into each cell, as shades below the sample of rows.
function drawDensity(pen, { counts, nx, ny, x_low: left, x_high: right, y_low: low, y_high: high }, at) {
  const cells = numbersOf(counts),
    most = log1p(extentOf(cells)[1]),
    width = (right - left) / nx,
    height = (high - low) / ny;
  cells.forEach((count, k) => {
    if (!count) return;
    const x = left + (k % nx) * width,
      y = low + floor(k / nx) * height;
    pen.box(
      at.x(x),
      at.y(y + height),
      at.x(x + width) - at.x(x),
      at.y(y) - at.y(y + height),
      ink.soft,
      at2((0.6 * log1p(count)) / most)
    );
  });
}
