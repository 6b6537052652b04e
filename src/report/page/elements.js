// Elements of the page. Texts are set as text, never as markup.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child || child === 0));
  return made;
}

// options: [[value, text]]
function selectField(label, options, chosen, onChange) {
  const list = element("select", { onchange: () => onChange(list.value) }, ...options.map(([value, text]) => element("option", { value }, cut(text, 40))));
  list.value = chosen;
  return element("label", {}, label, list);
}

// numeric: a 1 for each column of numbers, as in "0110".
function plainTable(caption, names, rows, numeric = "") {
  const row = (cells, tag, first, scope) => element("tr", {}, ...cells.map((cell, j) =>
    element(j ? tag : first, { scope: j && tag === "td" ? undefined : scope, class: numeric[j] === "1" && "number" }, cell ?? "")));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, element("table", {}, element("caption", {}, caption),
    element("thead", {}, row(names, "th", "th", "col")), element("tbody", {}, ...rows.map((cells) => row(cells, "td", "th", "row")))));
}

// Gives the reader a file that the page has made.
function saveFile(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href, download: `report-${name}` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

function legendItem(label, { colour, shape }) {
  const canvas = Object.assign(element("canvas"), { width: 28, height: 28 }), context = canvas.getContext("2d");
  context.scale(2, 2);
  canvasPen(context).marks([0], [7], [7], { colour, shape }, 4.5);
  return element("span", { class: "item" }, canvas, cut(label, 40));
}
