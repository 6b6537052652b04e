// A picture on the page: heading, canvas, caption, and buttons that save it. What it shows is its `view`:
//   key, title, caption(), height(width)
//   axes(width)            what frame() is given
//   paint(pen, at, width)  inside the axes `at`
//   table()                its numbers: [names, number of rows, cell(row, column, forPeople)]
//   places(at)             where the rows of the table are, along x, or along y where `down` is set
// or, instead of places,
//   find(at, x, y)         what is there: {text, row or rows(visit)}, or null
//   choose(at, brush, visit)    visits each row in the rectangle

function makePicture(view) {
  const canvas = makeElement("canvas", {
      role: "application",
      tabindex: 0,
      class: view.choose && "brushable",
    }),
    caption = makeElement("figcaption");
  const save = (kind, type, text) =>
    makeButton(kind, () => saveFile(`${view.key}.${kind.toLowerCase()}`, text(), type), {
      "aria-label": `Save ${view.title} as ${kind}`,
    });
  const picture = { view, canvas, caption };
  const keys = view.choose ? ", with Shift they draw a rectangle, Enter chooses, Escape clears" : "";
  canvas.setAttribute("aria-label", `${view.title}. Arrow keys move a cross${keys}.`);
  picture.figure = makeElement(
    "figure",
    { id: view.key, class: view.wide && "wide" },
    makeElement(
      "div",
      { class: "top" },
      makeElement("h3", view.title),
      save("SVG", "image/svg+xml", () => svgOf(picture)),
      save("CSV", "text/csv", () => csvText(...view.table()))
    ),
    canvas,
    caption
  );
  watchPointer(picture);
  return picture;
}

function sizeOf({ view, figure }) {
  const width = max(220, figure.clientWidth - 24);
  return [width, (view.height || usualHeight)(width)];
}

const usualHeight = (width) =>
  targetChosen.classes?.length > 12 ? 460 : round(min(350, max(280, width * 0.75)));

function paintPicture(picture, pen, width, height) {
  picture.at = frame(pen, width, height, picture.view.axes(width), ink);
  picture.view.paint(pen, picture.at, width);
}

function drawPicture(picture) {
  const { view, canvas, caption, brush, cursor } = picture;
  const [width, height] = sizeOf(picture),
    ratio = devicePixelRatio || 1;
  const pen = Object.assign(canvasPen(fitCanvas(canvas, width, height, ratio)), { ratio });
  paintPicture(picture, pen, width, height);
  if (brush && chosenRows.count) {
    const { x0, y0, x1, y1 } = brush;
    pen.draw(boxPath(x0, y0, x1 - x0, y1 - y0), { stroke: ink.accent, dash: "5 4" });
  }
  if (cursor) pen.marks([0], [cursor.x], [cursor.y], { colour: ink.text, shape: "plus" }, 6);
  caption.textContent = view.caption();
}

// Empty, with as many pixels as the screen has.
function fitCanvas(canvas, width, height, ratio) {
  const context = canvas.getContext("2d"),
    wide = round(width * ratio),
    high = round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  canvas.style.height = `${height}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

function svgOf(picture) {
  const [width, height] = sizeOf(picture),
    pen = svgPen(width, height, ink.paper);
  paintPicture(picture, pen, width, height);
  return pen.result();
}

// What is at a place of the picture.
function findAt({ view, at }, { x, y }) {
  if (view.find) return view.find(at, x, y);
  const place = view.down ? y : x,
    places = view.places(at),
    [names, , cell] = (view.pointed || view.table)();
  const i = places.reduce((best, one, k) => (abs(one - place) < abs(places[best] - place) ? k : best), 0);
  return abs(places[i] - place) < 30
    ? { text: factText(names.map((name, j) => [name, cell(i, j, true)])) }
    : null;
}
