// A target of classes: confusion, the score of the row's own class, ROC.

const cellAt = (scale, place) => round(scale.invert(place));

const confusionView = () => ({
  key: "confusion",
  title: "Confusion",
  paint: paintConfusion,
  caption: () =>
    `Measured classes down, predicted ones across: off the diagonal are the mistakes. ${predictionWords()}`,
  axes(width) {
    const names = targetChosen.classes,
      longest = longestOf(names, 12),
      left = 34 + 7 * longest;
    const turn = longest * 7 * names.length > width - left - 20 ? -90 : 0;
    return {
      x: { names, label: "predicted", turn, room: 12 },
      y: { names, label: "measured", room: 12 },
      edge: { left, bottom: turn ? left : 46 },
      bare: true,
    };
  },
  table() {
    const { classes } = targetChosen,
      n = classes.length,
      counts = confusionOf(targetChosen);
    return [["measured", ...classes], n, (i, j) => (j ? counts[i * n + j - 1] : classes[i])];
  },
  find(at, x, y) {
    const { classes } = targetChosen,
      r = cellAt(at.y, y),
      c = cellAt(at.x, x);
    if (!(r in classes && c in classes)) return null;
    return {
      text: factText([
        ["rows", confusionOf(targetChosen)[r * classes.length + c]],
        ["measured", classes[r]],
        ["predicted", classes[c]],
      ]),
      rows: (visit) => this.choose(at, { x0: x, y0: y, x1: x, y1: y }, visit),
    };
  },
  choose(at, { x0, y0, x1, y1 }, visit) {
    const { measured, predicted } = targetChosen,
      [left, right] = [cellAt(at.x, x0), cellAt(at.x, x1)],
      [top, bottom] = [cellAt(at.y, y0), cellAt(at.y, y1)];
    measured.forEach(
      (m, i) => m >= top && m <= bottom && predicted[i] >= left && predicted[i] <= right && visit(i)
    );
  },
});

// Shades by the share of the measured class; a frame where rows are chosen.
function paintConfusion(pen, at) {
  const n = targetChosen.classes.length,
    width = (at.right - at.left) / n,
    height = (at.bottom - at.top) / n,
    counts = confusionOf(targetChosen),
    marked = chosenRows.count && confusionOf(targetChosen, chosenRows.mask);
  counts.forEach((count, k) => {
    if (!count) return;
    const r = floor(k / n),
      c = k % n,
      share = count / counts.subarray(r * n, r * n + n).reduce((sum, one) => sum + one),
      x = at.left + c * width,
      y = at.top + r * height;
    pen.box(x + 0.5, y + 0.5, width - 1, height - 1, r === c ? ink.accent : ink.bad, at2(0.1 + 0.25 * share));
    if (marked && marked[k])
      pen.draw(boxPath(x + 2, y + 2, width - 4, height - 4), { stroke: ink.text, width: 2 });
    if (width > 12)
      pen.write(x + width / 2, y + height / 2 + 4, count, {
        fill: ink.text,
        align: "middle",
        size: width > 24 ? 12 : 9,
      });
  });
}

// How strongly each row was taken for the class it belongs to.
const scoreWord = () => (targetChosen.certain ? "probability" : "score");
const ownScoreView = () =>
  rowsView({
    key: "own-class",
    title: "Certainty",
    caption: () =>
      `The ${scoreWord()} that the model gave to the class each row really has. Low marks are rows that it doubts or mistakes.`,
    plot: () => {
      const { classes, measured, score, certain, name } = targetChosen,
        scores = classes.map((_, c) => score(c)),
        y = Float32Array.from(measured, (c, i) => scores[c]?.[i]),
        many = classes.length > 8;
      return {
        x: spreadOut(measured),
        y,
        xAxis: {
          names: classes,
          label: name,
          turn: many ? -90 : 0,
          room: many ? 10 : floor(50 / classes.length),
        },
        edge: many ? { bottom: 36 + 7 * longestOf(classes, 10) } : {},
        yAxis: spanOf(`${scoreWord()} of the measured class`, y, certain ? [0, 1] : y),
      };
    },
  });

const rocView = () => {
  let roc, shown;
  const share = (label, high) => ({ low: 0, high, label });
  return rowsView({
    key: "roc",
    title: "ROC curve",
    caption: () =>
      `How many rows of \u201c${cut(shown, 40)}\u201d are found (up) for how many false alarms (across) as the threshold falls. ` +
      `Area under the curve: ${plusMinus(roc.auc, roc.error)}; chance is 0.5, perfect is 1.`,
    plot: () => {
      const { classes, score, measured } = targetChosen,
        c = classes.length === 2 ? 1 : readerChoice.class;
      [roc, shown] = [
        rocOf(
          score(c),
          Uint8Array.from(measured, (m) => (m in classes ? m === c : 255))
        ),
        classes[c],
      ];
      const { fpr, tpr, place } = roc,
        from = (list) => Float32Array.from(place, (k) => list[k]);
      return {
        x: from(fpr),
        y: from(tpr),
        onlyChosen: true,
        xAxis: share("share of the other rows taken for it", 1),
        yAxis: share("share of its rows found", 1.02),
        under: (pen, at) => {
          pen.dashed([at.x(0), at.y(0), at.x(1), at.y(1)], ink.soft);
          pen.line(
            fpr.flatMap((value, k) => [at.x(value), at.y(tpr[k])]),
            ink.accent,
            { width: 2 }
          );
        },
      };
    },
    table: () => [
      ["false_positive_rate", "true_positive_rate"],
      roc.fpr.length,
      (i, j) => (j ? roc.tpr : roc.fpr)[i],
    ],
  });
};
