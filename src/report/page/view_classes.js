// A target of classes: confusion, the score of the row's own class, ROC.

const confusionView = () => ({
  key: "confusion", title: "Confusion", height: (width) => Math.min(460, Math.max(280, width * 0.8)), paint: paintConfusion,
  caption: () => `Rows by their measured class (down) and the class they were taken for (across). Off the diagonal are the mistakes. ${predictionWords()}`,
  axes(width) {
    const { classes: names } = target(), longest = Math.max(...names.map((name) => cut(name, 12).length)), room = 34 + 7 * longest;
    const turn = longest * 7 * names.length > width - room - 20 ? -90 : 0;
    return { x: { names, label: "predicted", turn, room: 12 }, y: { names, label: "measured", room: 12 }, edge: { left: room, bottom: turn ? 34 + 7 * longest : 46 }, bare: true };
  },
  table() {
    const { classes, measured, predicted } = target(), n = classes.length, counts = confusionOf(measured, predicted, n);
    return [["measured", ...classes], n, (i, j) => (j ? counts[i * n + j - 1] : classes[i])];
  },
  find(at, x, y) {
    const { classes, measured, predicted } = target(), c = Math.round(at.x.invert(x)), r = Math.round(at.y.invert(y)), n = classes.length;
    if (c < 0 || r < 0 || c >= n || r >= n) return null;
    const text = `${plural(confusionOf(measured, predicted, n)[r * n + c], "row")}\nmeasured: ${cut(classes[r], 40)}\npredicted: ${cut(classes[c], 40)}`;
    return { text, rows: (visit) => this.choose(at, x, y, x, y, visit) };
  },
  choose(at, x0, y0, x1, y1, visit) {
    const { measured, predicted } = target(), [left, right] = [x0, x1].map((x) => Math.round(at.x.invert(x))), [top, bottom] = [y0, y1].map((y) => Math.round(at.y.invert(y)));
    measured.forEach((m, i) => m >= top && m <= bottom && predicted[i] >= left && predicted[i] <= right && visit(i));
  },
});

// Shades by the share of the measured class; a frame where rows are chosen.
function paintConfusion(pen, at) {
  const { classes, measured, predicted } = target(), n = classes.length, width = (at.right - at.left) / n, height = (at.bottom - at.top) / n;
  const counts = confusionOf(measured, predicted, n), chosen = selection.count && confusionOf(measured, predicted, n, selection.mask);
  counts.forEach((count, k) => {
    if (!count) return;
    const r = Math.floor(k / n), c = k % n, share = count / counts.subarray(r * n, r * n + n).reduce((sum, one) => sum + one), x = at.left + c * width, y = at.top + r * height;
    pen.box(x + 0.5, y + 0.5, width - 1, height - 1, r === c ? ink.accent : ink.bad, at2(0.1 + 0.25 * share));
    if (chosen && chosen[k]) pen.line([x + 2, y + 2, x + width - 2, y + 2, x + width - 2, y + height - 2, x + 2, y + height - 2, x + 2, y + 1], ink.text, { width: 2 });
    if (width > 12) pen.write(x + width / 2, y + height / 2 + 4, count, { fill: ink.text, align: "middle", size: width > 24 ? 12 : 9 });
  });
}

// How strongly each row was taken for the class it belongs to.
const scoreWord = () => (target().chance ? "probability" : "score");
const ownScoreView = () => rowsView({
  key: "own-class", title: "Certainty",
  caption: () => `The ${scoreWord()} that the model gave to the class each row really has. Low marks are rows that it doubts or mistakes.`,
  plot: () => {
    const { classes, measured, score, chance, name } = target(), scores = classes.map((_, c) => score(c));
    const y = Float32Array.from(measured, (c, i) => (c < classes.length ? scores[c][i] : NaN));
    return {
      x: spread(measured), y, xAxis: { names: classes, label: name, room: Math.max(2, Math.floor(50 / classes.length)) },
      yAxis: spanOf(`${scoreWord()} of the measured class`, y, chance ? [0, 1] : y),
    };
  },
});

const rocClass = () => (target().classes.length === 2 ? 1 : choice.class);

const rocView = () => rowsView({
  key: "roc", title: "ROC curve",
  caption: () => {
    const { classes, score, measured } = target(), c = rocClass();
    return `How many rows of \u201c${cut(classes[c], 40)}\u201d are found (up) for how many false alarms (across) as the threshold falls. ` +
      `Area under the curve: ${brief(rocNow(score, measured, c).auc, 3)}; chance is 0.5, perfect is 1.`;
  },
  plot: () => {
    const { score, measured } = target(), { fpr, tpr, place } = rocNow(score, measured, rocClass());
    const from = (list) => Float32Array.from(place, (k) => (k < 0 ? NaN : list[k]));
    return {
      x: from(fpr), y: from(tpr), onlyChosen: true,
      xAxis: { low: 0, high: 1, label: "share of the other rows taken for it" }, yAxis: { low: 0, high: 1.02, label: "share of its rows found" },
      under: (pen, at) => {
        pen.dashed([at.x(0), at.y(0), at.x(1), at.y(1)], ink.soft);
        pen.line(fpr.flatMap((value, k) => [at.x(value), at.y(tpr[k])]), ink.accent, { width: 2 });
      },
    };
  },
  table: () => {
    const { fpr, tpr } = rocNow(target().score, target().measured, rocClass());
    return [["false_positive_rate", "true_positive_rate"], fpr.length, (i, j) => (j ? tpr : fpr)[i]];
  },
});

const rocMemory = {};
function rocNow(score, measured, c) {
  if (rocMemory.version !== choice.version) {
    Object.assign(rocMemory, rocOf(score(c), Uint8Array.from(measured, (m) => (m < 255 ? m === c : 255))), { version: choice.version });
  }
  return rocMemory;
}
