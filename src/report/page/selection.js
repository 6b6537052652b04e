// The rows that are chosen. One for the whole page: every picture and the table show it, any of them may change it.

function makeSelection(rows) {
  const mask = new Uint8Array(rows), listeners = [];
  const selection = { mask, count: 0, source: null };

  function tell(source) {
    selection.source = source;
    selection.count = 0;
    for (let i = 0; i < rows; i++) selection.count += mask[i];
    listeners.forEach((listener) => listener(selection));
  }
  selection.listen = (listener) => listeners.push(listener);
  selection.has = (row) => mask[row] === 1;
  selection.clear = (source) => {
    mask.fill(0);
    tell(source);
  };
  selection.toggle = (row, source) => {
    mask[row] ^= 1;
    tell(source);
  };
  // `visitAll` calls its argument with each row; with `kept`, those rows join the ones of this mask.
  selection.replace = (visitAll, source, kept) => {
    if (kept) mask.set(kept);
    else mask.fill(0);
    visitAll((row) => (mask[row] = 1));
    tell(source);
  };
  return selection;
}
