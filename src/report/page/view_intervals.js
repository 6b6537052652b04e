// Intervals one below the other: the model beside its baselines, methods compared, their differences, their times.

// items: [{name, value, low, high, strong, note}]
function intervalView(spec) {
  const { items } = spec, numbers = items.flatMap(({ value, low, high }) => [value, low, high]).filter(isNumber);
  const longest = Math.max(...items.map(({ name }) => name.length));
  return {
    height: () => 66 + 25 * items.length, ...spec,
    axes(width) {
      const room = Math.min(width < 480 ? 17 : 32, longest);
      return { x: spanOf(spec.axis, numbers, spec.zero ? [0] : []), y: { names: items.map(({ name }) => name), room }, edge: { left: 16 + 6.6 * room, right: 20 } };
    },
    paint(pen, at) {
      if (spec.zero) pen.line([at.x(0), at.top, at.x(0), at.bottom], ink.soft, { width: 1.5 });
      items.forEach(({ value, low, high, strong }, i) => {
        const colour = strong ? ink.accent : ink.soft;
        if (isNumber(low) && isNumber(high)) pen.line([at.x(low), at.y(i), at.x(high), at.y(i)], colour, { width: 3 });
        if (isNumber(value)) pen.marks([0], [at.x(value)], [at.y(i)], { colour, shape: "circle" }, 5);
      });
    },
    find(at, x, y) {
      const item = items[Math.round(at.y.invert(y))];
      return item ? { text: [cut(item.name, 60), withInterval(item.value, item.low, item.high), item.note].filter(Boolean).join("\n") } : null;
    },
    table: () => [["name", spec.key, "low", "high"], items.length, (i, j) => items[i][["name", "value", "low", "high"][j]]],
  };
}

function headlineView({ headline, method }) {
  const { source, training, level, n, metric_title: title, metric, better, baselines } = headline;
  const items = [{ ...headline, name: method || "model", strong: true }, ...(baselines || [])];
  if (isNumber(training) && source !== "training") items.push({ name: "on training rows", value: training, note: "not a measure of new rows" });
  return intervalView({
    key: "headline", title: "Beside the baselines", items, axis: `${title || metric} (${betterWords(better)})`, wide: true,
    caption: () => `With intervals of ${percent(level || 0.95)}; ${source === "cross-validation" ? source : source + " rows"}, ${plural(n, "row")}. A model is of use where it beats what needs none.`,
  });
}

const rowName = ({ name, components }) => (isNumber(components) ? `${name}, ${components}` : name);

function compareViews({ rows, metric_title: title, metric, better, splits, splits_text: how }) {
  const views = [], strong = ({ verdict }) => verdict === "best" || verdict === "as good";
  const add = (spec, value, low, high) => {
    const items = rows.filter((row) => isNumber(row[value])).map((row) => ({ name: rowName(row), value: row[value], low: row[low], high: row[high], strong: strong(row), note: row.note || row.verdict }));
    if (items.length) views.push(intervalView({ ...spec, items }));
  };
  add({ key: "methods", title: "All methods on the same splits", wide: true, axis: `${title || metric} (${betterWords(better)})`,
    caption: () => `Means with intervals of 95\u00a0% over ${how || plural(splits, "split")}. In colour: the best, and those not shown to be worse. The number behind a name: components.` }, "mean", "low", "high");
  add({ key: "differences", title: "Difference to the best", zero: true, axis: `difference of ${title || metric}`,
    caption: () => "Split by split, so that hard splits count alike for all. An interval with zero in it: not shown to be worse." }, "difference", "diff_low", "diff_high");
  add({ key: "times", title: "Time of a fit", zero: true, axis: "seconds", caption: () => "Of one fit, measured while the comparison ran." }, "seconds");
  return views;
}

function compareTable({ rows, metric_title: title, metric }) {
  return plainTable("The comparison in numbers", ["method", "components", title || metric, "difference to the best", "seconds", "verdict"],
    rows.map((row) => [row.name, row.components ?? "\u2013", withInterval(row.mean, row.low, row.high), isNumber(row.difference) ? withInterval(row.difference, row.diff_low, row.diff_high) : "",
      isNumber(row.seconds) ? brief(row.seconds, 2) : "", [row.verdict, row.note].filter(Boolean).join("; ")]), "01111");
}
