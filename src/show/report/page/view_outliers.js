// T2 against Q: rows that are unlike the rows of the model, in two ways.

const rootsOf = (list) => Float32Array.from(list, (value) => sqrt(max(0, value)));

const outlierView = () => {
  const { t2, q, t2_limit: far, q_limit: off, level } = pageReport.outliers,
    x = rootsOf(numbersOf(t2)),
    y = rootsOf(numbersOf(q));
  return rowsView({
    key: "outliers",
    title: "T\u00b2 against Q",
    caption: () =>
      "T\u00b2 is how far a row lies from the middle of the others within the components, Q how far off them; the axes are their roots. " +
      `A row like those of the model crosses a dashed limit with a chance of ${percentText(1 - level)}.`,
    plot: () => ({
      x,
      y,
      xAxis: { ...spanOf("root of T\u00b2", x, [sqrt(far || 0)]), low: 0 },
      yAxis: { ...spanOf("root of Q", y, [sqrt(off || 0)]), low: 0 },
      under: (pen, at) => {
        if (far) pen.dashed([at.x(sqrt(far)), at.top, at.x(sqrt(far)), at.bottom], ink.bad);
        if (off) pen.dashed([at.left, at.y(sqrt(off)), at.right, at.y(sqrt(off))], ink.bad);
      },
    }),
    table: () => rowsTable(["T2", "Q"], [numbersOf(t2), numbersOf(q)]),
  });
};

// Rows beyond a limit, the farthest (as a multiple of its limit) first.
function outlyingRows({ t2, q, t2_limit: far, q_limit: off }) {
  const tests = [
      [numbersOf(t2), far, "T\u00b2"],
      [numbersOf(q), off, "Q"],
    ].filter(([, limit]) => limit > 0),
    found = [];
  for (let row = 0; tests.length && row < tests[0][0].length; row++) {
    const over = tests.filter(([list, limit]) => list[row] > limit);
    if (over.length)
      found.push({
        row,
        times: max(...over.map(([list, limit]) => list[row] / limit)),
        by: over.map(([, , name]) => name).join(" and "),
      });
  }
  return found.sort((a, b) => b.times - a.times);
}

const MOST_LISTED = 10;

function outlierList() {
  const found = outlyingRows(pageReport.outliers),
    more = found.length - MOST_LISTED;
  if (!found.length) return makeElement("p", "No row lies beyond a limit.");
  const choose = (rows) => () => chosenRows.replace((visit) => rows.forEach(({ row }) => visit(row)));
  return makeElement(
    "div",
    { class: "card" },
    makeElement("h3", `${pluralText(found.length, "row")} beyond a limit`),
    makeElement(
      "ol",
      ...found
        .slice(0, MOST_LISTED)
        .map((one) =>
          makeElement(
            "li",
            makeButton(cut(pageReport.name(one.row), 48), choose([one]), { class: "link" }),
            pageReport.hasTest && ` (${pageReport.part(one.row)} row)`,
            ` ${one.by}, ${briefText(one.times, 3)} times the limit`
          )
        )
    ),
    more > 0 && makeElement("p", `and ${groupedText(more)} more: sort the table by T\u00b2 or Q.`),
    makeButton("Choose them all", choose(found))
  );
}
