// The rows as a table that can be sorted and searched. Only what is in sight is made.

const ROW_HEIGHT = 29, SPARE = 6;

// [name, value(row), text of a number; none where the value is words]
function tableColumns() {
  const { components, scores, outliers, responses } = report, columns = [["name", report.named ? report.name : report.id]], before = choice.response;
  const add = (name, list, words = brief) => list && columns.push([name, (row) => list[row], words]);
  const part = (row) => (report.isTest(row) ? "test" : "training");
  if (report.hasTest) columns.push(["part", part]);
  for (choice.response = 0; choice.response < Math.min(6, responses.length || (target() ? 1 : 0)); choice.response++) targetColumns(target(), columns, add);
  choice.response = before;
  components.slice(0, 4).forEach((_, c) => add(`component ${c + 1}`, scores[c]));
  if (outliers) [["T\u00b2", outliers.t2], ["Q", outliers.q]].forEach(([name, list]) => add(name, numbersOf(list)));
  return columns;
}

function targetColumns({ name, title, classes, measured, predicted }, columns, add) {
  const word = report.responses.length > 1 ? `${name}, ` : "", decimals = classes || decimalsFor(errorOf(measured, predicted)), show = (value) => fixed(value, decimals);
  if (classes) return [["measured", measured], ["predicted", predicted]].forEach(([what, codes]) => codes && columns.push([word + what, (row) => classes[codes[row]] ?? ""]));
  add(`${word ? name : title}, measured`, measured, show);
  add(`${word}predicted`, predicted, show);
  add(`${word}error`, predicted && predicted.map((value, i) => value - measured[i]), show);
}

// The standard deviation of the errors, or of the values where there are no predictions.
function errorOf(measured, predicted) {
  let count = 0, sum = 0;
  measured.forEach((value, i) => {
    const error = predicted ? predicted[i] - value : value;
    if (Number.isFinite(error)) [count, sum] = [count + 1, sum + error * error];
  });
  return Math.sqrt(sum / (count || 1)) / 10;
}

// Rows in order: numbers by size with those without a value last, words by their letters.
function sortedRows(rows, value, down) {
  const sign = down ? -1 : 1, missing = (x) => x === undefined || Number.isNaN(x);
  return rows.sort((a, b) => {
    const x = value(a), y = value(b);
    if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
    return sign * (typeof x === "number" ? x - y : x.localeCompare(y)) || a - b;
  });
}

function makeTable() {
  const columns = tableColumns(), body = element("tbody"), count = element("p", { class: "note" }), words = (row, [, value, show]) => (show ? show(value(row)) : String(value(row)));
  let order = [], sort = null, down = false;
  const heads = columns.map((column) => element("th", { scope: "col", class: column[2] && "number" }, element("button", { type: "button", class: "link", onclick: () => {
    [sort, down] = [column, sort === column && !down];
    heads.forEach((head, j) => head.setAttribute("aria-sort", columns[j] === sort ? (down ? "descending" : "ascending") : "none"));
    fill();
  } }, cut(column[0], 30))));
  const search = element("input", { type: "search", oninput: fill }), only = element("input", { type: "checkbox", onchange: fill });
  const scroll = element("div", { class: "rows", tabindex: 0, role: "region", "aria-label": "Rows", onscroll: present }, element("table", {}, element("caption", { class: "hidden" }, "Rows"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, element("span", { class: "hidden" }, "chosen")), ...heads)), body));

  function fill() {
    const wanted = search.value.trim().toLowerCase(), matches = (row) => !wanted || columns.some((column) => words(row, column).toLowerCase().includes(wanted));
    order = [];
    for (let row = 0; row < report.shown; row++) if ((!only.checked || selection.mask[row]) && matches(row)) order.push(row);
    if (sort) sortedRows(order, sort[1], down);
    scroll.scrollTop = 0;
    present();
  }
  function rowElement(row) {
    const box = element("input", { type: "checkbox", "aria-label": `choose ${cut(words(row, columns[0]), 60)}`, onchange: () => selection.toggle(row) });
    box.checked = selection.mask[row];
    return element("tr", { class: selection.mask[row] && "chosen", "data-row": row }, element("td", {}, box),
      ...columns.map((column, j) => element(j ? "td" : "th", { scope: !j && "row", class: column[2] && "number" }, cut(words(row, column), 44))));
  }
  function present() {
    const first = Math.max(0, Math.floor(scroll.scrollTop / ROW_HEIGHT) - SPARE), last = Math.min(order.length, first + Math.ceil((scroll.clientHeight || 400) / ROW_HEIGHT) + 2 * SPARE);
    const space = (rows) => {
      const cell = element("td", { colspan: columns.length + 1 });
      cell.style.height = `${rows * ROW_HEIGHT}px`;
      return element("tr", { class: "space", "aria-hidden": "true" }, cell);
    };
    const held = body.contains(document.activeElement) && document.activeElement.closest("tr").dataset.row;
    body.replaceChildren(space(first), ...order.slice(first, last).map(rowElement), space(order.length - last));
    if (held) body.querySelector(`[data-row="${held}"] input`)?.focus();
    count.textContent = `${plural(order.length, "row")} of ${grouped(report.shown)}; ${selection.count ? grouped(selection.count) : "none"} chosen.`;
  }
  selection.listen(() => (only.checked ? fill() : present()));
  const all = [["row", report.id], ...columns, ["chosen", (row) => (selection.mask[row] ? "yes" : "no")]];
  const text = () => csvText(all.map(([name]) => name), order.length, (i, j) => all[j][1](order[i]));
  const save = element("button", { type: "button", onclick: () => saveFile("rows.csv", text(), "text/csv") }, "Save as CSV");
  fill();
  return element("div", {}, element("div", { class: "bar" }, element("label", {}, "Search", search), element("label", { class: "check" }, only, "chosen rows only"), save), scroll, count);
}
