// Which class is taken for which, and how well a score separates a class from the rest.

// counts[measured * classes + predicted] of the rows that count.
function confusionOf({ measured, predicted, classes }, fits) {
  const n = classes.length,
    counts = new Uint32Array(n * n);
  measured.forEach((code, i) => code < n && predicted[i] < n && fits(i) && counts[code * n + predicted[i]]++);
  return counts;
}

// The standard error of an area by Hanley and McNeil (1982).
function areaError(area, inside, outside) {
  const square = area * area,
    one = area / (2 - area) - square,
    other = (2 * square) / (1 + area) - square;
  return sqrt((area - square + (inside - 1) * one + (outside - 1) * other) / inside / outside);
}

// The curve of true against false positives as the threshold falls. isClass: 1, 0, or 255 for a row that does not count.
// place[i]: where row i comes in, as an index into fpr and tpr; rows of equal score come in together.
function rocOf(score, isClass) {
  const order = [...score.keys()]
    .filter((i) => isFinite(score[i]) && isClass[i] < 2)
    .sort((a, b) => score[b] - score[a]);
  const inside = order.reduce((sum, i) => sum + isClass[i], 0),
    outside = order.length - inside;
  const fpr = [0],
    tpr = [0],
    place = new Int32Array(score.length).fill(-1);
  let hits = 0,
    alarms = 0,
    area = 0;
  for (let k = 0; k < order.length;) {
    const value = score[order[k]],
      was = [alarms, hits];
    for (; k < order.length && score[order[k]] === value; k++) {
      if (isClass[order[k]]) hits++;
      else alarms++;
      place[order[k]] = fpr.length;
    }
    area += ((alarms - was[0]) * (hits + was[1])) / 2;
    fpr.push(alarms / (outside || 1));
    tpr.push(hits / (inside || 1));
  }
  const auc = inside && outside ? area / inside / outside : NaN;
  return { fpr, tpr, place, auc, error: areaError(auc, inside, outside) };
}
