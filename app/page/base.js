// What all parts of the page share. The files of this folder, and those of the report's page that draw and write numbers,
// are one script (assemble.py); texts of the user are set as text, never as markup.

const { min, max, round, abs, sqrt, floor, ceil, log10, log1p, hypot } = Math;
const byId = (id) => document.getElementById(id);
const MOST_LISTED = 200; // of a list of columns to choose from
let ink;

// The table that is open, and what was asked and found:
//   table     {name, file, entry, options}     the file as it was brought; `file` is its name for the program
//   profile   {rows, columns, ...}             of profile.js; every column has a role
//   answer    {files, words, result, ...}      of the last search or fit
const work = { table: null, profile: null, answer: null };

function readInk() {
    const style = getComputedStyle(document.documentElement);
    ink = { dark: matchMedia("(prefers-color-scheme: dark)").matches };
    for (const name of ["paper", "text", "soft", "faint", "grid", "axis", "accent", "bad"])
        ink[name] = style.getPropertyValue(`--${name}`).trim();
}

function fail(words) {
    byId("failure").textContent = words;
    byId("failure").hidden = !words;
    if (words) byId("failure").scrollIntoView({ block: "nearest" });
}

const say = (words) => (byId("said").textContent = words);

// What was stopped, by its button or because another table was brought: what waited for it ends with this.
const STOPPED = new Error("Stopped.");

// What went wrong is shown, whatever it was.
async function safely(action) {
    try {
        return await action();
    } catch (error) {
        if (error !== STOPPED) fail(error.message || String(error));
        return null;
    }
}

// Lets the page's thread draw a frame before the next piece of work.
const nextTurn = () => new Promise((done) => setTimeout(done, 20));

// A canvas of this size, drawn by `paint(pen, width, height)`; its words are what a screen reader says.
function makeCanvas(words, width, height, paint) {
    const canvas = makeElement("canvas", { role: "img", "aria-label": words }),
        ratio = devicePixelRatio || 1;
    Object.assign(canvas, { width: round(width * ratio), height: round(height * ratio) });
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const pen = Object.assign(canvasPen(context), { ratio });
    pen.box(0, 0, width, height, ink.paper); // what was drawn for the dark is legible on white paper too
    paint(pen, width, height);
    return canvas;
}

const paragraph = (words, style) => makeElement("p", { class: style }, words);

function field(label, control, help) {
    const words = makeElement("label", { class: "field" }, makeElement("span", label), control);
    return help ? makeElement("div", { class: "helped" }, words, makeElement("small", help)) : words;
}

function choice(options, chosen, onChange) {
    const list = makeElement(
        "select",
        { onchange: () => onChange && onChange(list.value) },
        ...options.map(([value, words]) => Object.assign(makeElement("option", cut(words, 60)), { value })),
    );
    list.value = chosen;
    return list;
}
