// Pointing and choosing by mouse, finger, pen and keyboard. A drag draws a rectangle; with Shift its rows join those
// that are chosen. The keyboard moves a cross that points as a mouse does.

const KEY_STEP = 16, DRAG_STARTS = 3;

function watchPointer(picture) {
  const { canvas, view } = picture, on = (name, listener) => canvas.addEventListener(name, listener);
  let drag = null;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.classList.toggle("brushable", Boolean(view.choose));
  const place = ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };
  on("pointerdown", (event) => {
    if (!view.choose || event.button) return;
    drag = { ...place(event), kept: event.shiftKey && selection.mask.slice() };
    canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    const to = place(event);
    if (drag) drag.moved ||= Math.hypot(to.x - drag.x, to.y - drag.y) > DRAG_STARTS;
    if (drag && drag.moved) stretch(picture, drag, to, drag.kept);
    else showTip(picture, view.find(picture.at, to.x, to.y), to);
  });
  on("pointerup", (event) => {
    if (drag && !drag.moved) pick(picture, place(event), event.shiftKey || event.ctrlKey || event.metaKey);
    drag = null;
  });
  on("pointercancel", () => (drag = null));
  on("pointerleave", hideTip);
  on("blur", () => {
    picture.cursor = null;
    hideTip();
    redraw();
  });
  on("keydown", (event) => {
    if (!pressKey(picture, event)) return;
    event.preventDefault();
    redraw();
  });
}

function stretch(picture, from, to, kept) {
  hideTip();
  const brush = { x0: Math.min(from.x, to.x), y0: Math.min(from.y, to.y), x1: Math.max(from.x, to.x), y1: Math.max(from.y, to.y) };
  selection.replace((visit) => picture.view.choose(picture.at, brush.x0, brush.y0, brush.x1, brush.y1, visit), picture, kept);
  picture.brush = brush;
}

// A click: what is there, or nothing; with a key held it joins or leaves.
function pick(picture, { x, y }, joins) {
  const found = picture.view.find(picture.at, x, y);
  if (!found) selection.clear(picture);
  else if (joins && !found.rows) selection.toggle(found.row, picture);
  else selection.replace(found.rows || ((visit) => visit(found.row)), picture, joins && selection.mask.slice());
  picture.brush = null;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function pressKey(picture, { key, shiftKey, ctrlKey }) {
  if (key === "Escape") selection.clear(picture);
  else if (key === "Enter" && picture.view.choose && picture.cursor) pick(picture, picture.cursor, shiftKey);
  else if (ARROWS[key]) moveCursor(picture, ARROWS[key], ctrlKey ? 1 : KEY_STEP, shiftKey && picture.view.choose);
  else return false;
  return true;
}

function moveCursor(picture, [dx, dy], step, draws) {
  const { canvas, view, at } = picture, old = picture.cursor || { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 };
  const within = (value, most) => Math.min(most, Math.max(0, value));
  picture.cursor = { x: within(old.x + dx * step, canvas.clientWidth), y: within(old.y + dy * step, canvas.clientHeight) };
  picture.anchor = draws ? picture.anchor || old : null;
  if (draws) return stretch(picture, picture.anchor, picture.cursor, null);
  const found = view.find(at, picture.cursor.x, picture.cursor.y);
  showTip(picture, found, picture.cursor);
  say(found ? found.text : "nothing here");
}
