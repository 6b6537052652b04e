// A picture with a mark for each row. `plot()` gives {x, y: lists over rows; xAxis, yAxis; under(pen, at): what is drawn
// below the marks; onlyChosen: marks for chosen rows alone}. It is asked again when the reader has chosen something else.

const REACH = 14;

function rowsView(spec) {
  let plot, version, place;
  const xs = new Float32Array(pageReport.shown),
    ys = xs.slice();
  const now = () => {
    if (version !== readerChoice.version) [plot, version, place] = [spec.plot(), readerChoice.version];
    return plot;
  };
  return {
    table: () => rowsTable([now().xAxis.label, plot.yAxis.label], [plot.x, plot.y]),
    ...spec,
    axes: () => ({ x: now().xAxis, y: plot.yAxis, edge: plot.edge }),
    paint(pen, at) {
      if (place !== `${at.right} ${at.bottom}`)
        for (let i = 0; i < xs.length; i++) [xs[i], ys[i]] = [at.x(plot.x[i]), at.y(plot.y[i])];
      place = `${at.right} ${at.bottom}`;
      pen.within(at.left, at.top - 4, at.right - at.left + 4, at.bottom - at.top + 8, () => {
        if (plot.under) plot.under(pen, at);
        if (chosenRows.count || !plot.onlyChosen)
          drawPoints(pen, xs, ys, plot.onlyChosen ? null : ink.faint, at);
      });
    },
    find(at, x, y) {
      const row = nearestPoint(xs, ys, x, y, REACH);
      return row < 0 ? null : { row, text: rowText(row) };
    },
    choose: (at, brush, visit) => pointsInside(xs, ys, brush, visit),
  };
}

// What names the rows, then the given lists.
function rowsTable(names, lists) {
  const all = knownOnes([
    pageReport.named && ["name", pageReport.name],
    ["row", pageReport.id],
    pageReport.hasTest && ["part", pageReport.part],
    ...lists.map((list, j) => [names[j], (i) => list[i]]),
  ]);
  return [all.map(([name]) => name), pageReport.shown, (i, j) => all[j][1](i)];
}

function spanOf(label, ...lists) {
  const [low, high] = paddedSpan(extentOf(...lists));
  return { low, high, label };
}

// Classes side by side: each row a little beside the middle of its class, always by the same amount.
const spreadOut = (codes) => Float32Array.from(codes, (code, i) => code + (((i * 0.618034) % 1) - 0.5) * 0.6);

// Counts of all rows behind a sample of them.
function densityUnder(list, fits) {
  const found = pageReport.density?.[list]?.find(fits);
  return (pen, at) => found && drawDensity(pen, found, at);
}

// The rows in the space that the method has found.
const scoresView = () =>
  rowsView({
    key: "scores",
    title: "Scores",
    table: scoresTable,
    plot: pageReport.scores.length > 1 ? scoresPlot : oneScorePlot,
    caption: () =>
      pageReport.scores.length > 1
        ? "Each mark is a row, in two of the components. Rows close together are alike in what the method looks for."
        : "The model has one component, shown against the target or the number of the row.",
  });

function scoresPlot() {
  const { x, y } = readerChoice,
    xs = pageReport.scores[x],
    ys = pageReport.scores[y];
  return {
    x: xs,
    y: ys,
    xAxis: spanOf(componentLabel(x), xs),
    yAxis: spanOf(componentLabel(y), ys),
    under: densityUnder("scores", (grid) => grid.x === x && grid.y === y),
  };
}

function oneScorePlot() {
  const x = pageReport.scores[0],
    { measured, classes, title } = targetChosen,
    xAxis = spanOf(componentLabel(0), x);
  if (classes) return { x, y: spreadOut(measured), xAxis, yAxis: { names: classes } };
  const y = measured || x.map((_, i) => pageReport.id(i));
  return { x, y, xAxis, yAxis: spanOf(measured ? `${title}, measured` : "row of the file", y) };
}

// As `alidade transform` writes them: the columns that name the rows where there are any, then the components.
function scoresTable() {
  const { names, names_column: name, kept } = pageReport.rows,
    ids = kept || (names ? [{ name: name || "name", texts: names }] : []),
    lists = [...ids.map(({ texts }) => texts), ...pageReport.scores];
  return [
    [...ids.map(({ name }, k) => name || `id${k + 1}`), ...pageReport.components.map(({ name }) => name)],
    pageReport.shown,
    (i, j) => lists[j][i],
  ];
}

// A target of numbers.
const predictedView = () =>
  rowsView({
    key: "predicted",
    title: "Predicted against measured",
    caption: () => `On the dashed line both agree. ${predictionWords()}${bandWords()}`,
    plot: () => {
      const { measured: x, predicted: y, title } = targetChosen,
        span = spanOf("", x, y),
        density = densityUnder("predicted", (grid) => grid.x === readerChoice.response);
      return {
        x,
        y,
        xAxis: { ...span, label: `${title}, measured` },
        yAxis: { ...span, label: `${title}, predicted` },
        under: (pen, at) => {
          density(pen, at);
          paintBand(pen, at, at.x.low, at.x.high);
          pen.dashed([at.left, at.bottom, at.right, at.top], ink.soft);
        },
      };
    },
  });

// Where the model is calibrated: the rows whose interval contains what was measured, as a band about a line.
function paintBand(pen, at, from, to) {
  const { half } = targetChosen;
  if (half >= 0)
    pen.draw(
      pathOf([
        ...[at.left, at.y(from - half), at.left, at.y(from + half)],
        ...[at.right, at.y(to + half), at.right, at.y(to - half)],
      ]),
      { fill: ink.accent, alpha: 0.12 }
    );
}

function bandWords() {
  const { half, error, show } = targetChosen,
    { level, rows } = pageReport.certainty || {};
  if (!(half >= 0)) return "";
  const inside = coverageWords((i) => (isNaN(error[i]) ? null : abs(error[i]) <= half));
  return `The band is the interval of ${percentText(level)}, \u00b1 ${show(half)}, from ${pluralText(rows, "error")} on rows not fitted: it contains ${inside}.`;
}

const residualView = () =>
  rowsView({
    key: "residuals",
    title: "Residuals",
    caption: () =>
      `Predicted minus measured. Marks should scatter evenly about zero. A bend: a straight line is not enough. A funnel: the error grows with the value. ${predictionWords(true)}`,
    plot: () => {
      const { predicted: x, error, title } = targetChosen,
        y = judgedOnly(error);
      return {
        x,
        y,
        xAxis: spanOf(`${title}, predicted`, x),
        yAxis: spanOf("predicted \u2212 measured", y, [0]),
        under: (pen, at) => {
          paintBand(pen, at, 0, 0);
          pen.dashed([at.left, at.y(0), at.right, at.y(0)], ink.soft);
        },
      };
    },
  });
