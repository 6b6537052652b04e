// The rows as a table that can be sorted and searched. Only what is in sight is made.

const ROW_HEIGHT = 29,
  SPARE = 6,
  MOST_PRINTED = 500,
  MOST_TARGETS = 6,
  MOST_SCORES = 4;

// [name, value(row), text of a number; none where the value is words]
function tableColumns() {
  const { scores, outliers, responses } = pageReport,
    columns = [pageReport.named ? ["name", pageReport.name] : ["row", pageReport.id]];
  const add = (name, list, words = (value) => briefText(value)) =>
    list && columns.push([name, (row) => list[row], words]);
  if (pageReport.hasTest) columns.push(["part", pageReport.part]);
  (responses.length ? responses : [0])
    .slice(0, MOST_TARGETS)
    .forEach((_, k) => targetColumns(targetOf(pageReport, k), columns, add));
  scores.slice(0, MOST_SCORES).forEach((list, c) => add(`component ${c + 1}`, list));
  add("T\u00b2", numbersOf(outliers?.t2));
  add("Q", numbersOf(outliers?.q));
  return columns;
}

function targetColumns({ name, title, classes, measured, predicted, error, show, given }, columns, add) {
  const word = pageReport.responses.length > 1 ? `${name}, ` : "",
    words = (what, codes) => codes && columns.push([word + what, (row) => classes[codes[row]] ?? ""]);
  if (classes) return [words("measured", measured), words("predicted", predicted)];
  add(`${title}, measured`, measured, given);
  add(`${word}predicted`, predicted, show);
  add(`${word}error`, error, show);
}

// Numbers by size, words by their letters, rows without a value last.
function sortRows(rows, value, down) {
  const sign = down ? -1 : 1;
  return rows.sort((a, b) => {
    const x = value(a),
      y = value(b);
    if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b;
    return sign * (typeof x === "number" ? x - y : x.localeCompare(y)) || a - b;
  });
}

function makeTable() {
  const columns = tableColumns(),
    body = makeElement("tbody"),
    count = makeElement("p", { class: "note" }),
    words = (row, [, value, show]) => (show ? show(value(row)) : String(value(row)));
  let order = [],
    sort,
    down;
  const heads = columns.map((column) =>
    makeElement(
      "th",
      { scope: "col", class: column[2] && "number" },
      makeButton(
        cut(column[0], 30),
        () => {
          [sort, down] = [column, sort === column && !down];
          heads.forEach((head, j) =>
            head.setAttribute("aria-sort", columns[j] !== sort ? "none" : down ? "descending" : "ascending")
          );
          fill();
        },
        { class: "link" }
      )
    )
  );
  const search = makeElement("input", { type: "search", oninput: fill }),
    only = makeElement("input", { type: "checkbox", onchange: fill });
  const scroll = scrollRegion(
    "Rows",
    "rows",
    makeElement(
      "table",
      makeElement(
        "thead",
        makeElement(
          "tr",
          makeElement("th", { scope: "col" }, makeElement("span", { class: "hidden" }, "chosen")),
          ...heads
        )
      ),
      body
    )
  );
  scroll.addEventListener("scroll", present);

  function fill() {
    const wanted = search.value.trim().toLowerCase(),
      fits = (row) => !wanted || columns.some((column) => words(row, column).toLowerCase().includes(wanted));
    order = [];
    for (let row = 0; row < pageReport.shown; row++)
      if ((!only.checked || chosenRows.mask[row]) && fits(row)) order.push(row);
    if (sort) sortRows(order, sort[1], down);
    scroll.scrollTop = 0;
    present();
  }
  function rowElement(row) {
    const mark = chosenRows.mask[row],
      box = makeElement("input", {
        type: "checkbox",
        "aria-label": `choose ${cut(words(row, columns[0]), 60)}`,
        onchange: () => chosenRows.toggle(row),
      });
    box.checked = mark;
    return makeElement(
      "tr",
      { class: mark && "chosen", "data-row": row },
      makeElement("td", box),
      ...columns.map((column, j) =>
        makeElement(
          j ? "td" : "th",
          { scope: !j && "row", class: column[2] && "number" },
          cut(words(row, column), 44)
        )
      )
    );
  }
  function space(rows) {
    const made = makeElement("tr", { "aria-hidden": "true" });
    made.style.height = `${rows * ROW_HEIGHT}px`;
    return made;
  }
  function present() {
    const printed = root.classList.contains("paper"),
      first = printed ? 0 : max(0, floor(scroll.scrollTop / ROW_HEIGHT) - SPARE),
      last = min(order.length, first + (printed ? MOST_PRINTED : 16 + 2 * SPARE));
    const held = body.contains(document.activeElement) && document.activeElement.closest("tr").dataset.row;
    body.replaceChildren(
      space(first),
      ...order.slice(first, last).map(rowElement),
      space(printed ? 0 : order.length - last)
    );
    if (held) body.querySelector(`[data-row="${held}"] input`)?.focus();
    count.textContent =
      `${pluralText(order.length, "row")} of ${groupedText(pageReport.shown)} listed, ${groupedText(chosenRows.count)} chosen.` +
      (printed && last < order.length ? ` The first ${MOST_PRINTED} are printed; the file has all.` : "");
  }
  const all = [
    ...(pageReport.named ? [["row", pageReport.id]] : []),
    ...columns,
    ["chosen", (row) => (chosenRows.mask[row] ? "yes" : "no")],
  ];
  const save = () =>
    saveFile(
      "rows.csv",
      csvText(
        all.map(([name]) => name),
        order.length,
        (i, j) => all[j][1](order[i])
      ),
      "text/csv"
    );
  updateTable = () => (only.checked ? fill() : present());
  fill();
  return makeElement(
    "div",
    makeElement(
      "div",
      { class: "bar" },
      makeElement("label", "Search", search),
      makeElement("label", { class: "check" }, only, "chosen rows only"),
      makeButton("Save as CSV", save)
    ),
    scroll,
    count
  );
}
