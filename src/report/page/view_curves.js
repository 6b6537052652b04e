// Curves over the number of components: how good, how large the eigenvalues, how steady.

// lists: [{label, points: [{k, mean, low, high}]}], drawn over each other; chosen: the k to mark.
function curveView(spec) {
  const { lists, chosen, zero } = spec, all = lists.flatMap(({ points }) => points);
  const axis = spanOf(spec.axis, all.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]), zero ? [0] : []), [first, last] = extent(all.map(({ k }) => k));
  return {
    height: () => 280, ...spec,
    axes: () => ({ x: { low: first - 0.5, high: last + 0.5, label: spec.across, whole: true }, y: zero ? { ...axis, low: Math.min(0, axis.low + 0.04) } : axis }),
    paint(pen, at) {
      if (isNumber(chosen)) {
        pen.box(at.x(chosen) - 8, at.top, 16, at.bottom - at.top, ink.accent, 0.18);
        pen.write(at.x(chosen), at.top + 10, spec.word || "chosen", { fill: ink.text, size: 11, align: "middle" });
      }
      lists.forEach(({ points }, k) => paintCurve(pen, at, points, k));
      lineKeys(pen, at, lists);
    },
    find(at, x) {
      const k = Math.round(at.x.invert(x)), lines = lists.flatMap(({ label, points }) => points.filter((p) => p.k === k).map((p) => `${label}: ${withInterval(p.mean, p.low, p.high)}`));
      return lines.length ? { text: [`${spec.across}: ${k}`, ...lines].join("\n") } : null;
    },
    table() {
      const rows = lists.flatMap(({ label, points }) => points.map(({ k, mean, low, high }) => [label, k, mean, low, high]));
      return [["what", "k", "mean", "low", "high"], rows.length, (i, j) => rows[i][j]];
    },
  };
}

function paintCurve(pen, at, points, k) {
  const colour = lineColour(k), xs = points.map((point) => at.x(point.k)), ys = points.map((point) => at.y(point.mean));
  points.forEach(({ low, high }, i) => isNumber(low) && isNumber(high) && pen.line([xs[i], at.y(low), xs[i], at.y(high)], colour, { width: 2, alpha: 0.6 }));
  pen.line(xs.flatMap((x, i) => [x, ys[i]]), colour, lineStyle(k));
  pen.marks(xs.keys(), xs, ys, { colour, shape: "circle" }, xs.length > 40 ? 2 : 3.6);
}

const betterWords = (better) => (better === "higher" ? "higher is better" : "lower is better");

function curveViews() {
  const { curve, spectrum, certificate, stability } = report, views = [];
  if (curve) views.push(curveView({
    key: "curve", title: "How many components", across: "components", axis: `${curve.metric_title || curve.metric} (${betterWords(curve.better)})`, chosen: curve.chosen,
    lists: [{ label: curve.metric_title || curve.metric, points: curve.points.map(({ components: k, ...rest }) => ({ k, ...rest })) }],
    caption: () => `The bars are intervals of 95\u00a0%${curve.source === "training" ? ", on the training rows" : ", on rows not seen"}. ${curve.rule || ""}`,
  }));
  if (spectrum) views.push(curveView({
    key: "spectrum", title: spectrum.kind === "spectrum" ? "Spectrum of the optimum" : "Eigenvalues", across: "number", axis: spectrum.kind, zero: true, word: "gap after",
    chosen: spectrum.gap, lists: [{ label: "value", points: spectrum.values.map((mean, i) => ({ k: i + 1, mean })) }],
    caption: () => ["Components before a large gap stand out from the rest.", spectrum.text, certificate && certificate.text].filter(Boolean).join(" "),
  }));
  if (stability) views.push(stabilityView(stability));
  return views;
}

function stabilityView({ angles, permuted, text }) {
  const points = (list) => list.map(({ k, mean, high }) => ({ k, mean, low: mean, high }));
  return curveView({
    key: "stability", title: "Stability", across: "components", axis: "angle in degrees (smaller is steadier)", zero: true,
    lists: [{ label: "rows drawn again", points: points(angles) }, ...(permuted ? [{ label: "target shuffled", points: points(permuted) }] : [])],
    caption: () => `How far the components turn when the rows are drawn again. ${permuted ? "Dashed: the same with a shuffled target, the yardstick for nothing found. " : ""}${text || ""}`,
  });
}
