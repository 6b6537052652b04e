// Elements of the page. Texts are set as text, never as markup.

const known = (list) => list.filter(Boolean);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value || value === 0) made.setAttribute(name, value);
  }
  made.append(...known(children));
  return made;
}

const button = (words, onclick, more) => element("button", { type: "button", onclick, ...more }, words);

// options: [[value, text]]
function selectField(label, options, chosen, onChange) {
  const list = element(
    "select",
    { onchange: () => onChange(list.value) },
    ...options.map(([value, text]) => element("option", { value }, cut(text, 40)))
  );
  list.value = chosen;
  return element("label", {}, label, list);
}

// A region that scrolls and can be reached by the keyboard.
const scrolling = (name, style, ...inside) =>
  element("div", { class: style, tabindex: 0, role: "region", "aria-label": name }, ...inside);

// Cells are texts; numbers stand at the right.
function plainTable(caption, names, rows) {
  const numeric = names.map(
    (_, j) => rows.every((cells) => /^[\u2212\u2013\u00b1\d.,e[\]\s]*$/.test(cells[j] ?? "")) && "number"
  );
  return scrolling(
    caption,
    "scroll",
    element(
      "table",
      {},
      element("caption", {}, caption),
      element(
        "thead",
        {},
        element("tr", {}, ...names.map((name, j) => element("th", { scope: "col", class: numeric[j] }, name)))
      ),
      element(
        "tbody",
        {},
        ...rows.map((cells) =>
          element(
            "tr",
            {},
            ...cells.map((cell, j) =>
              element("td", { class: numeric[j] }, String(cell || cell === 0 ? cell : ""))
            )
          )
        )
      )
    )
  );
}

// Gives the reader a file that the page has made.
function saveFile(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href, download: `report-${name}` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

function legendItem({ label, ...look }) {
  const canvas = element("canvas", { width: 28, height: 28 }),
    context = canvas.getContext("2d");
  canvasPen(context).marks([0], [14], [14], look, 9);
  return element("span", {}, canvas, cut(label, 40));
}
