// Pointing and choosing by mouse, finger, pen and keyboard. A drag draws a rectangle; with Shift its rows join those
// that are chosen. The keyboard moves a cross that points as a mouse does.

const KEY_STEP = 16,
  DRAG_STARTS = 3;

function watchPointer(picture) {
  const { canvas, view } = picture,
    on = (name, listener) => canvas.addEventListener(name, listener);
  let drag = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  on("pointerdown", (event) => {
    if (!view.choose || event.button) return;
    drag = { ...place(event), before: chosenRows.mask.slice(), joins: event.shiftKey };
    canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    const to = place(event);
    if (drag) drag.moved ||= hypot(to.x - drag.x, to.y - drag.y) > DRAG_STARTS;
    if (drag?.moved) stretch(picture, drag, to, drag.joins && drag.before);
    else showTip(picture, findAt(picture, to), to);
  });
  on("pointerup", (event) => {
    const to = place(event);
    if (drag && !drag.moved) {
      pick(picture, to, event.shiftKey || event.ctrlKey || event.metaKey);
      showTip(picture, findAt(picture, to), to);
    }
    drag = null;
  });
  // The finger scrolls the page: nothing was meant.
  on("pointercancel", () => {
    if (drag?.moved) chosenRows.replace(() => (picture.brush = null), picture, drag.before);
    drag = null;
  });
  on("pointerleave", ({ pointerType }) => pointerType === "touch" || hideTip());
  on("blur", () => {
    picture.cursor = null;
    hideTip();
    drawPicture(picture);
  });
  on("keydown", (event) => {
    if (!pressKey(picture, event)) return;
    event.preventDefault();
    drawPicture(picture);
  });
}

function stretch(picture, from, to, kept) {
  hideTip();
  picture.brush = {
    x0: min(from.x, to.x),
    y0: min(from.y, to.y),
    x1: max(from.x, to.x),
    y1: max(from.y, to.y),
  };
  chosenRows.replace((visit) => picture.view.choose(picture.at, picture.brush, visit), picture, kept);
}

// A click: what is there, or nothing; with a key held it joins or leaves.
function pick(picture, place, joins) {
  const found = findAt(picture, place);
  picture.brush = null;
  if (!found) chosenRows.clear(picture);
  else if (joins && !found.rows) chosenRows.toggle(found.row, picture);
  else
    chosenRows.replace(
      found.rows || ((visit) => visit(found.row)),
      picture,
      joins && chosenRows.mask.slice()
    );
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function pressKey(picture, { key, shiftKey, ctrlKey }) {
  const { view, cursor } = picture;
  if (key === "Escape") chosenRows.clear();
  else if (key === "Enter" && view.choose && cursor) pick(picture, cursor, shiftKey);
  else if (ARROWS[key]) moveCursor(picture, ARROWS[key], ctrlKey ? 1 : KEY_STEP, shiftKey && view.choose);
  else return false;
  return true;
}

function moveCursor(picture, [dx, dy], step, draws) {
  const { clientWidth: width, clientHeight: height } = picture.canvas,
    old = picture.cursor || { x: width / 2, y: height / 2 };
  const cursor = { x: min(width, max(0, old.x + dx * step)), y: min(height, max(0, old.y + dy * step)) };
  Object.assign(picture, { cursor, anchor: draws ? picture.anchor || old : null });
  if (draws) return stretch(picture, picture.anchor, cursor);
  const found = findAt(picture, cursor);
  showTip(picture, found, cursor);
  say(found ? found.text : "nothing here");
}
