// Elements of the page. Texts are set as text, never as markup.

const knownOnes = (list) => list.filter(Boolean);

// An object behind the tag: attributes, those that begin with "on" listeners; the rest goes into it.
function makeElement(tag, ...children) {
  const made = document.createElement(tag),
    attributes = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value || value === 0) made.setAttribute(name, value);
  }
  made.append(...knownOnes(children));
  return made;
}

const makeButton = (words, onclick, more) =>
  makeElement("button", { type: "button", onclick, ...more }, words);

// options: [[value, text]]
function selectField(label, options, chosen, onChange) {
  const list = makeElement(
    "select",
    { onchange: () => onChange(list.value) },
    ...options.map(([value, text]) => makeElement("option", { value }, cut(text, 40)))
  );
  list.value = chosen;
  return makeElement("label", label, list);
}

// A region that scrolls and can be reached by the keyboard.
const scrollRegion = (name, style, ...inside) =>
  makeElement("div", { class: style, tabindex: 0, role: "region", "aria-label": name }, ...inside);

// Cells are texts; numbers stand at the right.
function plainTable(caption, names, rows) {
  const numeric = names.map(
      (_, j) => rows.every((cells) => /^-?[\u2212\u2013\u00b1\d.,e[\]\s]*(e-\d+)?$/.test(cells[j] ?? "")) && "number"
    ),
    line = (tag, cells, scope) =>
      makeElement(
        "tr",
        ...cells.map((cell, j) =>
          makeElement(tag, { scope, class: numeric[j] }, String(cell || cell === 0 ? cell : ""))
        )
      );
  return scrollRegion(
    caption,
    "scroll",
    makeElement(
      "table",
      makeElement("caption", caption),
      makeElement("thead", line("th", names, "col")),
      makeElement("tbody", ...rows.map((cells) => line("td", cells)))
    )
  );
}

// Gives the reader a file that the page has made.
function saveFile(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  makeElement("a", { href, download: `report-${name}` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

function legendItem({ label, ...look }) {
  const canvas = makeElement("canvas", { width: 28, height: 28 }),
    context = canvas.getContext("2d");
  canvasPen(context).marks([0], [14], [14], look, 9);
  return makeElement("span", canvas, cut(label, 40));
}
