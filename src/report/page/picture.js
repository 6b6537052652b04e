// A picture on the page: heading, canvas, caption, and buttons that save it. What it shows is its `view`:
//   key, title, caption(); wide: takes the whole line; height(width)
//   axes(width)            what frame() is given
//   paint(pen, at, width)  inside the axes `at`
//   table()                its numbers: [names, number of rows, cell(row, column)]
//   find(at, x, y)         what is there: {text, row or rows(visit)}, or null            (optional)
//   choose(at, x0, y0, x1, y1, visit)    visits each row in the rectangle               (optional: can be brushed)

function makePicture(view) {
  const canvas = element("canvas"), caption = element("figcaption");
  const save = (kind, type, text) => element("button", {
    type: "button", "aria-label": `Save ${view.title} as ${kind}`, onclick: () => saveFile(`${view.key}.${kind.toLowerCase()}`, text(), type),
  }, kind);
  const picture = { view, canvas, caption };
  picture.figure = element("figure", { id: view.key, class: view.wide && "wide" },
    element("div", { class: "top" }, element("h3", {}, view.title), save("SVG", "image/svg+xml", () => svgOf(picture)),
      save("CSV", "text/csv", () => csvText(...view.table()))),
    canvas, caption);
  canvas.setAttribute("role", "img");
  if (view.find) watchPointer(picture);
  return picture;
}

function sizeOf({ view, figure }) {
  const width = Math.max(220, figure.clientWidth);
  return [width, Math.round(view.height ? view.height(width) : Math.min(350, Math.max(280, width * 0.75)))];
}

function paintPicture(picture, pen, width, height) {
  const { view } = picture, axes = view.axes(width);
  picture.at = frame(pen, width, height, axes, ink);
  view.paint(pen, picture.at, width);
}

function drawPicture(picture) {
  const { view, canvas, caption } = picture, [width, height] = sizeOf(picture), ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d"), pen = Object.assign(canvasPen(context), { ratio });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  paintPicture(picture, pen, width, height);
  drawBrush(picture, pen);
  caption.textContent = view.caption();
  canvas.setAttribute("aria-label", view.title + (view.choose
    ? ". Arrow keys move a cross, with Shift they draw a rectangle, Enter chooses the row at the cross, Escape clears." : ""));
}

function drawBrush({ brush, cursor }, pen) {
  if (brush && selection.count) {
    pen.box(brush.x0, brush.y0, brush.x1 - brush.x0, brush.y1 - brush.y0, ink.accent, 0.12);
    pen.dashed([brush.x0, brush.y0, brush.x1, brush.y0, brush.x1, brush.y1, brush.x0, brush.y1, brush.x0, brush.y0], ink.accent);
  }
  if (cursor) pen.line([cursor.x - 9, cursor.y, cursor.x + 9, cursor.y, NaN, NaN, cursor.x, cursor.y - 9, cursor.x, cursor.y + 9], ink.text, { width: 1.5 });
}

function svgOf(picture) {
  const [width, height] = sizeOf(picture), pen = svgPen(width, height, ink.paper);
  paintPicture(picture, pen, width, height);
  return pen.result();
}
