// The rows that are chosen. One for the whole page: every picture and the table show it, any of them may change it.

function makeSelection(rows) {
  const mask = new Uint8Array(rows),
    listeners = [],
    chosenRows = { mask, count: 0, listen: (listener) => listeners.push(listener) };
  const tell = (source) => {
    chosenRows.count = mask.reduce((sum, one) => sum + one, 0);
    listeners.forEach((listener) => listener(source));
  };
  // visitAll calls its argument with each row; with `kept`, those rows join the ones of this mask.
  chosenRows.replace = (visitAll, source, kept) => {
    if (kept) mask.set(kept);
    else mask.fill(0);
    visitAll((row) => (mask[row] = 1));
    tell(source);
  };
  chosenRows.toggle = (row, source) => {
    mask[row] ^= 1;
    tell(source);
  };
  chosenRows.clear = (source) => chosenRows.replace(() => {}, source);
  return chosenRows;
}
