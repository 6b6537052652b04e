// Curves over the number of components: how good, how large the eigenvalues, how steady.

// lists: [{label, points: [{k, mean, low, high}]}], drawn over each other; chosen: the k to mark, with a word.
function curveView(spec) {
  const { lists, chosen, zero, across } = spec,
    rows = lists.flatMap(({ label, points }) =>
      points.map(({ k, mean, low, high }) => [label, k, mean, low, high])
    );
  const y = spanOf(
      spec.axis,
      rows.flatMap((row) => row.slice(2)),
      zero ? [0] : []
    ),
    [first, last] = extentOf(rows.map(([, k]) => k));
  return {
    height: () => 280,
    ...spec,
    axes: () => ({
      x: { low: first - 0.5, high: last + 0.5, label: across, whole: true },
      y: zero ? { ...y, low: 0 } : y,
      edge: keyEdge(lists),
    }),
    paint(pen, at) {
      if (isNumber(chosen)) {
        pen.box(at.x(chosen) - 8, at.top, 16, at.bottom - at.top, ink.accent, 0.18);
        pen.write(at.x(chosen), at.top - 3, spec.word, { align: "middle" });
      }
      lists.forEach(({ points }, k) => paintCurve(pen, at, points, lineColour(k), k));
      lineKeys(pen, at, lists);
    },
    places: (at) => rows.map(([, k]) => at.x(k)),
    table: () => [
      ["what", across, "mean", "low", "high"],
      rows.length,
      (i, j, forPeople) =>
        j < 2 ? rows[i][j] : withError(rows[i][j], (rows[i][4] - rows[i][3]) / 4, forPeople),
    ],
  };
}

function paintCurve(pen, at, points, colour, k) {
  const xs = points.map((point) => at.x(point.k)),
    ys = points.map((point) => at.y(point.mean));
  points.forEach(
    ({ low, high }, i) =>
      isNumber(low) && pen.line([xs[i], at.y(low), xs[i], at.y(high)], colour, { width: 2, alpha: 0.6 })
  );
  pen.line(
    xs.flatMap((x, i) => [x, ys[i]]),
    colour,
    lineStyle(k)
  );
  pen.marks(xs.keys(), xs, ys, { colour, shape: "circle" }, xs.length > 40 ? 2 : 3.6);
}

const betterWords = (better) => (better === "higher" ? "Higher is better." : "Lower is better.");

function curveViews() {
  const { curve, spectrum, certificate, stability } = pageReport,
    views = [];
  if (curve)
    views.push(
      curveView({
        key: "curve",
        title: "How many components",
        across: "components",
        axis: curve.metric_title,
        chosen: curve.chosen,
        word: curve.rule ? "chosen" : "this model",
        lists: [
          {
            label: curve.metric_title,
            points: curve.points.map(({ components: k, ...rest }) => ({ k, ...rest })),
          },
        ],
        caption: () =>
          `${betterWords(curve.better)} Bars are intervals of 95\u00a0%, on ${curve.source === "training" ? "the training rows" : "rows not seen"}. ${curve.rule || ""}`,
      })
    );
  if (spectrum)
    views.push(
      curveView({
        key: "spectrum",
        title: spectrum.kind === "spectrum" ? "Spectrum of the optimum" : "Eigenvalues",
        across: "number",
        axis: spectrum.kind,
        zero: true,
        word: "gap after this",
        chosen: spectrum.gap,
        lists: [{ label: "value", points: spectrum.values.map((mean, i) => ({ k: i + 1, mean })) }],
        caption: () =>
          knownOnes([
            "Components before a large gap stand out from the rest.",
            spectrum.text,
            certificate?.text,
          ]).join(" "),
      })
    );
  if (stability) views.push(stabilityView(stability));
  return views;
}

function stabilityView({ angles, permuted, text }) {
  const points = (list) => list.map(({ k, mean, high }) => ({ k, mean, low: mean, high }));
  return curveView({
    key: "stability",
    title: "Stability",
    across: "components",
    axis: "angle (degrees)",
    zero: true,
    lists: [
      { label: "rows drawn again", points: points(angles) },
      ...(permuted ? [{ label: "target shuffled", points: points(permuted) }] : []),
    ],
    caption: () =>
      `How far the components turn when the rows are drawn again: small is steady. ${text || ""}`,
  });
}
