"use strict";
// The page: its parts in their order, and what happens when the reader chooses something.

let pictures = [], waiting = false;
const byId = (id) => document.getElementById(id);
document.addEventListener("DOMContentLoaded", start);

function start() {
  report = makeReport(JSON.parse(byId("alidade-data").textContent));
  selection = makeSelection(report.shown);
  choice.y = report.scores.length > 1 ? 1 : 0;
  if (!target()) choice.colour = report.column_values && report.column_values.length ? "column 0" : "none";
  readInk();
  chosen();
  byId("page").append(...pageParts().filter(Boolean));
  selection.listen(({ source }) => {
    pictures.forEach((picture) => picture === source || (picture.brush = null));
    redraw();
  });
  watchPage();
  pictures.forEach(drawPicture);
  if (report.shown) byId("table").append(makeTable());
}

// Everything is drawn once, before the next frame.
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    pictures.forEach(drawPicture);
    showCount();
  });
}

// The reader has chosen something: plots are laid out anew, which `version` tells them.
function chosen(name, value) {
  if (name) choice[name] = value;
  choice.version = (choice.version || 0) + 1;
  choice.colours = colouring();
  showLegend();
  redraw();
}

function readInk() {
  const style = getComputedStyle(document.documentElement);
  ink = { dark: document.documentElement.dataset.theme === "dark" };
  for (const name of ["paper", "text", "soft", "faint", "grid", "axis", "accent", "bad"]) ink[name] = style.getPropertyValue(`--${name}`).trim();
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light" : "Dark";
  readInk();
  chosen();
}

function watchPage() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let printed = false;
  setTheme(dark.matches);
  dark.addEventListener("change", () => setTheme(dark.matches));
  byId("theme").addEventListener("click", () => setTheme(!ink.dark));
  addEventListener("beforeprint", () => {
    printed = ink.dark;
    setTheme(false);
    pictures.forEach(drawPicture);
  });
  addEventListener("afterprint", () => setTheme(printed));
  addEventListener("resize", redraw);
}

function showTip({ canvas }, found, at) {
  const tip = byId("tip"), box = canvas.getBoundingClientRect();
  tip.hidden = !found;
  if (!found) return;
  tip.textContent = found.text;
  const left = box.left + at.x + 14, top = box.top + at.y + 14;
  tip.style.left = `${scrollX + Math.max(4, Math.min(left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${scrollY + (top + tip.offsetHeight > innerHeight ? top - tip.offsetHeight - 24 : top)}px`;
}

const hideTip = () => (byId("tip").hidden = true);
const say = (words) => (byId("said").textContent = words);

function showCount() {
  const words = selection.count ? `${plural(selection.count, "row")} chosen` : "no row chosen";
  if (byId("count") && byId("count").textContent !== words) {
    byId("count").textContent = words;
    say(words);
  }
}
