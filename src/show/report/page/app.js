"use strict";
const { min, max, round, abs, sqrt, floor, ceil, log10, log1p, hypot } = Math;
// The page: what happens when it is opened, and when the reader chooses something.

let allPictures = [];
let waitingFor = 0;
let updateTable = () => {};
const byId = (id) => document.getElementById(id),
  root = document.documentElement;
document.addEventListener("DOMContentLoaded", start);

function start() {
  pageReport = makeReport(JSON.parse(byId("alidade-data").textContent));
  chosenRows = makeSelection(pageReport.shown);
  readerChoice.y = Number(pageReport.scores.length > 1);
  if (!pageReport.response) readerChoice.colour = pageReport.column_values?.length ? "column 0" : "none";
  readInk();
  applyChoice();
  byId("page").append(...knownOnes(pageParts()));
  chosenRows.listen((source) => {
    allPictures.forEach((picture) => picture === source || (picture.brush = null));
    redrawSoon(1);
  });
  watchTheme();
  addEventListener("resize", redrawSoon);
  if (pageReport.shown) byId("table").append(makeTable());
}

// Once, before the next frame: 1, what shows the chosen rows; 2, everything.
function redrawSoon(what) {
  if (!waitingFor) requestAnimationFrame(drawAll);
  waitingFor = max(waitingFor, what === 1 ? 1 : 2);
}

function drawAll() {
  allPictures.forEach((picture) => (waitingFor === 1 && !picture.view.choose) || drawPicture(picture));
  waitingFor = 0;
  updateTable();
  const count = byId("count"),
    words = chosenRows.count ? `${pluralText(chosenRows.count, "row")} chosen` : "no row chosen";
  if (!count || count.textContent === words) return;
  count.textContent = words;
  say(words);
}

// Plots are laid out anew, which `version` tells them.
function applyChoice(name, value) {
  if (name) readerChoice[name] = value;
  readerChoice.version++;
  targetChosen = targetOf(pageReport, readerChoice.response);
  rowColours = colourRows();
  showLegend();
  redrawSoon();
}

function readInk() {
  const style = getComputedStyle(root);
  ink = { dark: root.dataset.theme === "dark" };
  for (const name of ["paper", "text", "soft", "faint", "grid", "axis", "accent", "bad"])
    ink[name] = style.getPropertyValue(`--${name}`).trim();
}

function setTheme(dark) {
  root.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light" : "Dark";
  readInk();
  applyChoice();
}

// As the system has it, until the reader chooses; paper is always light.
function watchTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let before;
  setTheme(system.matches);
  system.addEventListener("change", () => setTheme(system.matches));
  byId("theme").addEventListener("click", () => setTheme(!ink.dark));
  addEventListener("beforeprint", () => {
    before = ink.dark;
    layOut(true, false);
  });
  addEventListener("afterprint", () => layOut(false, before));
}

// For paper as wide as a page of it, with everything open; or for the screen.
function layOut(paper, dark) {
  root.classList.toggle("paper", paper);
  document.querySelectorAll("details").forEach((one) => (one.open = paper));
  setTheme(dark);
  drawAll();
}

function showTip({ canvas }, found, at) {
  const tip = byId("tip"),
    box = canvas.getBoundingClientRect(),
    left = box.left + at.x + 14,
    top = box.top + at.y + 14;
  tip.hidden = !found;
  if (!found) return;
  tip.textContent = found.text;
  tip.style.left = `${scrollX + max(4, min(left, document.body.clientWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${scrollY + (top + tip.offsetHeight > innerHeight ? top - tip.offsetHeight - 24 : top)}px`;
}

const hideTip = () => (byId("tip").hidden = true);
const say = (words) => (byId("said").textContent = words);
