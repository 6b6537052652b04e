// Numbers over the columns: lines where the names of the columns are numbers (wavelengths), else the leading ones as
// bars. `series()` gives [{label, values}]; share: shares 0 to 1 beside them; line: a value to compare with.

const MOST_BARS = 20;
const namesAreNumbers = () => report.columns.length > 1 && isNumber(report.columns[0].numeric_name);

function columnsView(spec) {
  const text = (i) => ({ text: [cut(report.columns[i].name, 60), ...spec.series().map(({ label, values }) => `${cut(label, 40)}: ${brief(values[i])}`),
    ...(spec.share ? [`among the first in ${percent(spec.share[i])} of the resamples`] : [])].join("\n") });
  return { ...spec, ...(namesAreNumbers() ? columnLines(spec, text) : columnBars(spec, text)), table: () => {
    const series = [...spec.series(), ...(spec.share ? [{ label: "frequency", values: spec.share }] : [])];
    return [["column", ...series.map(({ label }) => label)], report.columns.length, (i, j) => (j ? series[j - 1].values[i] : report.columns[i].name)];
  } };
}

function columnLines(spec, text) {
  const place = report.columns.map((column) => column.numeric_name), order = [...place.keys()].sort((a, b) => place[a] - place[b]);
  const { title, unit } = report.columns_axis || {}, [low, high] = extent(place);
  return {
    wide: true, height: () => 290,
    axes: () => ({ x: { low, high, label: (title || "column") + (unit ? ` (${unit})` : "") }, y: spanOf(spec.axis, [0, spec.line || 0], ...spec.series().map(({ values }) => values)) }),
    paint(pen, at) {
      const along = (values, y) => order.flatMap((i) => [at.x(place[i]), y(values[i])]), bottom = at.bottom;
      if (spec.share) pen.draw(pathOf([at.left, bottom, ...along(spec.share, linear(0, 1, bottom, at.top)), at.right, bottom]), { fill: ink.soft, alpha: 0.2 });
      pen.line([at.left, at.y(0), at.right, at.y(0)], ink.axis);
      if (spec.line) pen.dashed([at.left, at.y(spec.line), at.right, at.y(spec.line)], ink.soft);
      spec.series().forEach(({ values }, k) => pen.line(along(values, at.y), lineColour(k), lineStyle(k)));
      lineKeys(pen, at, spec.series());
    },
    find: (at, x) => text(order.reduce((best, i) => (Math.abs(at.x(place[i]) - x) < Math.abs(at.x(place[best]) - x) ? i : best))),
  };
}

const lineColour = (k) => classLook(k, ink.dark).colour;
const lineStyle = (k) => ({ width: 1.8, dash: k ? "7 3" : undefined });

function lineKeys(pen, at, series) {
  if (series.length > 1) series.forEach(({ label }, k) => {
    const y = at.top + 10 + 16 * k, x = at.right - 140;
    pen.box(x - 6, y - 9, 146, 17, ink.paper, 0.8);
    pen.line([x, y, x + 22, y], lineColour(k), lineStyle(k));
    pen.write(x + 28, y + 4, cut(label, 18), { fill: ink.text, size: 11 });
  });
}

// The largest, whatever their sign.
function leading(values, most) {
  return [...values.keys()].sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b).slice(0, most);
}

function columnBars(spec, text) {
  const count = Math.min(MOST_BARS, report.columns.length), rows = () => leading(spec.series()[0].values, count);
  return {
    height: () => 80 + 19 * count,
    axes() {
      const names = rows().map((i) => report.columns[i].name), room = Math.min(20, Math.max(...names.map((name) => name.length)));
      const [low, high] = extent([0, 0], ...spec.series().map(({ values }) => rows().map((i) => values[i]))), more = (high - low) * 0.04 || 1;
      return { x: { low: low && low - more, high: high && high + more, label: spec.axis }, y: { names, room }, edge: { left: 18 + 6.6 * room, right: spec.share ? 58 : 14 }, bare: true };
    },
    paint(pen, at, width) {
      const series = spec.series(), thick = 13 / series.length;
      rows().forEach((i, r) => {
        series.forEach(({ values }, k) => pen.box(at.x(0), at.y(r) - 6.5 + k * thick, at.x(values[i]) - at.x(0), thick - 0.5, lineColour(k)));
        if (spec.share) pen.write(width - 6, at.y(r) + 4, percent(spec.share[i]), { fill: ink.soft, size: 11, align: "end" });
      });
      pen.line([at.x(0), at.top, at.x(0), at.bottom], ink.axis);
      if (spec.line && spec.line < at.x.high) pen.dashed([at.x(spec.line), at.top, at.x(spec.line), at.bottom], ink.soft);
      lineKeys(pen, { ...at, top: at.bottom - 44 }, series);
    },
    find(at, x, y) {
      const i = rows()[Math.round(at.y.invert(y))];
      return i === undefined ? null : text(i);
    },
  };
}

// The pictures that there are numbers for.
function columnViews() {
  const { weights, loadings, coefficients, importance, columns } = report;
  const views = [], some = namesAreNumbers() || columns.length <= MOST_BARS ? "" : ` The ${MOST_BARS} largest of ${grouped(report.columns_n || columns.length)} are shown.`;
  const add = (key, title, axis, words, more) => views.push(columnsView({ key, title, axis, caption: () => words + some, ...more }));
  const components = (list) => ({ series: () => [...new Set([choice.x, choice.y])].filter((c) => list[c]).map((c) => ({ label: `component ${c + 1}`, values: numbersOf(list[c]) })) });
  if (weights) add("weights", "Weights", "weight", "What each column adds to a score. A large weight, of either sign: the column counts.", components(weights));
  if (loadings) add("loadings", "Loadings", "loading", "How each column changes along a component: the pattern that it stands for.", components(loadings));
  if (coefficients) add("coefficients", "Coefficients", "coefficient", "The formula of the prediction: each column times its coefficient, summed, plus a constant.", { series: coefficientSeries });
  if (importance) addImportance(importance, add);
  return views;
}

function coefficientSeries() {
  const { coefficients, responses, classes } = report, k = Math.min(coefficients.length - 1, responses.length ? choice.response : choice.class);
  return [{ label: responses.length ? responses[k].name : classes[k] || "coefficient", values: numbersOf(coefficients[k]) }];
}

function addImportance({ name, values, frequency, leading: first, chance }, add) {
  const vip = /^vip$/i.test(name), often = frequency ? ` ${namesAreNumbers() ? "Shaded" : "At the right"}: how often the column was among the ${first} first when rows were drawn again (by chance ${percent(chance)}).` : "";
  add("importance", "Importance", name, (vip ? "Columns above the dashed line at 1 matter more than the average column." : "How much the model rests on each column.") + often,
    { series: () => [{ label: name, values: numbersOf(values) }], share: numbersOf(frequency), line: vip ? 1 : 0 });
}
