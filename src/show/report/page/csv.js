// Text separated by commas, as the program writes it.

function csvCell(value) {
  if (value == null) return "";
  if (typeof value === "number") return isNaN(value) ? "" : programText(value);
  const text = String(value);
  return /[\x22,\r\n]|^[\x20\t]|[\x20\t]$/.test(text) ? `"${text.replace(/\x22/g, "$&$&")}"` : text;
}

// names: the header; cell(row, column) of so many rows. A missing cell alone in its row is quoted: an empty line is none.
function csvText(names, rows, cell) {
  const lines = [names.map(csvCell).join(",")];
  for (let i = 0; i < rows; i++) lines.push(names.map((_, j) => csvCell(cell(i, j))).join(",") || '""');
  return `${lines.join("\n")}\n`;
}
