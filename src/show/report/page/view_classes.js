// A target of classes: confusion, the score of the row's own class, ROC.

const cellAt = (scale, place) => round(scale.invert(place));

const confusionView = () => ({
  key: "confusion",
  title: "Confusion",
  paint: paintConfusion,
  caption: () =>
    `Measured classes down, predicted ones across: off the diagonal are the mistakes. ${predictionWords(true)}`,
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
      counts = confusionOf(targetChosen, pageReport.judged);
    return [["measured", ...classes], n, (i, j) => (j ? counts[i * n + j - 1] : classes[i])];
  },
  find(at, x, y) {
    const { classes } = targetChosen,
      r = cellAt(at.y, y),
      c = cellAt(at.x, x);
    if (!(r in classes && c in classes)) return null;
    return {
      text: factText([
        ["rows", confusionOf(targetChosen, pageReport.judged)[r * classes.length + c]],
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
      (m, i) =>
        m >= top &&
        m <= bottom &&
        predicted[i] >= left &&
        predicted[i] <= right &&
        pageReport.judged(i) &&
        visit(i)
    );
  },
});

// Shades by the share of the measured class; a frame where rows are chosen.
function paintConfusion(pen, at) {
  const n = targetChosen.classes.length,
    width = (at.right - at.left) / n,
    height = (at.bottom - at.top) / n,
    counts = confusionOf(targetChosen, pageReport.judged),
    marked =
      chosenRows.count && confusionOf(targetChosen, (i) => pageReport.judged(i) && chosenRows.mask[i]);
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
      `The ${scoreWord()} that the model gave to the class each row really has. Low marks are rows that it doubts or mistakes. ${predictionWords(true)}`,
    plot: () => {
      const { classes, measured, score, certain, name } = targetChosen,
        scores = classes.map((_, c) => score(c)),
        y = judgedOnly(Float32Array.from(measured, (c, i) => scores[c]?.[i])),
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
      `Area under the curve: ${plusMinus(roc.auc, roc.error)}; chance is 0.5, perfect is 1. ${predictionWords(true)}`,
    plot: () => {
      const { classes, score, measured } = targetChosen,
        c = shownClass();
      [roc, shown] = [
        rocOf(
          score(c),
          Uint8Array.from(measured, (m, i) => (m in classes && pageReport.judged(i) ? m === c : 255))
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

// Whether probabilities are what they say: rows in ten steps of the probability, and how many of them have the class.
const reliabilityView = () => {
  const steps = () => {
    const c = shownClass(),
      scores = targetChosen.score(c),
      found = [];
    targetChosen.measured.forEach((m, i) => {
      if (!(m in targetChosen.classes && pageReport.judged(i) && scores[i] >= 0)) return;
      const step = (found[min(9, floor(10 * scores[i]))] ||= { n: 0, sum: 0, hits: 0 });
      step.n++;
      step.sum += scores[i];
      step.hits += m === c;
    });
    return found.filter(Boolean).map(({ n, sum, hits }) => [sum / n, hits / n, ...shareInterval(hits, n), n]);
  };
  const axis = (label) => ({ low: 0, high: 1.02, label });
  return {
    key: "reliability",
    title: "Calibration",
    caption: () =>
      `Of the rows to which the model gives a probability of class \u201c${cut(targetChosen.classes[shownClass()], 40)}\u201d (across), how many have it (up), in ten steps, with intervals of 95\u00a0%. On the dashed line probabilities are right. ${predictionWords(true)}`,
    axes: () => ({ x: axis("probability given"), y: axis("share that has it") }),
    paint(pen, at) {
      pen.dashed([at.x(0), at.y(0), at.x(1), at.y(1)], ink.soft);
      const all = steps(),
        xs = this.places(at),
        ys = all.map(([, share]) => at.y(share));
      all.forEach(([, , low, high], i) =>
        pen.line([xs[i], at.y(low), xs[i], at.y(high)], ink.accent, { width: 2, alpha: 0.5 })
      );
      pen.marks(xs.keys(), xs, ys, { colour: ink.accent, shape: "circle" }, 4);
    },
    places: (at) => steps().map(([mean]) => at.x(mean)),
    table: () => {
      const all = steps();
      return [["probability", "share", "low", "high", "rows"], all.length, (i, j) => all[i][j]];
    },
  };
};

// Wilson's interval of 95 % of a share.
function shareInterval(hits, n) {
  const z = 1.96 ** 2 / n,
    share = hits / n,
    middle = (share + z / 2) / (1 + z),
    half = sqrt(z * share * (1 - share) + (z * z) / 4) / (1 + z);
  return [middle - half, middle + half];
}

// Where the model is calibrated: how many classes are in the sets of the rows.
const setView = () => {
  const { classes, measured, score, least } = targetChosen,
    { level, rows } = pageReport.certainty,
    scores = classes.map((_, c) => score(c)),
    sizes = new Array(classes.length + 1).fill(0),
    judged = [...measured.keys()].filter((i) => pageReport.judged(i) && !isNaN(scores[0][i])),
    holds = (i) => (list) => list[i] >= least - 1e-6;
  judged.forEach((i) => sizes[scores.filter(holds(i)).length]++);
  return intervalView({
    key: "sets",
    title: "Sizes of the sets",
    axis: "share of the rows",
    items: sizes
      .map((n, k) => ({
        name: k === 1 ? "1 class" : `${k} classes`,
        value: n / judged.length,
        low: 0,
        high: n / judged.length,
        strong: k === 1,
      }))
      .filter(({ value }, k) => value || k < 3),
    caption: () =>
      `Each row gets the set of classes that contains its own with a probability of ${percentText(level)}, from ${pluralText(rows, "error")} on rows not fitted: it does for ${coverageWords((i) => (measured[i] in classes ? holds(i)(scores[measured[i]]) : null))}. Several classes: the row may be any of them; none: it is unlike what was fitted. ${predictionWords(true)}`,
  });
};
