// Which points lie at a place or in a rectangle: the picture in square cells, the points sorted by cell.

const CELL = 24;

function makeHits(xs, ys, width, height) {
  const across = Math.max(1, Math.ceil(width / CELL)), down = Math.max(1, Math.ceil(height / CELL));
  const column = (x) => Math.min(across - 1, Math.max(0, Math.floor(x / CELL)));
  const row = (y) => Math.min(down - 1, Math.max(0, Math.floor(y / CELL)));
  const { starts, order } = sortByCell(xs, ys, across * down, (i) => row(ys[i]) * across + column(xs[i]));

  function inside(x0, y0, x1, y1, visit) {
    for (let r = row(y0); r <= row(y1); r++) {
      for (let k = starts[r * across + column(x0)]; k < starts[r * across + column(x1) + 1]; k++) {
        const i = order[k];
        if (xs[i] >= x0 && xs[i] <= x1 && ys[i] >= y0 && ys[i] <= y1) visit(i);
      }
    }
  }

  function nearest(x, y, reach) {
    let best = -1, least = reach * reach;
    inside(x - reach, y - reach, x + reach, y + reach, (i) => {
      const distance = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
      if (distance <= least) [best, least] = [i, distance];
    });
    return best;
  }
  return { inside, nearest };
}

// Counting sort; points without a place (NaN) belong to no cell.
function sortByCell(xs, ys, cells, cellOf) {
  const starts = new Uint32Array(cells + 1), cell = new Int32Array(xs.length).fill(-1);
  let placed = 0;
  for (let i = 0; i < xs.length; i++) {
    if (!Number.isFinite(xs[i]) || !Number.isFinite(ys[i])) continue;
    cell[i] = cellOf(i);
    starts[cell[i] + 1]++;
    placed++;
  }
  for (let c = 0; c < cells; c++) starts[c + 1] += starts[c];
  const order = new Uint32Array(placed), next = starts.slice();
  for (let i = 0; i < xs.length; i++) if (cell[i] >= 0) order[next[cell[i]]++] = i;
  return { starts, order };
}
