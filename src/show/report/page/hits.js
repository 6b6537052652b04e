// Which points lie at a place or in a rectangle. Every point is looked at: 100,000 take a third of a millisecond.

function pointsInside(xs, ys, { x0, y0, x1, y1 }, visit) {
  for (let i = 0; i < xs.length; i++) if (xs[i] >= x0 && xs[i] <= x1 && ys[i] >= y0 && ys[i] <= y1) visit(i);
}

// The nearest within reach, or -1.
function nearestPoint(xs, ys, x, y, reach) {
  let best = -1,
    least = reach * reach;
  pointsInside(xs, ys, { x0: x - reach, y0: y - reach, x1: x + reach, y1: y + reach }, (i) => {
    const distance = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
    if (distance <= least) [best, least] = [i, distance];
  });
  return best;
}
