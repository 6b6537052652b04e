/* Lines of csv as the program writes it, for the page and for its worker. */

/* The cells of the line at `from`, and where the next begins; cells in quotes may have lines of their own. */
function readLine(text, from) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end);
    if (!line.includes('"')) return { cells: line.split(","), next: end < 0 ? text.length : end + 1 };
    const cells = [];
    let cell = "";
    let quoted = false;
    let i = from;
    for (; i < text.length && (quoted || text[i] !== "\n"); i++) {
        const letter = text[i];
        if (quoted && letter === '"' && text[i + 1] === '"') cell += text[++i];
        else if (letter === '"') quoted = !quoted;
        else if (quoted || letter !== ",") cell += letter;
        else {
            cells.push(cell);
            cell = "";
        }
    }
    cells.push(cell);
    return { cells, next: i + 1 };
}

/* The cells of all lines. */
function readLines(text) {
    const found = [];
    for (let at = 0; at < text.length; ) {
        const { cells, next } = readLine(text, at);
        found.push(cells);
        at = next;
    }
    return found;
}
