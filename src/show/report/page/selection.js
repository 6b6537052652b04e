// The rows that are chosen. One for the whole page: every picture and the table show it, any of them may change it.

function makeSelection(rows) {
  const mask = new Uint8Array(rows),
    listeners = [],
    made = { mask, count: 0, listen: (one) => listeners.push(one) };
  const tell = (source) => {
    made.count = mask.reduce((sum, one) => sum + one, 0);
    listeners.forEach((listener) => listener(source));
  };
  // visitAll calls its argument with each row; with `kept`, those rows join the ones of this mask.
  made.replace = (visitAll, source, kept) => {
    if (kept) mask.set(kept);
    else mask.fill(0);
    visitAll((row) => (mask[row] = 1));
    tell(source);
  };
  made.toggle = (row, source) => {
    mask[row] ^= 1;
    tell(source);
  };
  made.clear = (source) => made.replace(() => {}, source);
  return made;
}
