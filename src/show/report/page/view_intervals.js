// Intervals one below the other: the model beside its baselines, methods compared, their differences, their times.

// items: [{name, value, low, high, strong, note}]; powers: on a logarithmic axis.
function intervalView(spec) {
  const { items, zero, powers } = spec,
    place = powers ? (value) => log10(max(value, 1e-6)) : (value) => value,
    numbers = items.flatMap(({ value, low, high }) => [value, low, high]).filter(isNumber),
    names = items.map(({ name }) => name),
    keys = ["name", "value", "low", "high", "note"];
  return {
    height: () => 66 + 25 * items.length,
    down: true,
    ...spec,
    places: (at) => items.map((_, i) => at.y(i)),
    axes(width) {
      const room = longestOf(names, width < 480 ? 17 : 32);
      return {
        x: { ...spanOf(spec.axis, numbers.map(place), zero ? [0] : []), powers },
        y: { names, room },
        edge: { left: 16 + 6.6 * room, right: 20 },
      };
    },
    paint(pen, at) {
      if (zero) pen.line([at.x(0), at.top, at.x(0), at.bottom], ink.soft, { width: 1.5 });
      items.forEach(({ value, low, high, strong }, i) => {
        const colour = strong ? ink.accent : ink.soft,
          y = at.y(i);
        if (isNumber(low)) pen.line([at.x(low), y, at.x(high), y], colour, { width: 3 });
        pen.marks([0], [at.x(place(value))], [y], { colour, shape: "circle" }, 5);
      });
    },
    table: () => [
      keys,
      items.length,
      (i, j, forPeople) => withError(items[i][keys[j]], errorOf(items[i]), forPeople),
    ],
  };
}

function headlineView({ headline, method }) {
  const { source, training, level, n, metric_title: axis, better, baselines } = headline,
    items = [{ ...headline, name: method || "model", strong: true }, ...(baselines || [])];
  if (isNumber(training) && source !== "training")
    items.push({
      name: "on training rows",
      value: roundedTo(training, decimalsFor(errorOf(headline))),
      note: "not a measure of new rows",
    });
  return intervalView({
    key: "headline",
    title: "Beside the baselines",
    items,
    axis,
    wide: true,
    caption: () =>
      `${betterWords(better)} Intervals of ${percentText(level)}; ${source === "cross-validation" ? source : source + " rows"}, ${pluralText(n, "row")}. A model is of use where it beats what needs none.`,
  });
}

const rowName = ({ name, components }) => name + (isNumber(components) ? `, ${components}` : "");

function compareViews({ rows, metric_title: title, better, splits, splits_text: how }) {
  const views = [],
    add = (value, low, high, spec) => {
      const items = rows
        .filter((row) => isNumber(row[value]))
        .map((row) => ({
          name: rowName(row),
          value: row[value],
          low: row[low],
          high: row[high],
          strong: !["worse", ""].includes(row.verdict),
          note: row.note || row.verdict,
        }));
      if (items.length) views.push(intervalView({ ...spec, items }));
    };
  add("mean", "low", "high", {
    key: "methods",
    title: "All methods on the same splits",
    wide: true,
    axis: title,
    caption: () =>
      `${betterWords(better)} Means with intervals of 95\u00a0% over ${how || pluralText(splits, "split")}. In colour: the best, and those not shown to be worse. The number behind a name: components.`,
  });
  add("difference", "diff_low", "diff_high", {
    key: "differences",
    title: "Difference to the best",
    zero: true,
    axis: `difference of ${title}`,
    caption: () =>
      "Split by split, so that hard splits count alike for all. An interval with zero in it: not shown to be worse.",
  });
  add("seconds", "", "", {
    key: "times",
    title: "Time of a fit",
    powers: true,
    axis: "seconds, logarithmic",
    caption: () => "Of one fit, measured while the comparison ran.",
  });
  return views;
}

function compareTable({ rows, metric_title: title }) {
  return plainTable(
    "In numbers",
    ["method", "components", title, "difference to the best", "seconds", "verdict"],
    rows.map((row) => [
      row.name,
      row.components ?? "\u2013",
      withInterval(row.mean, row.low, row.high),
      isNumber(row.difference) ? withInterval(row.difference, row.diff_low, row.diff_high) : "",
      isNumber(row.seconds) ? briefText(row.seconds, 2) : "",
      knownOnes([row.verdict, row.note]).join("; "),
    ])
  );
}
