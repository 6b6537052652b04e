// Numbers over the columns: lines where the names of the columns are numbers (wavelengths), else the leading ones as
// bars. `series()` gives [{label, values}]; share: shares 0 to 1 beside them; line: a value to compare with.

const MOST_BARS = 20;
const namesAreNumbers = () => pageReport.columns.length > 1 && isNumber(pageReport.columns[0].numeric_name);

function columnsView(spec) {
  const { columns } = pageReport,
    all = [...columns.keys()],
    memory = new Map();
  const rows = () => {
    const { values } = spec.series()[0];
    if (!memory.has(values)) memory.set(values, namesAreNumbers() ? all : leading(values, MOST_BARS));
    return memory.get(values);
  };
  const listed = (list) => {
    const series = knownOnes([
      ...spec.series(),
      spec.share && { label: "frequency", values: spec.share },
      spec.deviation && { label: "standard deviation", values: spec.deviation },
    ]);
    return [
      ["column", ...series.map(({ label }) => label)],
      list.length,
      (i, j) => (j ? series[j - 1].values[list[i]] : columns[list[i]].name),
    ];
  };
  return {
    table: () => listed(all),
    pointed: () => listed(rows()),
    ...spec,
    ...(namesAreNumbers() ? columnLines(spec) : columnBars(spec, rows)),
  };
}

function columnLines(spec) {
  const place = pageReport.columns.map((column) => column.numeric_name),
    order = [...place.keys()].sort((a, b) => place[a] - place[b]);
  const { title, unit } = pageReport.columns_axis || {},
    [low, high] = extentOf(place);
  return {
    height: () => 290,
    axes: () => ({
      x: { low, high, label: (title || "column") + (unit ? ` (${unit})` : "") },
      y: spanOf(spec.series()[0].axis || spec.axis, [0, spec.line || 0], ...spec.series().map(({ values }) => values)),
      edge: keyEdge(spec.series()),
    }),
    paint(pen, at) {
      const { left, right, bottom, top } = at,
        along = (values, y) => order.flatMap((i) => [at.x(place[i]), y(values[i])]);
      if (spec.share)
        pen.draw(
          pathOf([left, bottom, ...along(spec.share, linearScale(0, 1, bottom, top)), right, bottom]),
          {
            fill: ink.soft,
            alpha: 0.2,
          }
        );
      pen.line([left, at.y(0), right, at.y(0)], ink.axis);
      if (spec.line) pen.dashed([left, at.y(spec.line), right, at.y(spec.line)], ink.soft);
      spec.series().forEach(({ values }, k) => pen.line(along(values, at.y), lineColour(k), lineStyle(k)));
      lineKeys(pen, at, spec.series());
    },
    places: (at) => place.map(at.x),
  };
}

const lineColour = (k) => classLook(k, ink.dark).colour;
const lineStyle = (k) => ({ width: 1.8, dash: k ? "7 3" : undefined });

// What the lines are, above the picture.
function lineKeys(pen, { left, right, top }, series) {
  if (series.length > 1)
    series.forEach(({ label }, k) => {
      const x = max(8, min(left, right - 140 * series.length)) + 140 * k,
        y = top - 12;
      pen.line([x, y, x + 22, y], lineColour(k), { ...lineStyle(k), width: 3 });
      pen.write(x + 28, y + 4, cut(label, 18), { fill: ink.text });
    });
}

const keyEdge = (series) => ({ top: series.length > 1 ? 28 : 12 });

// The largest, whatever their sign.
function leading(values, most) {
  return [...values.keys()].sort((a, b) => abs(values[b]) - abs(values[a]) || a - b).slice(0, most);
}

function columnBars(spec, rows) {
  return {
    down: true,
    height: () => 80 + 19 * rows().length,
    places: (at) => rows().map((_, r) => at.y(r)),
    axes() {
      const names = rows().map((i) => pageReport.columns[i].name),
        room = longestOf(names, 20);
      const [low, high] = extentOf(
          [0, 0],
          ...spec.series().map(({ values }) => rows().map((i) => values[i]))
        ),
        more = (high - low) * 0.04 || 1;
      return {
        x: { low: low && low - more, high: high && high + more, label: spec.series()[0].axis || spec.axis },
        y: { names, room },
        edge: { ...keyEdge(spec.series()), left: 18 + 6.6 * room, right: spec.share ? 58 : 14 },
        bare: true,
      };
    },
    paint(pen, at, width) {
      const series = spec.series(),
        thick = 13 / series.length,
        zero = at.x(0);
      rows().forEach((i, r) => {
        series.forEach(({ values }, k) =>
          pen.box(zero, at.y(r) - 6.5 + k * thick, at.x(values[i]) - zero, thick - 0.5, lineColour(k))
        );
        if (spec.share) pen.write(width - 6, at.y(r) + 4, percentText(spec.share[i]), { align: "end" });
      });
      pen.line([zero, at.top, zero, at.bottom], ink.axis);
      if (spec.line < at.x.high) pen.dashed([at.x(spec.line), at.top, at.x(spec.line), at.bottom], ink.soft);
      lineKeys(pen, at, series);
    },
  };
}

// The pictures that there are numbers for.
function columnViews() {
  const { importance, columns, deviations } = pageReport,
    per = deviations ? "one standard deviation of each column" : "one unit of each column",
    deviation = numbersOf(deviations),
    views = [];
  const some =
    namesAreNumbers() || columns.length <= MOST_BARS
      ? ""
      : ` The ${MOST_BARS} largest of ${groupedText(pageReport.columns_n)} are shown.`;
  const add = (key, title, axis, words, series, more) =>
    views.push(columnsView({ key, title, axis, caption: () => words + some, series, ...more }));
  const each = (key, axis, words, series, more) =>
    pageReport[key] && add(key, withCapital(key), axis, words, series, more);
  const components = (key) => () =>
    shownComponents()
      .filter((c) => pageReport[key][c])
      .map((c) => ({ label: `component ${c + 1}`, values: numbersOf(pageReport[key][c]) }));
  each(
    "weights",
    `weight${deviations ? " per standard deviation" : ""}`,
    `What ${per} adds to a score. A large weight, of either sign: the column counts.`,
    components("weights"),
    { deviation }
  );
  each(
    "loadings",
    "loading",
    `How each column changes along a component${deviations && !namesAreNumbers() ? ", in its standard deviations" : ""}: the pattern that it stands for.`,
    components("loadings")
  );
  each(
    "coefficients",
    "coefficient",
    `What ${per} adds to the prediction, the others held${deviations ? "; divided by that deviation, the formula" : ""}.`,
    coefficientSeries,
    { deviation }
  );
  if (importance) addImportance(importance, add);
  if (pageReport.permutation) views.push(permutationView(pageReport));
  return views;
}

function coefficientSeries() {
  const { coefficients, responses, classes, deviations } = pageReport,
    k = min(coefficients.length - 1, responses.length ? readerChoice.response : shownClass()),
    label = responses[k]?.name || classes[k] || "coefficient",
    axis = `${classes.length ? "class " : ""}${cut(label, 20)}${deviations ? ", per standard deviation" : ""}`;
  return [{ label, axis, values: numbersOf(coefficients[k]) }];
}

// The columns whose shuffling costs most.
function permutationView({ permutation: { columns, of, repeats }, headline }) {
  return intervalView({
    key: "permutation",
    title: "Loss when shuffled",
    zero: true,
    axis: `loss of ${headline.metric_title}`,
    items: [...columns].sort((a, b) => b.value - a.value).slice(0, MOST_BARS),
    caption: () =>
      `How much worse the ${of} rows are predicted when the values of one column are shuffled among them, with intervals of 95\u00a0% over ${repeats} shuffles. Columns that stand for each other lose little each.`,
  });
}

function addImportance({ name, values, frequency, leading: first, chance }, add) {
  const vip = /^vip$/i.test(name),
    often = frequency
      ? ` ${namesAreNumbers() ? "Shaded" : "At the right"}: how often the column was among the first ${first} when rows were drawn again (by chance ${percentText(chance)}).`
      : "";
  add(
    "importance",
    "Importance",
    name,
    (vip
      ? "Columns beyond the dashed line at 1 matter more than the average column."
      : "How much the model rests on each column.") + often,
    () => [{ label: name, values: numbersOf(values) }],
    { share: numbersOf(frequency), line: vip ? 1 : undefined }
  );
}
